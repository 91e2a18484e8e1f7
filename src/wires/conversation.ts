/**
 * Builds the messages of a chat request from another wire's conversation, in the form that chat servers and their
 * templates need: one system message at the beginning; the calls of a turn in one message; their results directly after
 * them, in their order; and images in results after all of those.
 *
 *     assistant: calls a, b        assistant: calls a, b
 *     user: result b, image    ─▶  tool a, tool b
 *           result a, "Now …"      user: image, "Now …"
 *
 * Texts of one turn are joined without a separator, because clients send back the pieces of a streamed text as they
 * received them. Only a wire whose texts are paragraphs by contract, such as Anthropic's blocks, sets a separator.
 *
 * @module
 */
import { present } from "../engine/object/present.ts";

/** A part of a message that can be more than text. */
export type ContentPart =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "image_url"; readonly image_url: { readonly url: string } }
  | { readonly type: "file"; readonly file: Readonly<Record<string, string>> };

export interface PastCall {
  readonly id: string;
  readonly tool: string;
  /** The arguments as JSON text. */
  readonly json: string;
}

/** The parts of one turn of the model; each can be missing. */
export interface AssistantTurn {
  readonly text?: string | undefined;
  readonly reasoning?: string | undefined;
  readonly calls?: readonly PastCall[] | undefined;
}

export interface CallResult {
  readonly id: string;
  readonly parts: readonly ContentPart[];
}

export type ConversationMessage = Readonly<Record<string, unknown>>;

/** The text of a result with images, which follow in their own message. */
const IMAGE_FOLLOWS = "(image follows)";

/** Separates texts that are paragraphs by their wire's contract: Anthropic's and Responses' content blocks. */
export const PARAGRAPHS = "\n\n";

export class Conversation {
  readonly #system: string[] = [];
  readonly #messages: ConversationMessage[] = [];
  #turn: { text: string[]; reasoning: string[]; calls: PastCall[] } | undefined;
  #order: readonly string[] = [];
  /** The results since the last turn: id of the call → the last one. */
  readonly #results = new Map<string, CallResult>();
  #user: ContentPart[] = [];
  readonly #separator: string;

  /** @param separator what separates the texts of one message: `PARAGRAPHS` or nothing */
  constructor(separator = "") {
    this.#separator = separator;
  }

  /** Adds instructions, which always become part of the first message. */
  addSystem(text: string): void {
    if (text !== "") this.#system.push(text);
  }

  addUser(parts: readonly ContentPart[]): void {
    this.#endTurn();
    this.#user.push(...parts);
  }

  addResult(result: CallResult): void {
    this.#endTurn();
    this.#results.set(result.id, result);
  }

  /** Adds to the model's turn; consecutive parts are one turn. */
  addAssistant({ text, reasoning, calls = [] }: AssistantTurn): void {
    this.#endUser();
    const turn = this.#turn ??= { text: [], reasoning: [], calls: [] };
    if (text) turn.text.push(text);
    if (reasoning) turn.reasoning.push(reasoning);
    turn.calls.push(...calls);
  }

  /** Ends a user's message, so that the next part begins another one; results can come in a message each. */
  endMessage(): void {
    if (this.#user.length === 0 && this.#order.some((id) => !this.#results.has(id))) return;
    this.#endUser();
  }

  messages(): ConversationMessage[] {
    this.#endTurn();
    this.#endUser();
    const system = this.#system.join("\n\n");
    return system === "" ? this.#messages : [{ role: "system", content: system }, ...this.#messages];
  }

  #endTurn(): void {
    const turn = this.#turn;
    if (turn === undefined) return;
    this.#turn = undefined;
    this.#order = turn.calls.map(({ id }) => id);
    const calls = turn.calls.map(({ id, tool, json }) => ({
      id,
      type: "function",
      function: { name: tool, arguments: json },
    }));
    this.#messages.push({
      role: "assistant",
      content: turn.text.join(this.#separator),
      ...present({
        reasoning_content: turn.reasoning.join(this.#separator.slice(1)) || undefined,
        tool_calls: calls.length === 0 ? undefined : calls,
      }),
    });
  }

  /** Writes the results in the order of their calls, then everything else that the user sent. */
  #endUser(): void {
    if (this.#order.length + this.#results.size + this.#user.length === 0) return;
    const results = this.#results;
    const others: ContentPart[] = [];
    // Strict servers need a result for every call; a missing one becomes empty.
    for (const id of this.#order) {
      const parts = results.get(id)?.parts ?? [];
      results.delete(id);
      const follows = moveOthers(parts, others) ? IMAGE_FOLLOWS : "";
      const text = textOf(parts);
      const content = text === "" || follows === "" ? text + follows : `${text}\n${follows}`;
      this.#messages.push({ role: "tool", tool_call_id: id, content });
    }
    // A result without its call becomes a text of its own, because a server would refuse it.
    for (const { parts } of results.values()) {
      moveOthers(parts, others);
      this.#messages.push({ role: "user", content: `<tool_result>\n${textOf(parts)}\n</tool_result>` });
    }
    others.push(...this.#user);
    if (others.length > 0) this.#messages.push({ role: "user", content: this.#contentOf(others) });
    this.#order = [];
    this.#user = [];
    // What is empty already costs as much to clear as it holds.
    if (results.size > 0) results.clear();
  }

  /** Text alone becomes a string, because some templates can't read parts. */
  #contentOf(parts: readonly ContentPart[]): unknown {
    const isText = parts.every(({ type }) => type === "text");
    return isText ? parts.map((part) => part.type === "text" ? part.text : "").join(this.#separator) : parts;
  }
}

/** Adds the parts that aren't text to a list; true: there were some. */
function moveOthers(parts: readonly ContentPart[], others: ContentPart[]): boolean {
  const count = others.length;
  for (const part of parts) if (part.type !== "text") others.push(part);
  return others.length > count;
}

function textOf(parts: readonly ContentPart[]): string {
  let joined: string | undefined;
  for (const part of parts) {
    if (part.type === "text") joined = joined === undefined ? part.text : `${joined}\n${part.text}`;
  }
  return joined ?? "";
}
