/**
 * Plugins for tests: loaded from a folder on the disk as a person's are, or given as values.
 *
 * @module
 */
import { join } from "node:path";
import { resolveConfig } from "../../src/proxy/config/resolve.ts";
import { readConfigFile } from "../../src/proxy/config/file.ts";
import { createService, type Service } from "../../src/proxy/exchange/service.ts";
import type { HookOptions } from "../../src/proxy/plugin/hooks.ts";
import { offer } from "../../src/engine/tool/offered.ts";
import { type LoadedPlugins, loadPlugins } from "../../src/proxy/plugin/load.ts";
import { memorySessions, type Sessions } from "../../src/proxy/store/session.ts";
import { MemoryStore, type Store } from "../../src/proxy/store/store.ts";
import { shippedParts } from "./built_in.ts";

export interface PluginFiles {
  /** File name → text, next to the configuration. */
  readonly files?: Readonly<Record<string, string>>;
  /** The configuration's text. */
  readonly config: string;
}

/** Loads the plugins of a configuration out of a fresh folder, as the command line does. */
export async function loadFromDisk({ files = {}, config }: PluginFiles): Promise<LoadedPlugins> {
  const folder = await Deno.makeTempDir();
  try {
    for (const [name, text] of Object.entries(files)) await Deno.writeTextFile(join(folder, name), text);
    const resolved = resolveConfig({
      document: readConfigFile({ file: "dragoman.yaml", text: config }),
      flags: {},
      readEnvironment: () => undefined,
    });
    const loaded = await loadPlugins({
      entries: resolved.config.plugins,
      folder,
      workingDirectory: folder,
      locate: resolved.locate,
      locateKey: resolved.locateKey,
    });
    return { ...loaded, diagnostics: [...resolved.diagnostics, ...loaded.diagnostics] };
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

/** A service with the rules and clients that ship and the plugins of a configuration for one upstream. */
export async function pluginService(
  url: string,
  options: PluginFiles & {
    readonly store?: Store;
    readonly sessions?: Sessions;
    readonly timeoutMs?: number;
  },
): Promise<Service> {
  const { plugins, diagnostics } = await loadFromDisk(options);
  const errors = diagnostics.filter(({ severity }) => severity === "error");
  if (errors.length > 0) throw new Error(errors.map(({ message }) => message).join("\n"));
  const text = `upstreams: [{ name: local, url: "${url}" }]\nlisten: { port: 0 }\n` +
    `limits: { plugin_timeout_ms: ${options.timeoutMs ?? 250} }`;
  const { config } = resolveConfig({
    document: readConfigFile({ file: "dragoman.yaml", text }),
    flags: {},
    readEnvironment: () => undefined,
  });
  return createService({
    config,
    keys: new Map(),
    ...await shippedParts({ enable: [], disable: [], confidence: {}, minimumConfidence: 0.9 }),
    plugins,
    sessions: options.sessions ?? memorySessions(options.store ?? new MemoryStore({ now: () => 0 })),
  });
}

/** What hooks run with: plugins, the tools `a`, `b` and `c`, and a store in memory. */
export function hookOptions(
  plugins: HookOptions["plugins"],
  shared: Partial<HookOptions["shared"]> = {},
): HookOptions {
  const store = new MemoryStore({ now: () => 0 });
  return {
    plugins,
    shared: {
      offered: offer(["a", "b", "c"].map((name) => ({ name }))),
      client: "c",
      callsPerMessage: undefined,
      request: {},
      conversation: "k",
      newId: () => "id",
      storeOf: () => store,
      ...shared,
    },
    timeoutMs: 1000,
    now: () => 0,
  };
}
