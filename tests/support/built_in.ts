/**
 * A service with the rules and clients that ship, as a person gets it.
 *
 * @module
 */
import { loadClients } from "../../src/chat/client/load.ts";
import { ruleSettings } from "../../src/cli/service/setup.ts";
import type { LoadedConfig } from "../../src/proxy/config/load.ts";
import type { Config } from "../../src/proxy/config/schema.ts";
import { createService, type Service } from "../../src/proxy/exchange/service.ts";
import type { LoadedPlugin } from "../../src/proxy/plugin/hooks.ts";
import { loadRules } from "../../src/engine/rule/load.ts";
import type { RuleSettings } from "../../src/engine/rule/read.ts";

const workingDirectory = Deno.cwd();

/** Settings → what they load: loading the rules costs most of a short test. */
const loadings = new Map<string, ReturnType<typeof load>>();

interface LoadOptions {
  /** Whether the rules' examples are needed. */
  readonly withExamples?: boolean;
}

async function load(settings: RuleSettings, options: LoadOptions = {}) {
  const [rules, clients] = await Promise.all([
    loadRules({ folders: [], settings, workingDirectory, ...options }),
    loadClients({ folders: [], workingDirectory }),
  ]);
  const errors = [...rules.diagnostics, ...clients.diagnostics].filter(({ severity }) =>
    severity === "error"
  );
  if (errors.length > 0) throw new Error(errors.map(({ message }) => message).join("\n"));
  return { rules: rules.rules, program: rules.program, clients: clients.clients };
}

/** The rules and clients that ship; throws if any of them has an error. */
export function shippedParts(settings: RuleSettings, options: LoadOptions = {}): ReturnType<typeof load> {
  const key = JSON.stringify([settings, options]);
  const loading = loadings.get(key) ?? load(settings, options);
  loadings.set(key, loading);
  return loading;
}

/** Makes the service, with plugins if there are any; throws if anything that ships has an error. */
export async function builtInService(
  config: Config,
  plugins: readonly LoadedPlugin[] = [],
): Promise<Service> {
  const settings = ruleSettings({ config, locateKey: () => undefined } as unknown as LoadedConfig);
  return createService({ config, keys: new Map(), ...await shippedParts(settings), plugins });
}
