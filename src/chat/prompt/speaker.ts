/**
 * Speaks one dialect: announces tools, writes calls and their results. What a call becomes is read again with the rules
 * that read answers, so a model is never shown a call that Dragoman itself would read differently.
 *
 *     calls ─▶ the dialect ─▶ read again ─▶ equal: the text
 *                                  │ different
 *                                  ▼
 *              `otherwise`, for the calls that the dialect can't carry ─▶ the text, or a refusal with a name
 *
 * @module
 */
import { isJsonEqual } from "../../engine/json/equal.ts";
import { parseJson } from "../../engine/object/parse.ts";
import { isRecord } from "../../engine/object/record.ts";
import { readAnswer } from "../../engine/rule/outcome.ts";
import { fill } from "../../engine/rule/placeholder.ts";
import type { Rule } from "../../engine/rule/schema.ts";
import type { Speak } from "../../engine/rule/speak_schema.ts";
import type { Notation, Speech } from "../../engine/rule/speech.ts";
import type { Program } from "../../engine/scan/program.ts";
import { exampleArguments } from "../../engine/tool/example.ts";
import { offer, type OfferedTool } from "../../engine/tool/offered.ts";
import { UNREADABLE_KEY } from "../message/history.ts";
import type { SpokenCall, SpokenResult, Unspeakable, WrittenCalls } from "./spoken.ts";
import { type Arguments, itemForms, writeArguments, writeItems, writeName } from "./value.ts";

export type SpokenRule = Rule & Speech;

export interface SpeakerOptions {
  /** The rules that read the model's answers. */
  readonly program: Program;
  /** The threshold below which they make no call. */
  readonly minimumConfidence: number;
  /** Writes the calls that the dialect can't carry. */
  readonly otherwise?: Speaker | undefined;
}

export function speaks(rule: Rule): rule is SpokenRule {
  return rule.speak !== undefined;
}

interface FormedCall {
  readonly call: SpokenCall;
  readonly form: number;
}

export class Speaker {
  readonly speak: Speak;
  readonly rule: string;
  readonly notation: Notation;
  readonly #options: SpeakerOptions;
  readonly #written = new WrittenTexts();
  readonly #frame: (content: string) => string;

  constructor(rule: Speech, options: SpeakerOptions) {
    this.rule = rule.rule;
    this.speak = rule.speak;
    this.#frame = framing(rule.speak);
    this.notation = rule;
    this.#options = options;
  }

  writeCalls(calls: readonly SpokenCall[], tools: readonly OfferedTool[]): WrittenCalls {
    return this.#written.find(calls, { tools, write: () => this.#writeNew(calls, tools) });
  }

