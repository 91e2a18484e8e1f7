/** The plugins that ship, by name. Each is loaded only if the configuration names it; a compiled binary contains them. @module */

/** Name → its module. */
export const BUILT_IN_PLUGINS: Readonly<Record<string, () => Promise<{ readonly default: unknown }>>> = {
  call_policy: () => import("../../../plugins/call_policy.ts"),
  dependency_chain: () => import("../../../plugins/dependency_chain.ts"),
  prompt_format: () => import("../../../plugins/prompt_format.ts"),
  strict_validation: () => import("../../../plugins/strict_validation.ts"),
};
