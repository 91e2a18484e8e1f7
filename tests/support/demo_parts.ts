/**
 * One small rule and one client, as the parts of a service.
 *
 * @module
 */
import { type Client, clientSchema } from "../../src/chat/client/schema.ts";
import type { Config } from "../../src/proxy/config/schema.ts";
import type { ServiceParts } from "../../src/proxy/exchange/service.ts";
import { compileRules } from "../../src/engine/rule/compile.ts";
import { type Rule, ruleSchema } from "../../src/engine/rule/schema.ts";
import { testConfig } from "./proxy.ts";

/** Whoever sends tools. */
export const ANY_CLIENT: Client = clientSchema.parse({
  client: "openai",
  writes: "tool_calls",
  recognize: { has_tools: true },
});

/** `<call t>{}</call>` */
export const DEMO_RULE: Rule = ruleSchema.parse({
  rule: "demo",
  pattern: "<call {tool}>(?<body>…)</call>",
  body: "json",
  confidence: 1,
});

/** The parts; the rule unless others are given. */
export function demoParts(
  { config = testConfig(), rules = [DEMO_RULE] }: {
    readonly config?: Config;
    readonly rules?: readonly Rule[];
  } = {},
): Omit<ServiceParts, "keys"> {
  return { config, rules, program: compileRules(rules).program, clients: [ANY_CLIENT] };
}
