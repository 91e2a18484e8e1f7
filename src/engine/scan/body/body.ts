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
import { CallListBody } from "./call_list.ts";
import { EnvelopeBody } from "./envelope.ts";
import { JsonBody } from "./json.ts";
import { NoArgumentsBody } from "./no_arguments.ts";
import { TaggedBody } from "./tagged.ts";
import { TextBody, writeText } from "./text.ts";
import { writeYaml } from "./yaml.ts";

/** The reader of a rule's body. */
export function createBody(
  calls: Calls,
  options: { rule: CompiledRule; program: Pick<Program, "automata" | "isAllowedCommand"> },
): BodyReader {
  const { rule, program: { automata, isAllowedCommand } } = options;
  const texts = Object.fromEntries(rule.references.map((name) => [name, calls.groups[name] ?? ""]));
  const all = { rule, automata, texts };
  switch (rule.body.kind) {
    case "text":
      return new TextBody(all, (text) => writeText(calls, { rule, text, isAllowedCommand }));
    case "yaml":
      return new TextBody(all, (text) => writeYaml(calls, text));
    case "none":
      return new NoArgumentsBody(calls, all);
    case "call_list":
      return new CallListBody(calls, all);
    case "json":
      return new JsonBody(calls, { ...all, stringMark: rule.body.stringMark });
    case "envelope":
      return new EnvelopeBody(calls, { ...all, envelope: rule.body });
    case "tagged":
      return new TaggedBody(calls, { ...all, body: rule.body });
    default:
      throw new Error(`A ${rule.body.kind} body holds no call`);
  }
}
