/**
 * Lets a chat template write calls that are known, and cuts them out of what it writes.
 *
 * @module
 */
import { atBoundaryEnd, commonPrefix, commonSuffix } from "./delimiters.ts";
import { markSample } from "./locate_calls.ts";
import type { Sample, SampleCall } from "./sample.ts";
import type { ChatTemplate, Message } from "./template.ts";
import { typeName } from "./type_name.ts";
import { openReasoning } from "../../chat/message/open_reasoning.ts";
import { present } from "../../engine/object/present.ts";
import { objectsIn } from "./json_object.ts";

/** How a conversation has to look so that a template writes its calls. */
interface Form {
  readonly argumentsAs: "object" | "text";
  readonly content: "" | null | undefined;
  readonly id: (call: number, tool: string) => string;
  readonly hasTools: boolean;
}

/** What an upstream that uses the template does besides. */
export interface TemplateFacts {
  /** Whether the prompt ends inside the model's reasoning. */
  readonly beginsInReasoning: boolean;
  /** Texts after an answer: tokens that end a turn, and leak where a server does not stop at them. */
  readonly turnEnd: string;
}

const USER: Message = { role: "user", content: "Hello." };
/** Begins like no mark and no word. */
const PLAIN = "Zq7 plain answer";

/** Reasoning that is empty or has ended, with its tags. */
const REASONING = /^(?:[<[][/|]*(?:[\w:]*_)?(?:think|thinking|thought|reasoning)[|]?[>\]]\s*)+/i;

const IDS: readonly Form["id"][] = [
  (call) => `${"abcdefghijk"[call] ?? "z"}bXd9fGh1`,
  (call, tool) => `functions.${tool}:${call}`,
];

/** Runs a template on conversations with calls. */
export class TemplateProbe {
  readonly #template: ChatTemplate;
  readonly #form: Form;
  /** What the template's instructions show around a call, if it writes calls without marks. */
  #announced: Announced | undefined;
  /** Whether the template writes each answer's calls twice. */
  #isDoubled = false;

  private constructor(template: ChatTemplate, form: Form) {
    this.#template = template;
    this.#form = form;
  }

  /** A probe in the form that the template writes calls of; undefined where it writes none. */
  static open(template: ChatTemplate): TemplateProbe | undefined {
    const call = { tool: "lookup_probe", arguments: { subject: "Kx4 value" } };
    for (const form of forms()) {
      const probe = new TemplateProbe(template, form);
      const sample = probe.sample([call]);
      const text = sample?.text;
      if (text?.includes("lookup_probe") && text.includes("subject") && text.includes("Kx4 value")) {
        probe.#isDoubled = markSample({ ...sample!, calls: [call, call] }) !== undefined;
        probe.#announced = announcedMarks(text, probe.#prompt(toolsOf([call])));
        return probe;
      }
    }
    return undefined;
  }

  /** The text that the model prints for these calls; undefined where the template cannot write them. */
  sample(calls: readonly SampleCall[]): Sample | undefined {
    const { argumentsAs, content, id, hasTools } = this.#form;
    const ids = calls.map(({ tool }, index) => id(index, tool));
    const message: Message = {
      role: "assistant",
      ...present({ content }),
      tool_calls: calls.map(({ tool, arguments: given }, index) => ({
        id: ids[index],
        type: "function",
        function: { name: tool, arguments: argumentsAs === "object" ? given : JSON.stringify(given) },
      })),
    };
    const tools = hasTools ? toolsOf(calls) : undefined;
    const called = this.#render([USER, message], tools, false);
    if (called === undefined) return undefined;
    const { prefix, suffix } = this.#around(called, tools);
    const text = called.slice(prefix.length, called.length - suffix.length).trim().replace(REASONING, "");
    const { head, tail } = this.#announced ?? { head: "", tail: "" };
    return {
      text: `${head}${text}${tail}`,
      calls: this.#isDoubled ? [...calls, ...calls] : calls,
      ids: ids.filter((one) => text.includes(one)),
    };
  }

  /** The template's special tokens that no conversation without calls shows: they can begin a call. */
  spareTokens(): string[] {
    const shown = [undefined, toolsOf([{ tool: "lookup_probe", arguments: { subject: "x" } }])].map((tools) =>
      this.#render([USER, { role: "assistant", content: PLAIN }, USER], tools, true) ?? ""
    ).join("");
    const tokens = this.#template.text.match(/<\|\w+\|>/g) ?? [];
    return [...new Set(tokens)].filter((token) => !shown.includes(token));
  }

