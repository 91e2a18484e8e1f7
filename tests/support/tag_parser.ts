/**
 * A model of the state machine by which Roo and Cline find tool calls in text: exact `<name>` tags, first closing
 * tag ends a parameter, everything else inside one is data. It turns a whole message into blocks.
 *
 * @module
 */

/** A part of a message as the client sees it. */
export type Block =
  | { readonly type: "text"; readonly content: string }
  | { readonly type: "tool_use"; readonly name: string; readonly params: Record<string, string> };

/** What differs between the clients. */
export interface TagGrammar {
  readonly tools: ReadonlySet<string>;
  readonly parameters: ReadonlySet<string>;
  /** A parameter's text as the client keeps it. */
  readonly readValue: (parameter: string, text: string) => string;
  /** A parameter of more characters (its closing tag included) is left before its end. */
  readonly lengthMax?: number;
  /** When the content of a written file is read again, from the first `<content>` to the last `</content>`. */
  readonly rereadContent: "at_content_close" | "at_tool_close";
}

const FILE_TOOL = "write_to_file";

/** The blocks of a message, an unfinished call at its end included. */
export function parseTags(message: string, grammar: TagGrammar): Block[] {
  const blocks: Block[] = [];
  let textStart = 0;
  for (;;) {
    const open = nextTag(message, { from: textStart, names: grammar.tools });
    const text = message.slice(textStart, open?.start ?? message.length).trim();
    if (text !== "") blocks.push({ type: "text", content: text });
    if (open === undefined) return blocks;
    const call = parseCall(message, { name: open.name, start: open.end, grammar });
    blocks.push({ type: "tool_use", name: open.name, params: call.params });
    textStart = call.end;
  }
}

interface CallPlace {
  readonly name: string;
  readonly start: number;
  readonly grammar: TagGrammar;
}

function parseCall(message: string, place: CallPlace): { params: Record<string, string>; end: number } {
  const { name, start, grammar } = place;
  const names = new Set([...grammar.parameters, `/${name}`, "/content"]);
  const params: Record<string, string> = {};
  let at = start;
  for (;;) {
    const tag = nextTag(message, { from: at, names });
    if (tag === undefined) return { params, end: message.length };
    at = tag.end;
    const inside = message.slice(start, tag.end);
    if (tag.name === `/${name}`) {
      if (grammar.rereadContent === "at_tool_close") rereadContent(inside, { name, params, grammar });
      return { params, end: at };
    }
    if (tag.name === "/content") {
      if (grammar.rereadContent === "at_content_close") rereadContent(inside, { name, params, grammar });
      continue;
    }
    const closer = `</${tag.name}>`;
    const found = message.indexOf(closer, at);
    const end = found === -1 ? message.length : found;
    const limit = grammar.lengthMax ?? Infinity;
    const length = (found === -1 ? end : end + closer.length) - at;
    if (length > limit) {
      params[tag.name] = message.slice(at, at + limit);
      at += limit + 1;
    } else {
      // A value whose end never comes stays raw.
      params[tag.name] = found === -1
        ? message.slice(at)
        : grammar.readValue(tag.name, message.slice(at, end));
      at = found === -1 ? end : end + closer.length;
    }
  }
}

function rereadContent(
  inside: string,
  { name, params, grammar }: { name: string; params: Record<string, string>; grammar: TagGrammar },
): void {
  if (name !== FILE_TOOL) return;
  const open = inside.indexOf("<content>");
  const start = open + "<content>".length;
  const end = inside.lastIndexOf("</content>");
  if (open !== -1 && end > start) params.content = grammar.readValue("content", inside.slice(start, end));
}

interface FoundTag {
  readonly name: string;
  readonly start: number;
  readonly end: number;
}

/** The first tag of these names that is complete at or after `from`; it may have begun before. */
function nextTag(
  message: string,
  { from, names }: { from: number; names: ReadonlySet<string> },
): FoundTag | undefined {
  for (let close = message.indexOf(">", from); close !== -1; close = message.indexOf(">", close + 1)) {
    const open = message.lastIndexOf("<", close);
    if (open === -1) continue;
    const name = message.slice(open + 1, close);
    if (names.has(name)) return { name, start: open, end: close + 1 };
  }
  return undefined;
}
