/**
 * `rules new NAME`: a rule file to begin with, which passes `check`. It never overwrites a file.
 *
 * @module
 */
import { join } from "node:path";
import { ownRuleFolder } from "../proxy/config/load.ts";
import { shownPath } from "../engine/document/load.ts";
import { newRuleText } from "../engine/rule/new_rule.ts";
import type { Setup } from "./service/setup.ts";
import { FORM } from "./service/form.ts";
import type { World } from "./service/world.ts";
import { complainOfUsage } from "./complain.ts";
import { schemaLine } from "./service/schema_line.ts";

/** Writes the file of a new rule into the folder of the user's own rules. */
export async function newRule(
  setup: Setup,
  { name, world }: { readonly name: string; readonly world: World },
): Promise<number> {
  if (!/^[a-z][a-z0-9_]*$/.test(name)) {
    const help = "use lower-case letters, digits and _, with a letter first";
    return complainOfUsage({ message: `\`${name}\` cannot be the name of a rule`, help }, world);
  }
  if (setup.rules.rules.some(({ rule }) => rule === name)) {
    const help = `\`dragoman rules show ${name}\` shows it; choose another name`;
    return complainOfUsage({ message: `A rule with the name \`${name}\` already exists`, help }, world);
  }
  const folder = ownRuleFolder(setup.config);
  const line = await schemaLine({ folder, name: "rule.schema.json", form: FORM });
  const file = join(folder, `${name}.yaml`);
  const shown = shownPath(file, world);
  try {
    await Deno.mkdir(folder, { recursive: true });
    await Deno.writeTextFile(file, line + newRuleText(name), { createNew: true });
  } catch (error) {
    if (!(error instanceof Deno.errors.AlreadyExists)) throw error;
    return complainOfUsage({ message: `${shown} already exists`, help: "choose another name" }, world);
  }
  world.stdout(
    `Wrote ${shown}. Next: change its pattern and its examples, and run \`${world.command} check --watch ${shown}\`\n`,
  );
  return 0;
}