  /** What the model reads before it answers. */
  #prompt(tools: readonly unknown[]): string {
    return this.#render([USER], tools, true) ?? "";
  }

  /** What else the template shows. */
  facts(): TemplateFacts {
    const prompt = this.#render([USER], undefined, true) ?? "";
    const plain = this.#render([USER, { role: "assistant", content: PLAIN }], undefined, false) ?? "";
    const at = plain.lastIndexOf(PLAIN);
    return {
      beginsInReasoning: openReasoning(prompt) !== undefined,
      turnEnd: at < 0 ? "" : plain.slice(at + PLAIN.length).trim(),
    };
  }

  #render(messages: readonly Message[], tools: readonly unknown[] | undefined, asksForAnswer: boolean) {
    return this.#template.render({ messages, tools, asksForAnswer });
  }

  /** What is before and after the answer: the prompt, and what ends a turn. */
  #around(called: string, tools: readonly unknown[] | undefined): { prefix: string; suffix: string } {
    const prompt = this.#render([USER], tools, true) ?? "";
    const plain = this.#render([USER, { role: "assistant", content: PLAIN }], tools, false) ?? "";
    const at = plain.lastIndexOf(PLAIN);
    const beforePlain = at < 0 ? "" : plain.slice(0, at);
    const afterPlain = at < 0 ? "" : plain.slice(at + PLAIN.length);
    const shared = [prompt, beforePlain].map((text) => commonPrefix([called, text]))
      .sort((a, b) => b.length - a.length)[0] ?? "";
    const prefix = shared.slice(0, shared.length - (shared.length - atBoundaryEndOf(called, shared.length)));
    const rest = called.slice(prefix.length);
    const end = commonSuffix([rest, afterPlain]);
    // A mark that is cut in half belongs to the call.
    const start = end.search(/<|\[/);
    const isCut = end !== "" && start !== 0 && /[^\s>\]]/.test(end.slice(0, Math.max(start, 0)) || end[0]!);
    const suffix = isCut ? (start < 0 ? "" : end.slice(start)) : end;
    return { prefix, suffix };
  }
}

/** The end of a prefix of a text, moved before a tag that it would cut in half. */
function atBoundaryEndOf(text: string, length: number): number {
  const prefix = text.slice(0, length);
  const tail = prefix.slice(Math.max(0, length - 64));
  return length - (tail.length - atBoundaryEnd(tail).length);
}

function* forms(): Generator<Form> {
  for (const hasTools of [true, false]) {
    for (const argumentsAs of ["object", "text"] as const) {
      for (const content of ["", null, undefined] as const) {
        for (const id of IDS) yield { argumentsAs, content, id, hasTools };
      }
    }
  }
}

/** Every tool of the calls, with the parameters that they give it. */
function toolsOf(calls: readonly SampleCall[]): unknown[] {
  const byName = new Map<string, Record<string, unknown>>();
  for (const { tool, arguments: given } of calls) byName.set(tool, { ...byName.get(tool), ...given });
  return [...byName].map(([name, given]) => ({
    type: "function",
    function: {
      name,
      description: "A tool.",
      parameters: {
        type: "object",
        properties: Object.fromEntries(
          Object.entries(given).map((
            [key, value],
          ) => [key, { type: typeName(value), description: "A value." }]),
        ),
        required: Object.keys(given),
      },
    },
  }));
}

/** What is before and after the calls of an answer. */
interface Announced {
  readonly head: string;
  readonly tail: string;
}

/**
 * The marks that touch the same JSON in the prompt, although the template writes calls without them.
 *
 *     … formatted as functools[{"name": [function name], "arguments": [function arguments]}, ...]
 *                    ^^^^^^^^^^ head                                                           ^ tail
 *
 * @param text a call as the template writes it
 * @param prompt the instructions
 */
export function announcedMarks(text: string, prompt: string): Announced | undefined {
  const [object] = objectsIn(text);
  if (object === undefined || text.trim() !== text.slice(object.start, object.end)) return undefined;
  const [key] = Object.keys(object.value);
  for (const { 0: found, index } of prompt.matchAll(/(\w+|<[^<>\s]+>)(\[?)\{\s*"(\w+)"/g)) {
    const [, word, bracket, first] = /^(.*?)(\[?)\{\s*"(\w+)"$/s.exec(found)!;
    if (first !== key || index === 0) continue;
    const closing = word!.startsWith("<") ? `</${word!.slice(1)}` : "";
    const tail = prompt.includes(closing) ? closing : "";
    return { head: `${word}${bracket}`, tail: `${bracket === "" ? "" : "]"}${tail}` };
  }
  return undefined;
}
