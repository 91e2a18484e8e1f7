/**
 * The body kinds: the only code that is specific to a dialect's notation. A new kind is a file here and a line in the
 * table.
 *
 * @module
 */
import type { BodyReader, CallSink } from "../call_sink.ts";
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
  sink: CallSink,
  options: { rule: CompiledRule; program: Pick<Program, "automata" | "isAllowedCommand"> },
): BodyReader {
  const { rule, program: { automata, isAllowedCommand } } = options;
  const texts = Object.fromEntries(rule.references.map((name) => [name, sink.groups[name] ?? ""]));
  const all = { rule, automata, texts };
  switch (rule.body.kind) {
    case "text":
      return new TextBody(all, (text) => writeText(sink, { rule, text, isAllowedCommand }));
    case "yaml":
      return new TextBody(all, (text) => writeYaml(sink, text));
    case "none":
      return new NoArgumentsBody(sink, all);
    case "call_list":
      return new CallListBody(sink, all);
    case "json":
      return new JsonBody(sink, { ...all, stringMark: rule.body.stringMark });
    case "envelope":
      return new EnvelopeBody(sink, { ...all, envelope: rule.body });
    case "tagged":
      return new TaggedBody(sink, { ...all, body: rule.body });
    default:
      throw new Error(`A ${rule.body.kind} body holds no call`);
  }
}
