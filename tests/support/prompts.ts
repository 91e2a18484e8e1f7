/**
 * System prompts in the structure that Roo Code and Cline send, written for the tests.
 *
 * @module
 */

const MARKDOWN_RULES = `====

MARKDOWN RULES

Show every language construct and file name as a link.

====

TOOL USE

You have tools that run when the user agrees. Use one tool a message.

# Tool Use Formatting

Tool uses are written in XML-style tags. The name of the tool is the tag:
`;

const ROO_FORMATTING = `
<actual_tool_name>
<parameter1_name>value1</parameter1_name>
</actual_tool_name>
`;

const ROO_READ_ARGS = `## read_file
Description: Request to read one or more files.

Parameters:
- args: Contains one or more file elements, where each file contains:
  - path: (required) File path
  - line_range: (optional) One or more line ranges

Usage:
<read_file>
<args>
  <file>
    <path>path/to/file</path>
    <line_range>start-end</line_range>
  </file>
</args>
</read_file>
`;

const ROO_READ_PATH = `## read_file
Description: Request to read the contents of a file.
Parameters:
- path: (required) The path of the file to read
- start_line: (optional) The first line
- end_line: (optional) The last line
Usage:
<read_file>
<path>File path here</path>
</read_file>
`;

const ROO_WRITE = `## write_to_file
Description: Request to write content to a file.
Parameters:
- path: (required) The path of the file
- content: (required) The whole content
Usage:
<write_to_file>
<path>File path here</path>
<content>
Your file content here
</content>
</write_to_file>
`;

const ROO_WRITE_COUNTED = ROO_WRITE
  .replace("Usage:", "- line_count: (required) The number of lines\nUsage:")
  .replace("</content>\n", "</content>\n<line_count>total number of lines</line_count>\n");

const ROO_OTHERS = `## apply_diff
Description: Request to change a file by search and replace.
Parameters:
- path: (required) The path of the file
- diff: (required) The search and replace blocks
Usage:
<apply_diff>
<path>File path here</path>
<diff>
Your blocks here
</diff>
</apply_diff>

## execute_command
Description: Request to run a command.
Parameters:
- command: (required) The command
- cwd: (optional) The folder
Usage:
<execute_command>
<command>Your command here</command>
</execute_command>

## invented_tool
Description: A tool of a fork that no one knows.
Parameters:
- thing: (required) Something

## ask_followup_question
Description: Ask the user.
Parameters:
- question: (required) The question
- follow_up: (required) Two to four answers
Usage:
<ask_followup_question>
<question>Your question here</question>
<follow_up>
<suggest mode="code">An answer</suggest>
</follow_up>
</ask_followup_question>

## attempt_completion
Description: Say that the task is done.
Parameters:
- result: (required) The result
Usage:
<attempt_completion>
<result>Your result here</result>
</attempt_completion>

## switch_mode
Description: Ask for another mode.
Parameters:
- mode_slug: (required) The mode
- reason: (optional) Why

`;

const ROO_REST = `# Tool Use Guidelines

1. Think first.
2. Wait for the user.

====

MCP SERVERS

# Connected MCP Servers

## test-server (\`node server.js\`)

### Available Tools
- echo: Repeats its input

## browser_action

A file of rules that has a heading like a tool's.

====

USER'S CUSTOM INSTRUCTIONS

## update_todo_list
`;

/** Which version of Roo's prompt. */
export interface RooPromptOptions {
  /** The multi-file form of read_file, from 3.19. */
  readonly hasArgs: boolean;
  /** Whether write_to_file asks for a line count, up to 3.35. */
  readonly hasLineCount: boolean;
}

/** Roo Code's system prompt in XML mode. */
export function rooPrompt({ hasArgs, hasLineCount }: RooPromptOptions): string {
  return [
    "You are Roo, a highly skilled software engineer.\n\n",
    MARKDOWN_RULES,
    ROO_FORMATTING,
    "\n# Tools\n\n",
    hasArgs ? ROO_READ_ARGS : ROO_READ_PATH,
    "\n",
    hasLineCount ? ROO_WRITE_COUNTED : ROO_WRITE,
    "\n",
    ROO_OTHERS,
    ROO_REST,
  ].join("");
}

/** The tools that `rooPrompt` lists and that are known, in its order. */
export const ROO_TOOLS = [
  "read_file",
  "write_to_file",
  "apply_diff",
  "execute_command",
  "ask_followup_question",
  "attempt_completion",
  "switch_mode",
];

/** Cline's long system prompt. */
export const CLINE_PROMPT = `You are Cline, a highly skilled software engineer.

====

TOOL USE

# Tool Use Formatting

<tool_name>
<parameter1_name>value1</parameter1_name>
</tool_name>

# Tools

## execute_command
Description: Request to run a command.
Parameters:
- command: (required) The command
- requires_approval: (required) Whether the user has to agree
Usage:
<execute_command>
<command>Your command here</command>
<requires_approval>true or false</requires_approval>
</execute_command>

## read_file
Description: Request to read a file.
Parameters:
- path: (required) The path
- task_progress: (optional) A checklist
Usage:
<read_file>
<path>File path here</path>
<task_progress>Checklist here (optional)</task_progress>
</read_file>

## replace_in_file
Description: Request to change a file.
Parameters:
- path: (required) The path
- diff: (required) The blocks
Usage:
<replace_in_file>
<path>File path here</path>
<diff>
Search and replace blocks here
</diff>
</replace_in_file>

# Tool Use Examples

## Example 1: Requesting to execute a command

## write_to_file

====

RULES
`;

/** The tools that `CLINE_PROMPT` lists. */
export const CLINE_TOOLS = ["execute_command", "read_file", "replace_in_file"];

/** Cline's compact prompt for local models. */
export const CLINE_COMPACT_PROMPT = `You are Cline, a coding agent.

## RULES
One tool a message.

## TOOLS

**execute_command** — Run a command.
Params: command, requires_approval.
*Example:*
<execute_command>
<command>npm run build</command>
<requires_approval>false</requires_approval>
</execute_command>

**read_file** — Read a file. Param: path.
*Example:* <read_file>
<path>src/index.ts</path>
</read_file>

**ask_followup_question** — Ask.
`;

/** The tools that `CLINE_COMPACT_PROMPT` lists. */
export const CLINE_COMPACT_TOOLS = ["execute_command", "read_file", "ask_followup_question"];

/** The least that Roo Code is recognized by, with two tools. */
export const SMALL_ROO_PROMPT = `You are Roo.

====

TOOL USE

# Tools

## read_file
Description: Reads a file.
Parameters:
- path: (required) The path.

## switch_mode
Description: Switches the mode.
Parameters:
- mode_slug: (required) The mode.
`;
