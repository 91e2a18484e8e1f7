/**
 * The commands of CONTRIBUTING.md lead to a rule that is ready to merge.
 *
 * @module
 */
import assert from "node:assert/strict";
import { join } from "node:path";
import { IS_THOROUGH } from "../support/fuzz.ts";
import { copyProject } from "../support/project_copy.ts";

const PAGE = new URL("../../CONTRIBUTING.md", import.meta.url);

Deno.test({
  name: "a contributor's first rule passes every step of CONTRIBUTING.md",
  ignore: !IS_THOROUGH,
  fn: followGuide,
});

async function followGuide(): Promise<void> {
  const [, steps = ""] = (await Deno.readTextFile(PAGE)).split("\n## Your first rule\n");
  const blocks = [...steps.split("\n## ")[0]!.matchAll(/^ {3}```(sh|yaml)\n([^]*?)^ {3}```$/gm)]
    .map(([, kind, text = ""]) => ({ kind, text: text.replace(/^ {3}/gm, "") }));
  assert.deepEqual(blocks.map(({ kind }) => kind), ["sh", "yaml", "sh", "sh"]);
  await using copy = await copyProject();
  for (const { kind, text } of blocks) {
    if (kind === "yaml") {
      await Deno.writeTextFile(join(copy.folder, "my_rules/star_calls.yaml"), text);
      continue;
    }
    for (const command of text.trim().split("\n")) {
      const { code, printed } = await copy.run(command);
      assert.equal(code, 0, `${command}\n${printed}`);
      if (command.endsWith("my_rules/star_calls.yaml")) assert.match(printed, /6 examples: 0 errors, 0 warn/);
    }
  }
  const { printed } = await copy.run("git status --short");
  assert.match(printed, /^\?\? rules\/star_calls\.yaml$/m);
  assert.match(printed, /^ M rules\/shipped_rules\.md$/m);
}
