/** A request in parts that a person can open one by one: settings, tools, and messages. @module */
import { plural } from "../../engine/diagnostic/figures.ts";

interface ChatPart {
  /** What it is: `system`, `user`, `tools` … */
  readonly title: string;
  /** Its beginning, in one line. */
  readonly summary: string;
  readonly text: string;
}

const SUMMARY_MAX = 200;

/** The parts of a chat request, in its own order; none if it isn't one. */
export function partsOf(chat: string): ChatPart[] {
  const { messages, tools, ...settings } = JSON.parse(chat) as Record<string, unknown>;
  return [
    part("settings", JSON.stringify(settings, null, 2)),
    ...(Array.isArray(tools) ? [toolsPart(tools)] : []),
    ...(Array.isArray(messages) ? messages.map(messagePart) : []),
  ];
}

function toolsPart(tools: readonly unknown[]): ChatPart {
  const names = tools.map((tool) =>
    Reflect.get(Object(Reflect.get(Object(tool), "function") ?? tool), "name")
  );
  return {
    title: plural(tools.length, "tool"),
    summary: names.join(", "),
    text: JSON.stringify(tools, null, 2),
  };
}

function messagePart(message: unknown): ChatPart {
  const { role, content, ...rest } = Object(message) as Record<string, unknown>;
  const text = textOf(content);
  const more = Object.keys(rest).length === 0 ? "" : JSON.stringify(rest, null, 2);
  return part(String(role ?? "message"), [text, more].filter((each) => each !== "").join("\n\n"));
}

/** The text of a message: a text, or a list of parts of which some are texts. */
function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  if (content === null || content === undefined) return "";
  if (!Array.isArray(content)) return JSON.stringify(content, null, 2);
  return content.map((each) => {
    const text = Reflect.get(Object(each), "text");
    return typeof text === "string" ? text : JSON.stringify(each);
  }).join("\n\n");
}

function part(title: string, text: string): ChatPart {
  return { title, summary: text.replace(/\s+/g, " ").trim().slice(0, SUMMARY_MAX), text };
}
