/** The table of verbs. A verb's code is loaded only when it is needed. @module */
import type { Verb } from "./verb.ts";

/** Verb → its code. The specifiers are literals, so that a compiled binary contains every verb. */
export const VERBS: Readonly<Record<string, () => Promise<Verb>>> = {
  serve: async () => (await import("./serve.ts")).serve,
  init: async () => (await import("./init.ts")).init,
  demo: async () => (await import("./demo.ts")).demo,
  check: async () => (await import("./check.ts")).check,
  rules: async () => (await import("./rules.ts")).rules,
  plugins: async () => (await import("./plugins.ts")).plugins,
  transform: async () => (await import("./transform.ts")).transform,
  trace: async () => (await import("./trace.ts")).trace,
  derive: async () => (await import("./derive.ts")).derive,
  explain: async () => (await import("./explain.ts")).explain,
  report: async () => (await import("./report.ts")).report,
  replay: async () => (await import("./replay.ts")).replay,
  evaluate: async () => (await import("./evaluate.ts")).evaluate,
  service: async () => (await import("./service_verb.ts")).service,
  completion: async () => (await import("./completion.ts")).completionOf(loadVerbs),
  conformance: async () => (await import("./conformance.ts")).conformance,
};

export function loadVerbs(): Promise<Verb[]> {
  return Promise.all(Object.values(VERBS).map((load) => load()));
}
