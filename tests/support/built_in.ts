/**
 * A serving with the rules and clients that ship, as a person gets it.
 *
 * @module
 */
import { loadClients } from "../../src/client/load.ts";
import type { Config } from "../../src/config/schema.ts";
import { createServing, type Serving } from "../../src/http/serving.ts";
import type { LoadedPlugin } from "../../src/plugin/hooks.ts";
import { loadRules } from "../../src/rule/load.ts";

const workingDirectory = Deno.cwd();

/** Makes the serving, with plugins if there are any; a mistake in what ships is an error. */
export async function builtInServing(
  config: Config,
  plugins: readonly LoadedPlugin[] = [],
): Promise<Serving> {
  const { enable, disable, confidence } = config.rules;
  const settings = { enable, disable, confidence, minimumConfidence: config.policy.minimum_confidence };
  const loaded = await loadRules({ folders: [], settings, workingDirectory });
  const { clients, diagnostics } = await loadClients({ folders: [], workingDirectory });
  const errors = [...loaded.diagnostics, ...diagnostics].filter(({ severity }) => severity === "error");
  if (errors.length > 0) throw new Error(errors.map(({ message }) => message).join("\n"));
  const { rules, program } = loaded;
  return createServing({ config, keys: new Map(), rules, program, clients, plugins });
}
