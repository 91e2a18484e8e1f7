import assert from "node:assert/strict";
import project from "../../../deno.json" with { type: "json" };
import { BUNDLE_FILE, COMMAND_FILE, COPIED, packageJson } from "../../../src/cli/build/manifest.ts";

const ROOT = new URL("../../../", import.meta.url);

Deno.test("packageJson names the command, the pinned Deno and only files that exist", async () => {
  const { name, version, license, bin, dependencies, files, ...rest } = packageJson(project, "2.9.6");
  assert.deepEqual({ name, version, license }, {
    name: "dragoman",
    version: project.version,
    license: project.license,
  });
  assert.deepEqual(bin, { dragoman: COMMAND_FILE });
  assert.deepEqual(dependencies, { deno: "2.9.6" });
  assert.equal("scripts" in rest, false);
  for (const file of files) {
    if (file !== BUNDLE_FILE) await Deno.stat(new URL(COPIED[file] ?? "", ROOT));
  }
});

Deno.test("the bundle finds the package's rules three folders up", () => {
  assert.equal(new URL("../../../rules", `file:///package/${BUNDLE_FILE}`).pathname, "/package/rules");
});

Deno.test("the package's command is valid for Node", async (t) => {
  const file = new URL(COPIED[COMMAND_FILE]!, ROOT);
  const node = new Deno.Command("node", {
    args: ["--check", file.pathname],
    stdout: "null",
    stderr: "piped",
  });
  const { success, stderr } = await node.output().catch(() => ({ success: undefined, stderr: undefined }));
  if (success === undefined) return console.log(`SKIPPED ${t.name}: no node`);
  assert.ok(success, new TextDecoder().decode(stderr));
});
