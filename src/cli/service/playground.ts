/** The setup for the playground's engine: the files of rules and clients in force, and the reading settings. @module */
import type { PlaygroundSetup, Saving } from "../../admin/routes/playground.ts";
import { ownRuleFolder } from "../../proxy/config/load.ts";
import { readYamlFolders, shownPath } from "../../engine/document/load.ts";
import { SHIPPED_RULES } from "../../engine/rule/folder.ts";
import { DISTRIBUTION } from "./distribution.ts";
import { schemaName } from "./schema_line.ts";
import type { Setup } from "./setup.ts";
import type { CliContext } from "./context.ts";

/** Reads the setup; the files are read as they are now, as a reload would read them. */
export async function playgroundSetup(
  { config, clients }: Setup,
  context: CliContext,
): Promise<PlaygroundSetup> {
  const folder = ownRuleFolder(config);
  const files = await readYamlFolders([SHIPPED_RULES, ...config.ruleFolders], context);
  const { policy, tools, rules: settings, models } = config.config;
  return {
    rules: files.folders,
    clients: clients.clients,
    config: { policy, tools, rules: settings, models },
    schema: schemaName({ folder, name: "rule.schema.json", form: DISTRIBUTION }),
    folder: shownPath(folder, context),
    command: context.command,
    saving: await saving(config, context),
  };
}

async function saving(config: Setup["config"], context: CliContext): Promise<Saving> {
  const { whyNotSaved } = await import("./save_rule.ts");
  const refusal = await whyNotSaved(config, context);
  return refusal === undefined ? { isPossible: true } : { isPossible: false, ...refusal };
}
