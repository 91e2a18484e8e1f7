/**
 * What a server opens its port with, before it loads the rest: the configuration, and whether it works only with what
 * ships: rules and clients that Dragoman's own tests have checked, recognized by the hashes of their texts. Nothing can be
 * wrong with those, so `/health` needs not wait for them.
 *
 * @module
 */
import { BUILT_IN_CLIENTS } from "../../chat/client/folder.ts";
import { loadConfig, type LoadConfigFlags, type LoadedConfig } from "../../proxy/config/load.ts";
import { type Folder, readYamlFolders } from "../../engine/document/load.ts";
import { SHIPPED_RULES } from "../../engine/rule/folder.ts";
import type { World } from "./world.ts";

/** What is known when the port opens. */
export interface Start {
  /** The configuration. */
  readonly loaded: LoadedConfig;
  /**
   * Whether it names nothing else that has to be checked: no plugin, no audit log, no setting for single rules, and no
   * folder with a rule or a client of the user's own.
   */
  readonly isShipped: boolean;
}

/** The start of a server; undefined if the configuration has an error. */
export async function loadStart(flags: LoadConfigFlags, world: World): Promise<Start | undefined> {
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
  const isOwn = chosen || hasTemplate || named.length > 0 || auditPath !== undefined;
  if (diagnostics.some(({ severity }) => severity === "error")) return undefined;
  if (isOwn) return { loaded, isShipped: false };
  const areShipped = await Promise.all([
    hasOnlyShipped([SHIPPED_RULES, ...ruleFolders], world),
    hasOnlyShipped([{ path: BUILT_IN_CLIENTS, isRequired: true, isPrepared: true }, ...clientFolders], world),
  ]);
  return { loaded, isShipped: areShipped.every(Boolean) };
}

async function hasOnlyShipped(folders: readonly Folder[], world: World): Promise<boolean> {
  const read = await readYamlFolders(folders, world);
  return read.diagnostics.length === 0 && read.folders.flat().every(({ known }) => known !== undefined);
}
