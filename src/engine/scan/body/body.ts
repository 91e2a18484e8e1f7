/**
 * The body kinds: the only code that is specific to a dialect's notation. A new kind is a file here and a line in the
 * table.
 *
 * @module
 */
import type { BodyReader } from "../body_reader.ts";
import type { Calls } from "../calls.ts";
import type { CompiledRule } from "../compiled_rule.ts";
import type { Program } from "../program.ts";
import { RuleAutomata } from "../rule_automata.ts";
import { CallListBody } from "./call_list.ts";
import { EnvelopeBody } from "./envelope.ts";
import { JsonBody } from "./json.ts";
import { NoArgumentsBody } from "./no_arguments.ts";
import { TaggedBody } from "./tagged.ts";
import { TextBody, writeText } from "./text.ts";
import { writeYaml } from "./yaml.ts";

export function createBody(
  calls: Calls,
  options: { rule: CompiledRule; program: Pick<Program, "automata" | "isAllowedCommand"> },
): BodyReader {
  const { rule, program: { isAllowedCommand } } = options;
  const automata = new RuleAutomata(options.program.automata, rule, calls.groups);
  switch (rule.body.kind) {
    case "text":
      return new TextBody(automata, (text) => writeText(calls, { rule, text, isAllowedCommand }));
    case "yaml":
      return new TextBody(automata, (text) => writeYaml(calls, text));
    case "none":
      return new NoArgumentsBody(calls, automata);
    case "call_list":
      return new CallListBody(calls, automata);
    case "json":
      return new JsonBody(calls, automata, rule.body);
    case "envelope":
      return new EnvelopeBody(calls, automata, rule.body);
    case "tagged":
      return new TaggedBody(calls, automata, rule.body);
    default:
      throw new Error(`A ${rule.body.kind} body contains no call`);
  }
}