  #writeNew(calls: readonly SpokenCall[], tools: readonly OfferedTool[]): WrittenCalls {
    const plain = this.#write(calls.map((call) => ({ call, form: 0 })));
    if (this.#isRead(plain, { calls, tools })) return { text: plain, isOtherwise: false };
    const formed = calls.map((call) => ({ call, form: this.#formOf(call, tools) }));
    const parts: string[] = [];
    for (const run of runsOf(formed, ({ form }) => form === undefined)) {
      const own = run.flatMap(({ call, form }) => form === undefined ? [] : [{ call, form }]);
      const others = run.flatMap(({ call, form }) => form === undefined ? [call] : []);
      const rest = others.length === 0 ? undefined : this.#options.otherwise?.writeCalls(others, tools);
      if (rest !== undefined && "tool" in rest) return rest;
      if (others.length > 0 && rest === undefined) return this.#unspeakable(others[0]!, tools);
      parts.push(rest?.text ?? this.#write(own));
    }
    const text = parts.join(this.speak.between_calls || "\n");
    return this.#isRead(text, { calls, tools })
      ? { text, isOtherwise: formed.some(({ form }) => form === undefined) }
      : this.#unspeakable(calls[0]!, tools);
  }

  /** One right call of a tool, as an example; undefined if the dialect can't carry it. */
  example(tool: OfferedTool): string | undefined {
    const call = { tool: tool.name, arguments: exampleArguments(tool.schema), index: 0 };
    const written = this.writeCalls([call], [tool]);
    return "tool" in written ? undefined : written.text;
  }

  writeResults(results: readonly SpokenResult[]): string {
    const { result, results: all, between_results: between } = this.speak;
    const written = results.map(({ tool, content, index }) => {
      const framed = this.#frame(content);
      return fill(result, {
        name: tool,
        content: framed,
        content_json: JSON.stringify(framed),
        index: String(index),
        number: String(index + 1),
      });
    });
    return fill(all, { results: written.join(between) });
  }

  get otherwise(): Speaker | undefined {
    return this.#options.otherwise;
  }

  /** A tool that can't be called in the dialect, because of its name or a required parameter's. */
  uncallable(tool: OfferedTool, required: readonly string[]): Unspeakable | undefined {
    const call = {
      tool: tool.name,
      arguments: Object.fromEntries(required.map((key) => [key, "x"])),
      index: 0,
    };
    // No call of a conversation has this number, so the probe isn't taken for one.
    const key = { ...call, index: -1 };
    const found = this.#written.find([key], { tools: [tool], write: () => this.#probe(call, tool) });
    return "tool" in found ? found : undefined;
  }

  /** Whether the names of a call come back, or which of them doesn't. */
  #probe(call: SpokenCall, tool: OfferedTool): WrittenCalls {
    const names = Object.keys(call.arguments);
    const { text, read } = this.#namesIn(call, tool);
    if (read !== undefined && names.every((name) => read.includes(name))) return { text, isOtherwise: false };
    const isCallable = this.#namesIn({ ...call, arguments: {} }, tool).read !== undefined;
    const parameter = isCallable
      ? names.find((name) =>
        !this.#namesIn({ ...call, arguments: { [name]: "x" } }, tool).read?.includes(name)
      )
      : undefined;
    return { rule: this.rule, tool: tool.name, parameter, text };
  }

  /** A call as text, and the names of the arguments that are read in it; undefined if it isn't read as one call. */
  #namesIn(call: SpokenCall, tool: OfferedTool): { text: string; read: string[] | undefined } {
    const text = this.#write([{ call, form: 0 }]);
    const [read, ...more] = this.#read(text, [tool]).calls;
    const isOne = read?.tool === tool.name && more.length === 0 && isRecord(read.arguments);
    return { text, read: isOne ? Object.keys(read.arguments) : undefined };
  }

  #write(calls: readonly FormedCall[]): string {
    const { call: template, calls: all, between_calls: between } = this.speak;
    const written = calls.map(({ call: { tool, arguments: given, index }, form }) =>
      fill(template, {
        name: writeName(tool, this.notation),
        arguments: writeArguments(given, this.notation),
        items: writeItems(given, this.notation, form),
        index: String(index),
        number: String(index + 1),
      })
    );
    return fill(all, { calls: written.join(between) });
  }

  /** The first form of items that carries a call; undefined if none does. */
  #formOf(call: SpokenCall, tools: readonly OfferedTool[]): number | undefined {
    const found = itemForms(this.speak).findIndex((_, form) =>
      this.#isRead(this.#write([{ call, form }]), { calls: [call], tools })
    );
    return found < 0 ? undefined : found;
  }

  #isRead(
    text: string,
    { calls, tools }: { readonly calls: readonly SpokenCall[]; readonly tools: readonly OfferedTool[] },
  ): boolean {
    // Without a schema, the one argument that carries unreadable arguments isn't taken for another one.
    const unreadable = calls.filter((call) => UNREADABLE_KEY in call.arguments).map(({ tool }) => tool);
    const schemas = tools.filter(({ name }) => !unreadable.includes(name));
    const named = calls.map(({ tool }) => schemas.find(({ name }) => name === tool) ?? { name: tool });
    const outcome = this.#read(text, named);
    return outcome.text.trim() === "" && outcome.calls.length === calls.length &&
      outcome.calls.every(({ tool, arguments: read }, index) =>
        tool === calls[index]!.tool && isJsonEqual(read, plain(calls[index]!.arguments))
      );
  }

  #read(text: string, tools: readonly OfferedTool[]) {
    const { program, minimumConfidence } = this.#options;
    return readAnswer(program, {
      pieces: [text],
      offered: offer(tools),
      minimumConfidence,
      keepsTypes: true,
    });
  }

  #unspeakable(call: SpokenCall, tools: readonly OfferedTool[]): Unspeakable {
    const parameter = Object.entries(call.arguments).find(([key, value]) =>
      this.#formOf({ ...call, arguments: { [key]: value } }, tools) === undefined
    )?.[0];
    return { rule: this.rule, tool: call.tool, parameter, text: this.#write([{ call, form: 0 }]) };
  }
}

