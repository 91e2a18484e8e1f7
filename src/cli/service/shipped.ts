/**
 * Whether a server works only with what ships: rules and clients that Dragoman's own tests have checked, recognized by
 * the hashes of their texts. Nothing can be wrong with them, so the port can open before they are loaded.
 *
 * @module
 */
import { BUILT_IN_CLIENTS } from "../../chat/client/folder.ts";
import { loadConfig, type LoadConfigFlags, type LoadedConfig } from "../../proxy/config/load.ts";
import { type Folder, isYaml, readYamlFolder } from "../../engine/document/load.ts";
import { SHIPPED_RULES } from "../../engine/rule/folder.ts";
import type { World } from "./world.ts";

/**
 * The configuration, if it has no error and names nothing else that has to be checked: no plugin, no audit log, no
 * setting for single rules, and no folder with a rule or a client of the user's own.
 */
export async function loadShipped(flags: LoadConfigFlags, world: World): Promise<LoadedConfig | undefined> {
  const { workingDirectory } = world;
  const readEnvironment = (name: string) => world.readEnvironment(name);
  const loaded = await loadConfig({ flags, readEnvironment, workingDirectory });
  const { config, ruleFolders, clientFolders, auditPath, diagnostics } = loaded;
  const { enable, disable, confidence } = config.rules;
  const chosen = [...config.upstreams, ...Object.values(config.models)].some(({ rules, dialect }) =>
    rules !== undefined || dialect !== undefined
  );
  const named = [...enable, ...disable, ...Object.keys(confidence), ...config.plugins];
  const hasTemplate = config.upstreams.some(({ chat_template: file }) => file !== undefined);
  const isOwn = chosen || hasTemplate || named.length > 0 || auditPath !== undefined ||
    diagnostics.some(({ severity }) => severity === "error") ||
    [...ruleFolders, ...clientFolders].some(hasFiles);
  if (isOwn) return undefined;
  const clients: Folder = { path: BUILT_IN_CLIENTS, isRequired: true, isPrepared: true };
  const areShipped = await Promise.all([SHIPPED_RULES, clients].map((folder) => isShipped(folder, world)));
  return areShipped.every(Boolean) ? loaded : undefined;
}

/** Whether there is something to read in a folder of the user's own, or something wrong with it. */
function hasFiles({ path, isRequired }: Folder): boolean {
  try {
    return Deno.readDirSync(path).some(({ name }) => isYaml(name));
  } catch (error) {
    return isRequired || !(error instanceof Deno.errors.NotFound);
  }
}

async function isShipped(folder: Folder, world: World): Promise<boolean> {
  const { files, diagnostics } = await readYamlFolder(folder, world);
  return diagnostics.length === 0 && files.every(({ known }) => known !== undefined);
}
