/**
 * Gives the calls of functions that stand for custom tools back as calls of custom tools, in whole answers and in chunks.
 * A custom call of a stream leaves with the end of its choice: its text isn't JSON, so no part of it could be sent before
 * the JSON around it has been read. A call that was cut off isn't sent.
 *
 *     {"type": "function", "function": {"name": "f", "arguments": "{\"input\": \"a\"}"}}
 *     ─▶ {"type": "custom", "custom": {"name": "f", "input": "a"}}
 *
 * @module
 */
import { parseJson } from "../../engine/object/parse.ts";
import { isRecord } from "../../engine/object/record.ts";
import { asText } from "../../engine/object/text.ts";
import { customInput } from "./custom_tool.ts";

type Fields = Readonly<Record<string, unknown>>;

/** A chat answer with its custom calls; the same object if it has none. */
export function withCustomCalls(answer: Fields, names: ReadonlySet<string>): Fields {
  return mapChoices(answer, (choice) => {
    const { message } = choice;
    if (!isRecord(message) || !Array.isArray(message.tool_calls)) return choice;
    const calls = message.tool_calls.flatMap((call: unknown) => clientCalls(call, names));
    return { ...choice, message: { ...message, tool_calls: calls } };
  });
}

interface OpenCall {
  readonly index: unknown;
  readonly id: unknown;
  readonly name: string;
  json: string;
}

/** Changes the chunks of one stream. */
export class CustomCallStream {
  readonly #names: ReadonlySet<string>;
  /** Choice → its custom calls, by their numbers. */
  readonly #open = new Map<unknown, Map<unknown, OpenCall>>();

  constructor(names: ReadonlySet<string>) {
    this.#names = names;
  }

  push(chunk: Fields): Fields {
    return mapChoices(chunk, (choice) => {
      const { index = 0, delta, finish_reason: finish } = choice;
      const given = isRecord(delta) ? delta : {};
      const open = this.#open.get(index) ?? new Map<unknown, OpenCall>();
      this.#open.set(index, open);
      const calls = Array.isArray(given.tool_calls) ? given.tool_calls.filter(isRecord) : [];
      const others = calls.filter((call) => !this.#take(call, open));
      const ended = finish == null ? [] : [...open.values()].flatMap(wholeCall);
      if (finish != null) open.clear();
      if (others.length === calls.length && ended.length === 0) return choice;
      const { tool_calls: _, ...rest } = given;
      const all = [...others, ...ended];
      return { ...choice, delta: all.length === 0 ? rest : { ...rest, tool_calls: all } };
    });
  }

  /** Whether a piece belongs to a custom call. */
  #take({ index, id, function: made }: Fields, open: Map<unknown, OpenCall>): boolean {
    const { name, arguments: given } = isRecord(made) ? made : {};
    const json = asText(given ?? "");
    const known = open.get(index);
    if (known !== undefined) {
      known.json += json;
      return true;
    }
    if (typeof name !== "string" || !this.#names.has(name)) return false;
    open.set(index, { index, id, name, json });
    return true;
  }
}

function wholeCall({ index, id, name, json }: OpenCall): Fields[] {
  if (!isRecord(parseJson(json))) return [];
  return [{ index, id, type: "custom", custom: { name, input: customInput(json) } }];
}

/** The call as the client knows it; none if it was cut off. */
function clientCalls(call: unknown, names: ReadonlySet<string>): unknown[] {
  const made = isRecord(call) && isRecord(call.function) ? call.function : undefined;
  if (!isRecord(call) || typeof made?.name !== "string" || !names.has(made.name)) return [call];
  const { function: _, ...rest } = call;
  const { name } = made;
  const json = asText(made.arguments ?? "");
  if (!isRecord(parseJson(json))) return [];
  return [{ ...rest, type: "custom", custom: { name, input: customInput(json) } }];
}

function mapChoices(answer: Fields, change: (choice: Fields) => Fields): Fields {
  if (!Array.isArray(answer.choices)) return answer;
  const choices = answer.choices.map((choice: unknown) => isRecord(choice) ? change(choice) : choice);
  const given = answer.choices;
  return choices.every((choice, at) => choice === given[at]) ? answer : { ...answer, choices };
}
