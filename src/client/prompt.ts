/**
 * The tools that a system prompt lists, and the names that it gives their parameters. In: the messages of a
 * request. Out: tool → names. It reads the list only, never the rest of the prompt, and every line once.
 *
 * @module
 */
import type { ChatRequest, RequestMessage } from "../chat/request.ts";
import type { Client } from "./schema.ts";

/** Tool → the names of its parameters, as far as the prompt shows them; in the order of the prompt. */
export type DocumentedTools = ReadonlyMap<string, ReadonlySet<string>>;

type Section = Client["recognise"]["tools_section"][number];

/**
 * The text that may list tools: all system and developer messages at the beginning; where there is none, the
 * first message of the user.
 *
 * @param request the request
 */
export function systemText(request: ChatRequest): string {
  const messages = Array.isArray(request.messages) ? request.messages : [];
  const first = messages.findIndex((message) => !isSystem(message));
  const leading = messages.slice(0, first === -1 ? messages.length : first);
  const texts = leading.length > 0
    ? leading
    : messages.filter((message) => message?.role === "user").slice(0, 1);
  return texts.map(messageText).join("\n");
}

/**
 * The tools that a prompt lists, by the first section that lists any of a client's.
 *
 * @param text the system prompt
 * @param client whose sections are looked for, and whose tools count
 *
 * @example
 * ```ts
 * import { listedTools } from "./prompt.ts";
 * import { clientSchema } from "./schema.ts";
 * const client = clientSchema.parse({
 *   client: "mine",
 *   writes: "text",
 *   recognise: { tools_section: [{ heading: "# Tools", tool: "## {tool}" }] },
 *   tools: { look: {} },
 * });
 * const listed = listedTools("# Tools\n\n## look\n- path: (required)\n", client);
 * console.assert(listed.get("look")?.has("path"));
 * ```
 */
export function listedTools(text: string, client: Client): DocumentedTools {
  for (const section of client.recognise.tools_section) {
    const listed = readSection(text, section);
    const known = new Map([...listed].filter(([name]) => Object.hasOwn(client.tools, name)));
    if (known.size > 0) return known;
  }
  return new Map();
}

function readSection(text: string, section: Section): Map<string, Set<string>> {
  const listed = new Map<string, Set<string>>();
  let isInside = false;
  let names: Set<string> | undefined;
  for (const line of lines(text)) {
    if (!isInside) {
      isInside = line === section.heading;
      continue;
    }
    if (section.ends.some((end) => line.startsWith(end))) break;
    const tool = toolOf(line, section.tool);
    if (tool !== undefined) {
      names = listed.get(tool) ?? new Set();
      listed.set(tool, names);
    }
    if (names !== undefined) addParameterNames(line, names);
  }
  return listed;
}

/** The tool that a line introduces, by a template such as `## {tool}`. */
function toolOf(line: string, template: string): string | undefined {
  const isOpen = template.endsWith("…");
  const [before = "", after = ""] = (isOpen ? template.slice(0, -1) : template).split("{tool}");
  if (!line.startsWith(before)) return undefined;
  const name = /^[a-z][a-z0-9_]*/.exec(line.slice(before.length))?.[0];
  if (name === undefined) return undefined;
  const rest = line.slice(before.length + name.length);
  return (isOpen ? rest.startsWith(after) : rest === after) ? name : undefined;
}

/** Names of parameters in one line of a tool's description: `- path: (required)`, `<path>File path</path>`. */
function addParameterNames(line: string, names: Set<string>): void {
  const item = /^\s*[-*] ([a-z_][a-z0-9_]*):/.exec(line)?.[1];
  if (item !== undefined) names.add(item);
  for (const [, name] of line.matchAll(/<([a-z_][a-z0-9_]*)>/g)) if (name !== undefined) names.add(name);
}

function* lines(text: string): Generator<string> {
  let start = 0;
  while (start <= text.length) {
    const end = text.indexOf("\n", start);
    yield text.slice(start, end === -1 ? text.length : end).trimEnd();
    if (end === -1) return;
    start = end + 1;
  }
}

function isSystem(message: RequestMessage | undefined): boolean {
  return message?.role === "system" || message?.role === "developer";
}

function messageText(message: RequestMessage): string {
  const { content } = message;
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  return content.map((part) => typeof part?.text === "string" ? part.text : "").join("\n");
}
