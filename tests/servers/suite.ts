/**
 * Real servers with the parrot, asked directly and through `serve`: how many of the texts reach the agent as they should, whole
 * and streamed. The table in servers.md is what happens; WRITE_TABLE=1 writes it. Run by `deno task test:servers`, which
 * installs first.
 *
 * @module
 */
import assert from "node:assert/strict";
import { join } from "node:path";
import { startProgram } from "../support/program.ts";
import { temporaryFolder } from "../support/temporary_folder.ts";
import { isInstalled } from "./folder.ts";
import { makeParrot } from "./install.ts";
import { REAL_SERVERS, type RunningServer, startServer } from "./start.ts";
import { TEXTS, wrongAnswer } from "./texts.ts";

const MODES = ["auto", "raw", "prompted"] as const;

/** Servers that can't be read raw. */
const NOT_RAW: readonly string[] = ["mlx-lm", "transformers", "llama-cpp-python"];

/** Servers whose own parser reads calls even so: what `auto` and `prompted` get right at least. */
const LEAST: Readonly<Record<string, number>> = { "mlx-lm": 13 };

const PAGE = join(import.meta.dirname!, "../../src/docs/guide/servers.md");

/** How many texts arrive right, whole and streamed; what arrives wrong goes to `wrong`. */
async function countRight(
  url: string,
  { model }: RunningServer,
  wrong: string[] = [],
): Promise<[number, number]> {
  const right: [number, number] = [0, 0];
  for (const text of TEXTS) {
    for (const isStreamed of [false, true]) {
      const found = await wrongAnswer(url, { model, text, isStreamed });
      if (found === undefined) right[Number(isStreamed)]!++;
      else wrong.push(`${text.name}, ${isStreamed ? "streamed" : "whole"}: ${found}`);
    }
  }
  return right;
}

/** The figures of `serve` before a server, and the name with which it shows the server. */
async function countThrough(server: RunningServer, tools: string) {
  const folder = await temporaryFolder();
  const upstream = `{ name: local, url: "${server.url}", tools: ${tools} }`;
  await Deno.writeTextFile(
    join(folder, "dragoman.yaml"),
    `upstreams: [${upstream}]\npolicy: { echo_guard: false }\n`,
  );
  await using program = startProgram(folder, ["serve", "--port", "0"]);
  const url = await program.until(/http:\S+\/v1(?=\n)/);
  const line = await program.until(/local answers.*/);
  const wrong: string[] = [];
  return { right: await countRight(url, server, wrong), line, wrong };
}

for (const [name, { environment }] of Object.entries(REAL_SERVERS)) {
  Deno.test({
    name: `${name}: the agent gets each of ${TEXTS.length} texts as it should`,
    ignore: !isInstalled(environment),
    async fn() {
      const parrot = await makeParrot();
      assert(parrot !== undefined, "the parrot can't be made");
      await using server = await startServer(name, parrot);
      const cells: string[] = [];
      const direct = await countRight(server.url, server);
      cells.push(shown(direct));
      let version = "";
      for (const mode of MODES) {
        if (mode === "raw" && NOT_RAW.includes(name)) {
          cells.push("–");
          continue;
        }
        const { right, line, wrong } = await countThrough(server, mode);
        version ||= line.split(", ").slice(1).join(", ").replace(/, read raw.*/, "");
        const least = LEAST[name] ?? TEXTS.length;
        assert(Math.min(...right) >= least, `${mode}: ${right.join(", ")} right\n${wrong.join("\n")}`);
        cells.push(shown(right));
      }
      await checkRow(`| ${name} (${version}) | ${cells.join(" | ")} |`, name);
    },
  });
}

function shown([whole, streamed]: readonly [number, number]): string {
  return whole === streamed ? String(whole) : `${whole} whole, ${streamed} streamed`;
}

/** Compares the row of the page, or writes it. */
async function checkRow(row: string, name: string): Promise<void> {
  const page = await Deno.readTextFile(PAGE);
  const [before = "", rest = ""] = page.split("<!-- real servers -->\n");
  const [table = "", after = ""] = rest.split("<!-- /real servers -->");
  const rows = table.trimEnd().split("\n");
  const at = rows.findIndex((one) => one.startsWith(`| ${name} (`));
  if (Deno.env.get("WRITE_TABLE") !== "1") return assert.equal(rows[at], row);
  const all = at < 0 ? [...rows, row] : rows.with(at, row);
  await Deno.writeTextFile(
    PAGE,
    `${before}<!-- real servers -->\n${all.join("\n")}\n<!-- /real servers -->${after}`,
  );
}
