/**
 * A model of Cline 4.0 in XML mode: which calls it sees in a message, and what it does with their values. It
 * turns a whole message and the model's name into blocks, and into the values that are executed.
 *
 * @module
 */
import { type Block, parseTags, type TagGrammar } from "./tag_parser.ts";

/** Tools that the parser knows, offered or not. */
const TOOLS = `execute_command read_file write_to_file replace_in_file search_files list_files
list_code_definition_names browser_action web_fetch web_search use_mcp_tool access_mcp_resource
load_mcp_documentation ask_followup_question attempt_completion plan_mode_respond act_mode_respond new_task condense
summarize_task report_bug new_rule generate_explanation use_skill use_subagents apply_patch`;

/** Parameters that the parser knows, in whatever tool. */
const PARAMETERS = `command requires_approval timeout path start_line end_line content diff regex file_pattern
recursive action url coordinate text prompt query allowed_domains blocked_domains server_name tool_name arguments uri
question options result task_progress response needs_more_exploration context title what_happened steps_to_reproduce
api_request_output additional_context from_ref to_ref skill_name prompt_1 prompt_2 prompt_3 prompt_4 prompt_5 input
absolutePath`;

const GRAMMAR: TagGrammar = {
  tools: new Set(TOOLS.split(/\s+/)),
  parameters: new Set(PARAMETERS.split(/\s+/)),
  readValue: (_parameter, text) => text.trim(),
  rereadContent: "at_tool_close",
};

/** A call with its values as they are executed. */
export interface ClineCall {
  readonly name: string;
  /** Parameter → value, after decoding and reading. */
  readonly effective: Readonly<Record<string, unknown>>;
}

export function parseCline(message: string): Block[] {
  return parseTags(message, GRAMMAR);
}

/**
 * What a call makes Cline do.
 *
 * @throws Error where Cline reports the arguments as unreadable
 */
export function executeCline(block: Block, model: string): ClineCall {
  if (block.type !== "tool_use") throw new Error("The block isn't a call");
  const { name, params } = block;
  const decode = model.includes("claude") || (params.path ?? "").endsWith(".xml")
    ? (text: string) => text
    : unescapeEntities;
  switch (name) {
    case "write_to_file":
      return { name, effective: { ...params, content: decode(withoutFence(params.content ?? "")) } };
    case "new_rule":
      return { name, effective: { ...params, content: withoutFence(params.content ?? "") } };
    case "replace_in_file":
      return { name, effective: { ...params, diff: decode(params.diff ?? "") } };
    default:
      return {
        name,
        effective: readJson(params, ["arguments", "options", "allowed_domains", "blocked_domains"]),
      };
  }
}

function readJson(params: Record<string, string>, names: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(params).map((
      [name, text],
    ) => [name, names.includes(name) ? JSON.parse(text) as unknown : text]),
  );
}

function withoutFence(content: string): string {
  let lines = content;
  if (lines.startsWith("```")) lines = lines.split("\n").slice(1).join("\n");
  if (lines.endsWith("```")) lines = lines.split("\n").slice(0, -1).join("\n");
  return lines;
}

function unescapeEntities(text: string): string {
  return text.replaceAll("&gt;", ">").replaceAll("&lt;", "<").replaceAll("&quot;", '"').replaceAll(
    "&amp;",
    "&",
  )
    .replaceAll("&apos;", "'").replaceAll("\uFFFD", "");
}