/** Entries that follow each other and are alike. */
function runsOf<T>(entries: readonly T[], isOther: (entry: T) => boolean): T[][] {
  const runs: T[][] = [];
  for (const entry of entries) {
    const last = runs.at(-1);
    if (last !== undefined && isOther(last[0]!) === isOther(entry)) last.push(entry);
    else runs.push([entry]);
  }
  return runs;
}

/** Arguments without the spelling of their numbers. */
function plain(value: Arguments): unknown {
  return parseJson(JSON.stringify(value));
}

/** A mark of a frame, as in `</result>` or `[/TOOL_RESULTS]`. */
const MARK = /<[^<>\s]+>|\[\/?\w+\]/g;

/** The marks after a result: those of its own frame, and of the frame of all results. */
function closersOf({ result, results, between_results: between }: Speak): readonly string[] {
  const after = [result.split(/\{content(?:_json)?\}/).at(-1), results.split("{results}").at(-1), between];
  return [...new Set(after.flatMap((text) => text?.match(MARK) ?? []))];
}

/**
 * Keeps a result in its frame: after the mark that ends the frame, the rest of a file or a page would be a message of the user.
 *
 *     <tool_response>⏎ … </tool_response> …   ─▶   <tool_response>⏎ … < /tool_response> … ⏎</tool_response>
 */
function framing(speak: Speak): (content: string) => string {
  const closers = closersOf(speak).map((mark) => mark.replace(/[^\w\s]/g, "\\$&"));
  if (closers.length === 0) return (content) => content;
  const pattern = new RegExp(closers.join("|"), "gi");
  return (content) => content.replace(pattern, (mark) => `${mark[0]} ${mark.slice(1)}`);
}

/** The characters of all keys and texts; beyond that, what was used least recently is forgotten. */
const CHARACTERS_MAX = 8 * 1024 * 1024;

export class WrittenTexts {
  readonly #known = new Map<string, WrittenCalls>();
  readonly #schemas = new WeakMap<OfferedTool, string>();
  readonly #charactersMax: number;
  #characters = 0;

  /** @param charactersMax the characters of all keys and texts */
  constructor(charactersMax = CHARACTERS_MAX) {
    this.#charactersMax = charactersMax;
  }

  get size(): number {
    return this.#known.size;
  }

  /** What the calls became; the first time, by writing them. */
  find(
    calls: readonly SpokenCall[],
    { tools, write }: { readonly tools: readonly OfferedTool[]; readonly write: () => WrittenCalls },
  ): WrittenCalls {
    const key = this.#keyOf(calls, tools);
    const known = this.#known.get(key);
    const written = known ?? write();
    // The map has its entries in the order of their last use.
    if (known === undefined) this.#characters += weigh(key, written);
    else this.#known.delete(key);
    this.#known.set(key, written);
    this.#forget();
    return written;
  }

  #forget(): void {
    for (const [key, written] of this.#known) {
      if (this.#characters <= this.#charactersMax) return;
      this.#known.delete(key);
      this.#characters -= weigh(key, written);
    }
  }

  /** The calls, and the schemas that decide how their values are read. */
  #keyOf(calls: readonly SpokenCall[], tools: readonly OfferedTool[]): string {
    const names = new Set(calls.map(({ tool }) => tool));
    const named = tools.filter(({ name }) => names.has(name))
      .map((tool) => JSON.stringify(tool.name) + this.#schemaOf(tool));
    return JSON.stringify(calls) + named.join("");
  }

  #schemaOf(tool: OfferedTool): string {
    const known = this.#schemas.get(tool);
    const schema = known ?? JSON.stringify(tool.schema ?? null);
    if (known === undefined) this.#schemas.set(tool, schema);
    return schema;
  }
}

function weigh(key: string, written: WrittenCalls): number {
  return key.length + written.text.length;
}
