/**
 * The one binary, as far as it can be looked at where the runtime part of `deno compile` cannot be downloaded: Deno
 * itself stands in for that part, so what is embedded, the permissions and the entry are read from the file. Where a
 * real runtime part is at hand (`DENORT_BIN`), the binary runs as well.
 *
 * @module
 */
import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { join } from "node:path";
import { ENGINE_FLAGS } from "../../src/cli/engine_flags.ts";
import { IS_THOROUGH } from "../support/fuzz.ts";
import { temporaryFolder } from "../support/temporary_folder.ts";

const ROOT = new URL("../../", import.meta.url).pathname;

/** The runtime of compiled programs, or what stands in for it. */
const RUNTIME = Deno.env.get("DENORT_BIN") ?? Deno.execPath();

/** What stands before the metadata in a compiled file, and is followed by its length. */
const MAGIC = "d3n0l4nd";

interface Metadata {
  readonly entrypoint_key: string;
  readonly permissions: Readonly<Record<string, readonly string[] | null>>;
  readonly v8_flags: readonly string[];
}

/** Builds with a command of Deno, into a folder. */
async function compile(
  folder: string,
  command: (file: string) => string[],
): Promise<{ file: string; printed: string }> {
  const file = join(folder, "dragoman");
  const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: command(file),
    cwd: ROOT,
    env: { NO_COLOR: "1", DENORT_BIN: RUNTIME },
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
  name: "`deno task compile` bakes in the permissions and flags of the task",
  ignore: !IS_THOROUGH || Deno.build.os !== "linux",
  async fn() {
    const folder = await temporaryFolder();
    const { file } = await compile(
      folder,
      (file) => ["run", "--allow-all", "src/cli/build/compile.ts", "--no-check", "--output", file],
    );
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
    await runBinary(file);
  },
});

/** Runs the binary, or states that this can't be done here. */
async function runBinary(file: string): Promise<void> {
  if (Deno.env.get("DENORT_BIN") === undefined) {
    return console.log("The binary wasn't run: the runtime of compiled programs isn't at hand (DENORT_BIN)");
  }
  const { stdout } = await new Deno.Command(file, { args: ["--version"] }).output();
  assert.match(new TextDecoder().decode(stdout), /^dragoman .*\(one binary, /);
}

/** What follows the runtime in a compiled file. */
async function embeddedPart(file: string): Promise<Buffer> {
  const { size: start } = await Deno.stat(RUNTIME);
  const { size: end } = await Deno.stat(file);
  using opened = await Deno.open(file);
  await opened.seek(start, Deno.SeekMode.Start);
  const bytes = new Uint8Array(end - start);
  for (let at = 0; at < bytes.length;) at += await opened.read(bytes.subarray(at)) ?? bytes.length;
  return Buffer.from(bytes.buffer);
}

/** What the program reads from its own folders, and modules that load only on demand, with their packages. */
const EMBEDDED = [
  ...["rules/compiled.json", "rules/ready.json", "rules/clients/ready.json", "plugins/strict_validation.ts"],
  ...[
    "src/cli/serve.ts",
    "src/cli/worker.ts",
    "src/admin/metrics/metrics.ts",
    "src/admin/metrics/prometheus/client.js",
    "src/cli/service/valkey.ts",
  ],
  ...["src/admin/page/built/playground/worker.js.br", "src/docs/get_started.md"],
];

const PACKAGES = ["@huggingface/jinja", "iovalkey", "unbash", "@cfworker/json-schema", "yaml"];

Deno.test({
  name:
    "the plain command `deno compile -A main.ts` embeds everything that a dynamic import or a reader needs",
  ignore: !IS_THOROUGH || Deno.build.os !== "linux",
  async fn() {
    const folder = await temporaryFolder();
    const { file, printed } = await compile(
      folder,
      (file) => ["compile", "-A", "--no-check", "--output", file, "main.ts"],
    );
    for (const name of ["rules", "plugins", "src", ...PACKAGES]) assert.ok(printed.includes(name), printed);
    // Deno can't embed it.
    assert.doesNotMatch(printed, /bintrees/);
    const binary = await embeddedPart(file);
    for (const path of EMBEDDED) {
      const text = await Deno.readFile(join(ROOT, path));
      // A few of its bytes stand for a file; the list of files doesn't show all names.
      const [from, to] = [Math.floor(text.length / 2), Math.floor(text.length / 2) + 64];
      assert.ok(binary.includes(text.subarray(from, to)), `${path} isn't embedded`);
    }
    await runBinary(file);
  },
});
