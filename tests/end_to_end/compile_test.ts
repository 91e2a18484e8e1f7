/**
 * The one binary, as far as it can be looked at where the runtime part of `deno compile` cannot be downloaded: Deno
 * itself stands in for that part, so what is embedded, the permissions and the entry are read from the file. Where a
 * real runtime part is at hand (`DENORT_BIN`), the binary runs as well.
 *
 * @module
 */
import assert from "node:assert/strict";
import { join } from "node:path";
import { ENGINE_FLAGS } from "../../src/cli/engine_flags.ts";
import { temporaryFolder } from "../support/temporary_folder.ts";

const ROOT = new URL("../../", import.meta.url).pathname;

/** What stands before the metadata in a compiled file, and is followed by its length. */
const MAGIC = "d3n0l4nd";

interface Metadata {
  readonly entrypoint_key: string;
  readonly permissions: Readonly<Record<string, readonly string[] | null>>;
  readonly v8_flags: readonly string[];
}

/** Builds as the task does, into a folder. */
async function compile(folder: string): Promise<{ file: string; printed: string }> {
  const file = join(folder, "dragoman");
  const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "--allow-all", "src/cli/build/compile.ts", "--no-check", "--output", file],
    cwd: ROOT,
    env: { NO_COLOR: "1", DENORT_BIN: Deno.env.get("DENORT_BIN") ?? Deno.execPath() },
  }).output();
  const printed = new TextDecoder().decode(stdout) + new TextDecoder().decode(stderr);
  assert.equal(code, 0, printed);
  return { file, printed };
}

/** The metadata of a compiled file: JSON behind the last magic word that is followed by some. */
async function readMetadata(file: string): Promise<Metadata> {
  const bytes = await Deno.readFile(file);
  const magic = new TextEncoder().encode(MAGIC);
  const view = new DataView(bytes.buffer);
  for (let at = bytes.lastIndexOf(magic[0]!); at > 0; at = bytes.lastIndexOf(magic[0]!, at - 1)) {
    if (!magic.every((byte, index) => bytes[at + index] === byte)) continue;
    const start = at + magic.length + 8;
    const length = Number(view.getBigUint64(at + magic.length, true));
    if (length > 1_000_000 || bytes[start] !== "{".charCodeAt(0)) continue;
    return JSON.parse(new TextDecoder().decode(bytes.subarray(start, start + length)));
  }
  throw new Error("The file holds no metadata");
}

Deno.test({
  name: "compile embeds rules, clients and plugins, and bakes in the permissions of the task",
  ignore: Deno.build.os !== "linux",
  async fn() {
    const folder = await temporaryFolder();
    const { file, printed } = await compile(folder);
    for (const name of ["rules", "plugins", "prom-client", "jinja"]) {
      assert.ok(printed.includes(name), printed);
    }
    const { permissions, entrypoint_key: entry, v8_flags } = await readMetadata(file);
    // Deno puts its own flags first.
    const own = ENGINE_FLAGS.replace("--v8-flags=", "").split(",");
    assert.deepEqual(v8_flags.slice(-own.length), own);
    const granted = Object.entries(permissions).filter(([name, value]) =>
      name.startsWith("allow_") && value !== null
    ).map(([name]) => name.slice("allow_".length)).filter((name) => name !== "all").sort();
    // Deno grants imports from its usual hosts by itself.
    assert.deepEqual(granted, ["env", "import", "net", "read", "write"]);
    assert.match(entry, /main\.ts$/);
    if (Deno.env.get("DENORT_BIN") === undefined) return;
    const { stdout } = await new Deno.Command(file, { args: ["--version"] }).output();
    assert.match(new TextDecoder().decode(stdout), /^dragoman .*\(one binary, /);
  },
});
