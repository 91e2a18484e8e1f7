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
import { testAgents, WRITTEN_THROUGH } from "./agents.ts";
import { IS_NEWEST, isInstalled } from "./folder.ts";
import { makeParrot } from "./install.ts";
import { REAL_SERVERS, type RunningServer, startServer } from "./start.ts";
import { type RequestRow, REQUESTS, wrongRequest } from "./requests.ts";
import { TEXTS, wrongAnswer } from "./texts.ts";

const MODES = ["auto", "raw", "prompted"] as const;

/** Servers that can't be read raw. */
const NOT_RAW: readonly string[] = ["transformers", "llama-cpp-python"];

/** Servers whose own parser reads calls even so: what `auto` gets right at least. */
const LEAST: Readonly<Record<string, number>> = { "mlx-lm with a parser": 16 };

/** Servers that differ from another one only in what they make of the model's text. */
const SAME_REQUESTS: readonly string[] = ["mlx-lm with a parser", "vllm with hermes and reasoning"];

/** Server → request → its answer where the server has another one; null: it isn't asked. */
const OTHERWISE: Readonly<Record<string, Readonly<Record<string, RequestRow["right"] | null>>>> = {
  // A long prompt takes minutes on a CPU, and one of 40,000 words ends the server.
  "mlx-lm": { "a large enum": null, "a prompt that is too long": null },
  transformers: { "another model": { status: 404, words: /can't load the model/ } },
};

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

/** Runs `serve` before a server; gives its URL and the line with which it shows the server. */
async function startBefore(server: RunningServer, tools: string) {
  const folder = await temporaryFolder();
  const upstream = `{ name: local, url: "${server.url}", tools: ${tools} }`;
  await Deno.writeTextFile(
    join(folder, "dragoman.yaml"),
    `upstreams: [${upstream}]\npolicy: { echo_guard: false }\n`,
  );
  const program = startProgram(folder, ["serve", "--port", "0"]);
  const url = await program.until(/http:\S+\/v1(?=\n)/);
  const line = await program.until(/local answers.*/);
  return { url, line, [Symbol.asyncDispose]: () => program[Symbol.asyncDispose]() };
}

/** The figures of `serve` before a server, and the name with which it shows the server. */
async function countThrough(server: RunningServer, tools: string) {
  await using before = await startBefore(server, tools);
  const wrong: string[] = [];
  return { right: await countRight(before.url, server, wrong), line: before.line, wrong };
}

/** What is wrong about the answers to the requests, whole and streamed, that a person gets who only names the server. */
async function wrongRequests(name: string, server: RunningServer): Promise<string[]> {
  await using before = await startBefore(server, "auto");
  const wrong: string[] = [];
  for (const row of REQUESTS) {
    for (const isStreamed of [false, true]) {
      const { [row.name]: right = row.right } = OTHERWISE[name] ?? {};
      if (right === null) continue;
      const asked = { model: server.model, row: { ...row, right }, isStreamed };
      const found = await wrongRequest(before.url, asked);
      if (found !== undefined) wrong.push(`${row.name}, ${isStreamed ? "streamed" : "whole"}: ${found}`);
    }
  }
  return wrong;
}

for (const [name, { environment }] of Object.entries(REAL_SERVERS)) {
  Deno.test({
    name: `${name}: the agent gets each of ${TEXTS.length} texts as it should`,
    ignore: !isInstalled(environment),
    async fn(test) {
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
        version ||= line.split(", ")[1] ?? "";
        const least = mode === "auto" ? LEAST[name] ?? TEXTS.length : TEXTS.length;
        expect(
          Math.min(...right) >= least,
          `${name}, ${mode}: ${right.join(", ")} right\n${wrong.join("\n")}`,
        );
        cells.push(shown(right));
      }
      const wrong = SAME_REQUESTS.includes(name) ? [] : await wrongRequests(name, server);
      expect(wrong.length === 0, `${name}: requests without their right answer:\n${wrong.join("\n")}`);
      if (WRITTEN_THROUGH.includes(name)) await testAgents(test, server);
      await checkRow(`| ${name} (${version}) | ${cells.join(" | ")} |`, name);
    },
  });
}

/** Fails; with the newest versions, prints what is otherwise. */
function expect(holds: boolean, otherwise: string): void {
  if (IS_NEWEST && !holds) console.log(`CHANGED ${otherwise}`);
  else assert(holds, otherwise);
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
  if (Deno.env.get("WRITE_TABLE") !== "1") {
    return expect(rows[at] === row, `${name}: the row of servers.md\n  ${rows[at]}\n  ${row}`);
  }
  const all = at < 0 ? [...rows, row] : rows.with(at, row);
  await Deno.writeTextFile(
    PAGE,
    `${before}<!-- real servers -->\n${all.join("\n")}\n<!-- /real servers -->${after}`,
  );
}
