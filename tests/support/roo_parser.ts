/**
 * A model of Roo Code 3.41 in XML mode: which calls it sees in a message, and what it does with their values.
 * It turns a whole message and the model's name into blocks, and into the values that are executed.
 *
 * @module
 */
import { type Block, parseTags, type TagGrammar } from "./tag_parser.ts";
import { readXml, type XmlValue } from "./xml_reader.ts";

/** Tools that the parser knows, offered or not. */
const TOOLS = `read_file write_to_file apply_diff insert_content search_and_replace search_files list_files
list_code_definition_names codebase_search execute_command browser_action use_mcp_tool access_mcp_resource
ask_followup_question attempt_completion switch_mode new_task update_todo_list fetch_instructions run_slash_command
generate_image edit_file search_replace apply_patch custom_tool`;

/** Parameters that the parser knows, in whatever tool. */
const PARAMETERS =
  `command path content regex file_pattern recursive action url coordinate text server_name tool_name
arguments uri question result diff mode_slug reason line mode message cwd follow_up task size query args start_line
end_line todos prompt image files operations patch file_path old_string new_string expected_replacements line_count
search replace use_regex ignore_case`;

const GRAMMAR: TagGrammar = {
  tools: new Set(TOOLS.split(/\s+/)),
  parameters: new Set(PARAMETERS.split(/\s+/)),
  readValue: (parameter, text) => parameter === "content" ? withoutEdgeNewlines(text) : text.trim(),
  lengthMax: 102_400,
  rereadContent: "at_content_close",
};

/** A call with its values as they are executed. */
export interface RooCall {
  readonly name: string;
  /** Parameter → value, after decoding and reading. */
  readonly effective: Readonly<Record<string, unknown>>;
}

/**
 * The blocks of a message.
 *
 * @throws Error where the message is longer than the parser takes
 */
export function parseRoo(message: string): Block[] {
  if (message.length > 1024 * 1024) throw new Error("The message is too long");
  return parseTags(message, GRAMMAR);
}

/**
 * What a call makes Roo do.
 *
 * @throws Error where Roo reports the arguments as unreadable
 */
export function executeRoo(block: Block, model: string): RooCall {
  if (block.type !== "tool_use") throw new Error("The block isn't a call");
  const { name, params } = block;
  const decode = model.includes("claude") ? (text: string) => text : unescapeEntities;
  switch (name) {
    case "write_to_file":
      return { name, effective: { ...params, content: decode(withoutArtifacts(params.content ?? "")) } };
    case "apply_diff":
      return { name, effective: { ...params, ...diffsOf(params, decode) } };
    case "execute_command":
      return { name, effective: { ...params, command: unescapeEntities(params.command ?? "") } };
    case "read_file":
      return { name, effective: params.args === undefined ? params : { files: filesOf(params.args) } };
    case "ask_followup_question":
      return { name, effective: { ...params, follow_up: suggestionsOf(params.follow_up) } };
    case "new_task":
      return { name, effective: { ...params, message: (params.message ?? "").replaceAll("\\\\@", "\\@") } };
    case "use_mcp_tool":
      return {
        name,
        effective: {
          ...params,
          ...(params.arguments === undefined ? {} : { arguments: JSON.parse(params.arguments) as unknown }),
        },
      };
    default:
      return { name, effective: params };
  }
}

function withoutEdgeNewlines(text: string): string {
  return text.replace(/^\n/, "").replace(/\n$/, "");
}

function withoutArtifacts(content: string): string {
  let lines = content;
  if (lines.startsWith("```")) lines = lines.split("\n").slice(1).join("\n");
  if (lines.endsWith("```")) lines = lines.split("\n").slice(0, -1).join("\n");
  const isNumbered = lines.split(/\r?\n/).every((line) => /^\s*\d+\s+\|/.test(line));
  return isNumbered
    ? lines.split(/\r?\n/).map((line) => line.replace(/^\s*\d+\s+\| ?/, "")).join("\n")
    : lines;
}

function unescapeEntities(text: string): string {
  return text.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&quot;", '"').replaceAll(
    "&#39;",
    "'",
  )
    .replaceAll("&apos;", "'").replaceAll("&#91;", "[").replaceAll("&#93;", "]").replaceAll("&lsqb;", "[")
    .replaceAll("&rsqb;", "]").replaceAll("&amp;", "&");
}

function diffsOf(params: Record<string, string>, decode: (text: string) => string): Record<string, unknown> {
  if (params.args === undefined) {
    const start = /:start_line:(\d+)/.exec(params.diff ?? "")?.[1];
    return {
      diff: { diff: decode(params.diff ?? ""), start_line: start === undefined ? undefined : Number(start) },
    };
  }
  const files = elements(readXml(params.args, { verbatim: ["content"], decodes: false }), "file");
  return {
    files: files.map((file) => field(file, "path")),
    diff: files.flatMap((file) => elements(file, "diff")).map((diff) => ({
      content: decode(String(field(diff, "content") ?? "")),
      startLine: Number(field(diff, "start_line") ?? NaN),
    })),
  };
}

function filesOf(args: string): { path: unknown; lineRanges: { start: number; end: number }[] }[] {
  const files = elements(readXml(args, { verbatim: [], decodes: true }), "file");
  return files.map((file) => ({
    path: field(file, "path"),
    lineRanges: elements(file, "line_range").flatMap((range) => {
      const match = /(\d+)-(\d+)/.exec(typeof range === "string" ? range : "");
      return match === null ? [] : [{ start: Number(match[1]), end: Number(match[2]) }];
    }),
  }));
}

function suggestionsOf(text: string | undefined): { text: string; mode?: string }[] {
  if (text === undefined) return [];
  return elements(readXml(text, { verbatim: ["suggest"], decodes: true }), "suggest").map((suggestion) => {
    if (typeof suggestion === "string") return { text: suggestion };
    return { text: String(suggestion["#text"] ?? ""), mode: String(suggestion["@_mode"]) };
  });
}

function elements(value: XmlValue, name: string): XmlValue[] {
  const found = typeof value === "string" ? undefined : value[name];
  return found === undefined ? [] : Array.isArray(found) ? found : [found];
}

function field(value: XmlValue, name: string): XmlValue | XmlValue[] | undefined {
  return typeof value === "string" ? undefined : value[name];
}
