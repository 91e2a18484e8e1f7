import assert from "node:assert/strict";
import { permissionHelp } from "../../src/cli/permission_help.ts";

const ROOT = new URL("../../", import.meta.url).pathname;

Deno.test("permissionHelp leaves other errors alone", () => {
  assert.equal(permissionHelp(new TypeError("x is not a function")), undefined);
});

for (const flags of [[], ["--allow-env"], ["--allow-read"]]) {
  Deno.test(`without permissions the program prints the flags to give: deno run ${flags.join(" ")} main.ts`, async () => {
    const { code, stderr } = await new Deno.Command(Deno.execPath(), {
      args: ["run", "--no-prompt", "--no-check", ...flags, "main.ts", "check"],
      cwd: ROOT,
      env: { NO_COLOR: "1" },
      stdin: "null",
    }).output();
    const printed = new TextDecoder().decode(stderr);
    assert.equal(code, 1);
    assert.match(printed, /^error: Deno does not allow what Dragoman needs: Requires (?:env|read) access/);
    assert.match(printed, /deno run --allow-net --allow-read --allow-env .* main\.ts/);
    assert.doesNotMatch(printed, /\n +at /);
  });
}
