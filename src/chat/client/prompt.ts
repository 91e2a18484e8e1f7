/** The tools that a system prompt lists, and its names for parameters. The rest of the prompt doesn't count. @module */
import type { ChatRequest, RequestMessage } from "../message/request.ts";
import { isSystemRole } from "../message/read.ts";
import type { Client } from "./schema.ts";

/** Tool → the names of its parameters, as far as the prompt shows them; in the order of the prompt. */
export type DocumentedTools = ReadonlyMap<string, ReadonlySet<string>>;

const EXAMPLE_LENGTH_MAX = 16 * 1024;

const NAME_LENGTH_MAX = 64;

type Section = Client["recognize"]["tools_section"][number];

/** The text that may list tools: the system and developer messages at the beginning, else the first message of the user. */
export function systemText(request: ChatRequest): string {
  const messages = Array.isArray(request.messages) ? request.messages : [];
  const first = messages.findIndex((message) => !isSystemRole(message?.role));
  const leading = messages.slice(0, first === -1 ? messages.length : first);
  const texts = leading.length > 0
    ? leading
    : messages.filter((message) => message?.role === "user").slice(0, 1);
  return texts.map(messageText).join("\n");
}

/**
 * The tools that a prompt lists. A heading may also be in a user's own instructions, so the first list counts
 * in which a tool of the client shows its own tag; where none does, the first that names one.
 *
 * @param text the system prompt
 * @param client whose sections are read, and whose tools count
 *
 * @example
 * ```ts
 * import { listedTools } from "./prompt.ts";
 * import { clientSchema } from "./schema.ts";
 * const client = clientSchema.parse({
 *   client: "mine",
 *   writes: "text",
 *   recognize: { tools_section: [{ heading: "# Tools", tool: ["## {tool}"] }] },
 *   tools: { look: {} },
 * });
 * const listed = listedTools("# Tools\n\n## look\n- path: (required)\n", client);
 * console.assert(listed.get("look")?.has("path"));
 * ```
 */
export function listedTools(text: string, client: Client): DocumentedTools {
  const lists = client.recognize.tools_section.flatMap((
    section,
  ) => [...readLists(text, { section, client })]);
  const named = lists.filter((list) => list.size > 0);
  return named.find((list) => [...list].some(([tool, names]) => names.has(tool))) ?? named[0] ?? new Map();
}

interface ListContext {
  readonly section: Section;
  readonly client: Client;
}

/** One list for each heading: tool → names. A heading inside a list begins the list again. */
function* readLists(text: string, { section, client }: ListContext): Generator<Map<string, Set<string>>> {
  let list: Map<string, Set<string>> | undefined;
  let names: Set<string> | undefined;
  const examples = new Examples(text);
  for (const { line, start } of lines(text)) {
    if (examples.isInside(start)) {
      if (names !== undefined) addParameterNames(line, names);
    } else if (line === section.heading) {
      if (list !== undefined) yield list;
      list = new Map();
      names = undefined;
    } else if (list !== undefined && section.ends.some((end) => fitsLine(line, end))) {
      yield list;
      list = names = undefined;
    } else if (list !== undefined) {
      const tool = section.tool.map((template) => toolOf(line, template)).find((name) => name !== undefined);
      if (tool !== undefined) {
        // The names of a tool that the client does not have belong to nothing.
        names = Object.hasOwn(client.tools, tool) ? list.get(tool) ?? new Set() : undefined;
        if (names !== undefined) list.set(tool, names);
        if (names !== undefined) examples.begin(tool);
      }
      if (names !== undefined) addParameterNames(line, names);
      if (names !== undefined) examples.open(line, start);
    }
  }
  if (list !== undefined) yield list;
}

/**
 * Where the example of the tool that was introduced last is: what looks like a heading or an end in it is the
 * value of a parameter.
 *
 *     ## apply_diff
 *     <apply_diff>        ─┐
 *     ====                 │ inside
 *     </apply_diff>       ─┘
 */
class Examples {
  readonly #text: string;
  /** Tool → where its next closing tag is: each is searched from left to right once. */
  readonly #closers = new Map<string, number>();
  #tool = "";
  #end = 0;

  constructor(text: string) {
    this.#text = text;
  }

  begin(tool: string): void {
    this.#tool = tool;
  }

  isInside(start: number): boolean {
    return start < this.#end;
  }

  /** A line that opens the example, if its closing tag follows before the example could be another tool's. */
  open(line: string, start: number): void {
    const tag = `<${this.#tool}>`;
    const at = line.indexOf(tag);
    if (at === -1) return;
    const closer = this.#closerAfter(start + at);
    if (closer - start > EXAMPLE_LENGTH_MAX) return;
    this.#end = closer;
  }

  #closerAfter(from: number): number {
    const known = this.#closers.get(this.#tool) ?? -1;
    if (known >= from) return known;
    const found = this.#text.indexOf(`</${this.#tool}>`, from);
    const closer = found === -1 ? Infinity : found;
    this.#closers.set(this.#tool, closer);
    return closer;
  }
}

/** Whether a line is a template's, whose `…` at the end means any rest. */
function fitsLine(line: string, template: string): boolean {
  return template.endsWith("…") ? line.startsWith(template.slice(0, -1)) : line === template;
}

/** The tool that a line introduces, by a template such as `## {tool}`. */
function toolOf(line: string, template: string): string | undefined {
  const [before = "", after = ""] = template.split("{tool}");
  if (!line.startsWith(before)) return undefined;
  const name = /^[a-z][a-z0-9_]*/.exec(line.slice(before.length, before.length + NAME_LENGTH_MAX))?.[0];
  if (name === undefined) return undefined;
  return fitsLine(line.slice(before.length + name.length), after) ? name : undefined;
}

/** Parameters in one line of a tool's description: `- path: (required)`, `<path>File path</path>`, `Params: path, content`. */
function addParameterNames(line: string, names: Set<string>): void {
  const item = /^\s*[-*] ([a-z_][a-z0-9_]*):/.exec(line)?.[1];
  if (item !== undefined) names.add(item);
  const listed = /\bParam(?:eter)?s?: (.*)/.exec(line)?.[1] ?? "";
  for (const part of listed.split(",")) {
    const name = /^\s*([a-z_][a-z0-9_]*)/.exec(part)?.[1];
    if (name !== undefined) names.add(name);
  }
  for (const [, name, example = ""] of line.matchAll(/<([a-z_][a-z0-9_]*)>([^<]*)/g)) {
    if (name === undefined) continue;
    names.add(name);
    if (example.includes("@")) names.add(`${name}@`);
  }
}

function* lines(text: string): Generator<{ readonly line: string; readonly start: number }> {
  let start = 0;
  while (start <= text.length) {
    const end = text.indexOf("\n", start);
    yield { line: text.slice(start, end === -1 ? text.length : end).trimEnd(), start };
    if (end === -1) return;
    start = end + 1;
  }
}

function messageText(message: RequestMessage): string {
  const { content } = message;
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  return content.map((part) => typeof part?.text === "string" ? part.text : "").join("\n");
}
