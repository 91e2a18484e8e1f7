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
 * A long conversation has thousands of messages, nearly all of which are one text. So a text stays a string on its whole
 * path, and nothing is allocated for a message besides the message.
 *
 * @module
 */
export type ContentPart =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "image_url"; readonly image_url: { readonly url: string } }
  | { readonly type: "file"; readonly file: Readonly<Record<string, string>> };

export type Parts = string | readonly ContentPart[];

interface PastCall {
  readonly id: string;
  readonly tool: string;
  readonly json: string;
}

/** The parts of one turn of the model; each can be missing. */
interface AssistantTurn {
  readonly text?: string | undefined;
  readonly reasoning?: string | undefined;
  readonly calls?: readonly PastCall[] | undefined;
}

interface ChatCall {
  readonly id: string;
  readonly type: "function";
  readonly function: { readonly name: string; readonly arguments: string };
}

type ConversationMessage = Readonly<Record<string, unknown>>;

/** The text of a result with images, which follow in their own message. */
const IMAGE_FOLLOWS = "(image follows)";

/** Separates texts that are paragraphs by their wire's contract: Anthropic's and Responses' content blocks. */
export const PARAGRAPHS = "\n\n";

export class Conversation {
  readonly #system: string[] = [];
  readonly #messages: ConversationMessage[] = [];
  #turn: { text: string; reasoning: string; readonly calls: ChatCall[] } | undefined;
  #calls: readonly ChatCall[] = NO_CALLS;
  /** The results since the last turn: id of the call → the parts of the last one. */
  readonly #results = new Map<string, Parts>();
  #user: string | ContentPart[] = "";
  readonly #separator: string;

  /** @param separator what separates the texts of one message: `PARAGRAPHS` or nothing */
  constructor(separator = "") {
    this.#separator = separator;
  }

  /** Adds instructions, which always become part of the first message. */
  addSystem(text: string): void {
    if (text !== "") this.#system.push(text);
  }

  addUser(parts: Parts): void {
    this.#endTurn();
    if (parts.length === 0) return;
    if (this.#user === "") this.#user = typeof parts === "string" ? parts : [...parts];
    else {
      if (typeof this.#user === "string") this.#user = partList(this.#user);
      this.#user.push(...partList(parts));
    }
  }

  addResult({ id, parts }: { readonly id: string; readonly parts: Parts }): void {
    this.#endTurn();
    this.#results.set(id, parts);
  }

  /** Adds to the model's turn; consecutive parts are one turn. */
  addAssistant({ text, reasoning, calls = [] }: AssistantTurn): void {
    this.#endUser();
    const turn = this.#turn ??= { text: "", reasoning: "", calls: [] };
    if (text) turn.text = join(turn.text, this.#separator, text);
    if (reasoning) turn.reasoning = join(turn.reasoning, this.#separator.slice(1), reasoning);
    for (const { id, tool, json } of calls) {
      turn.calls.push({ id, type: "function", function: { name: tool, arguments: json } });
    }
  }

  /** Ends a user's message, so that the next part begins another one; results can come in a message each. */
  endMessage(): void {
    if (this.#user.length === 0 && this.#calls.some(({ id }) => !this.#results.has(id))) return;
    this.#endUser();
  }

  messages(): ConversationMessage[] {
    this.#endTurn();
    this.#endUser();
    const system = this.#system.join("\n\n");
    return system === "" ? this.#messages : [{ role: "system", content: system }, ...this.#messages];
  }

  #endTurn(): void {
    if (this.#turn === undefined) return;
    const { text: content, reasoning, calls } = this.#turn;
    this.#turn = undefined;
    this.#calls = calls;
    const message: Record<string, unknown> = { role: "assistant", content };
    if (reasoning !== "") message["reasoning_content"] = reasoning;
    if (calls.length > 0) message["tool_calls"] = calls;
    this.#messages.push(message);
  }

  /** Writes the results in the order of their calls, then everything else that the user sent. */
  #endUser(): void {
    if (this.#calls.length + this.#results.size + this.#user.length === 0) return;
    const results = this.#results;
    const others: ContentPart[] = [];
    // Strict servers need a result for every call; a missing one becomes empty.
    for (const { id } of this.#calls) {
      const parts = results.get(id) ?? "";
      results.delete(id);
      const follows = moveOthers(parts, others) ? IMAGE_FOLLOWS : "";
      const text = textOf(parts);
      const content = text === "" || follows === "" ? text + follows : `${text}\n${follows}`;
      this.#messages.push({ role: "tool", tool_call_id: id, content });
    }
    // A result without its call becomes a text of its own, because a server would refuse it.
    for (const parts of results.values()) {
      moveOthers(parts, others);
      this.#messages.push({ role: "user", content: `<tool_result>\n${textOf(parts)}\n</tool_result>` });
    }
    const user = others.length === 0 ? this.#user : [...others, ...partList(this.#user)];
    if (user.length > 0) this.#messages.push({ role: "user", content: this.#contentOf(user) });
    this.#calls = NO_CALLS;
    this.#user = "";
    // What is empty already costs as much to clear as it holds.
    if (results.size > 0) results.clear();
  }

  /** Text alone becomes a string, because some templates can't read parts. */
  #contentOf(parts: Parts): unknown {
    if (typeof parts === "string") return parts;
    const isText = parts.every(({ type }) => type === "text");
    return isText ? parts.map((part) => part.type === "text" ? part.text : "").join(this.#separator) : parts;
  }
}

const NO_CALLS: readonly ChatCall[] = [];

export function partList(parts: Parts): ContentPart[] {
  if (typeof parts !== "string") return [...parts];
  return parts === "" ? [] : [{ type: "text", text: parts }];
}

/** Joins two texts; the first can be empty, because there is none yet. */
function join(before: string, separator: string, text: string): string {
  return before === "" ? text : before + separator + text;
}

/** Adds the parts that aren't text to a list; true: there were some. */
function moveOthers(parts: Parts, others: ContentPart[]): boolean {
  if (typeof parts === "string") return false;
  const count = others.length;
  for (const part of parts) if (part.type !== "text") others.push(part);
  return others.length > count;
}

function textOf(parts: Parts): string {
  if (typeof parts === "string") return parts;
  let joined: string | undefined;
  for (const part of parts) {
    if (part.type === "text") joined = joined === undefined ? part.text : `${joined}\n${part.text}`;
  }
  return joined ?? "";
}
