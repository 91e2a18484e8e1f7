/**
 * The steps of the Containerfile, without a container: its files, its command that fetches packages, and its entry point.
 *
 * @module
 */
import assert from "node:assert/strict";
import { dirname, join } from "node:path";
import { copyForBundle } from "../../../src/cli/build/copy.ts";
import { ENGINE_FLAGS } from "../../../src/cli/engine_flags.ts";
import { IS_THOROUGH } from "../../support/fuzz.ts";
import { freePort } from "../../support/server_process.ts";
import { temporaryFolder } from "../../support/temporary_folder.ts";

const ROOT = join(import.meta.dirname!, "../../..");

/** The instructions of the file: name and the rest. */
const INSTRUCTIONS = (await Deno.readTextFile(join(ROOT, "src/cli/build/Containerfile"))).split("\n")
  .filter((line) => line !== "" && !line.startsWith("#"))
  .map((line) => [line.slice(0, line.indexOf(" ")), line.slice(line.indexOf(" ") + 1)] as const);

function all(name: string): string[] {
  return INSTRUCTIONS.flatMap(([instruction, rest]) => instruction === name ? [rest] : []);
}

Deno.test("the image has the Deno of CI, a user, and no right to write", async () => {
  const version = /deno@([\d.]+)/.exec(await Deno.readTextFile(join(ROOT, ".ci/run")))?.[1];
  assert.deepEqual(all("FROM"), [`docker.io/denoland/deno:${version}`]);
  assert.deepEqual(all("USER"), ["deno"]);
  const entry: string[] = JSON.parse(all("ENTRYPOINT")[0]!);
  assert.ok(entry.includes(ENGINE_FLAGS));
  assert.deepEqual(
    entry.filter((word) => word.startsWith("--allow")),
    ["--allow-net", "--allow-read", "--allow-env"],
  );
});

Deno.test({
  name: "the entry point of the image starts offline with what its steps copy and fetch",
  ignore: !IS_THOROUGH || Deno.build.os === "windows",
  async fn() {
    const root = await temporaryFolder();
    const env = {
      DENO_DIR: join(root, "deno"),
      HOME: root,
      PATH: `${dirname(Deno.execPath())}:${Deno.env.get("PATH")}`,
      DRAGOMAN_KEY: "a-key-of-at-least-32-characters-mine",
      DRAGOMAN_PORT: String(freePort()),
    };
    const [program, data] = [join(root, "dragoman"), join(root, "data")];
    await Deno.mkdir(data);
    for (const names of all("COPY").map((line) => line.split(" ").slice(0, -1))) {
      for (const name of names) await copyForBundle(join(ROOT, name), join(program, name));
    }
    const [fetchPackages, writeConfig] = all("RUN");
    for (const [step, cwd] of [[fetchPackages!, program], [writeConfig!, data]] as const) {
      const { success, stderr } = await new Deno.Command("sh", { args: ["-c", step], cwd, env }).output();
      assert.ok(success, `${step}: ${new TextDecoder().decode(stderr)}`);
    }
    const words: string[] = [...JSON.parse(all("ENTRYPOINT")[0]!), ...JSON.parse(all("CMD")[0]!)];
    const args = words.slice(1).map((word) => word.replace(/^\/dragoman\//, `${program}/`));
    const child = new Deno.Command(Deno.execPath(), {
      args,
      cwd: data,
      env,
      stdout: "piped",
      stderr: "piped",
    })
      .spawn();
    const stderr = new Response(child.stderr).text();
    const reader = child.stdout.pipeThrough(new TextDecoderStream()).getReader();
    let printed = "";
    while (!printed.includes("/v1\n")) {
      const { value } = await reader.read();
      if (value === undefined) assert.fail(printed + await stderr);
      printed += value;
    }
    const ask = (path: string, key: string) =>
      fetch(`http://127.0.0.1:${env.DRAGOMAN_PORT}${path}`, {
        headers: { authorization: `Bearer ${key}` },
      });
    assert.equal(await (await ask("/health", "")).text(), '{"status":"ok"}');
    assert.match(await (await ask("/metrics", env.DRAGOMAN_KEY)).text(), /^dragoman_streams_open/m);
    assert.match(await (await ask("/metrics", "another")).text(), /The key is missing or wrong/);
    const [healthCheck = "", ...check]: string[] = JSON.parse(all("HEALTHCHECK")[0]!.replace(/^CMD /, ""));
    assert.equal((await new Deno.Command(healthCheck, { args: check, cwd: data, env }).output()).code, 0);
    child.kill("SIGTERM");
    while ((await reader.read()).value !== undefined);
    assert.equal((await child.status).code, 0, await stderr);
  },
});
