/**
 * What the model plays for an agent: asked by the person, it prints one call of the agent's own write tool; asked
 * for anything else (a title, a summary, the turn after the call) it prints "ok".
 *
 * @module
 */
import { dirname, isAbsolute, join } from "node:path";
import type { Arrived, Script } from "../support/scripted_upstream.ts";
import { BEFORE, FILE_CONTENT, FILE_PATH } from "../support/written_file.ts";
import { type Call, type OfferedTool, writeCall } from "./offered.ts";

/** What the person asks the agent for; no request but the one that asks for the file ends with it. */
export const PROMPT = "Write the file of test case 7c1d now";

/** What the file holds in the end, to the last byte. */
export { FILE_CONTENT };

/** Dialect → how a model prints a call in it. */
export const DIALECTS: Readonly<Record<string, (call: Call) => string>> = {
  "Qwen XML": (call) => {
    const parameters = Object.entries(call.arguments).map(([name, value]) =>
      `<parameter=${name}>\n${value}\n</parameter>\n`
    );
    return `<tool_call>\n<function=${call.name}>\n${parameters.join("")}</function>\n</tool_call>`;
  },
  "Hermes JSON": (call) => `<tool_call>\n${JSON.stringify(call)}\n</tool_call>`,
  "fenced JSON": (call) => `\`\`\`json\n${JSON.stringify(call, null, 2)}\n\`\`\``,
};

/** A model that plays the scenario once. */
export interface Model {
  /** How often it printed the call. */
  readonly calls: number;
  /** The tool that it called; undefined if it called none. */
  readonly tool: string | undefined;
  script(request: Arrived): Script;
}

/** Where the file is to be, inside the agent's working directory. */
export function filePath(folder: string): string {
  return join(folder, FILE_PATH);
}

/** Makes the folders of files: some agents' tools only write into a folder that exists. */
export function makeParents(paths: readonly string[]): void {
  for (const path of paths) Deno.mkdirSync(dirname(path), { recursive: true });
}

/**
 * Makes a model that prints its call in one dialect.
 *
 * @param folder the agent's working directory, absolute
 */
export function playModel(dialect: string, folder: string): Model {
  const print = DIALECTS[dialect];
  if (print === undefined || !isAbsolute(folder)) throw new Error(`Cannot play ${dialect} in ${folder}`);
  makeParents([filePath(folder)]);
  let calls = 0;
  let tool: string | undefined;
  return {
    get calls() {
      return calls;
    },
    get tool() {
      return tool;
    },
    script({ body }) {
      const request = readRequest(body);
      const call = writeCall(request.tools ?? [], { path: filePath(folder), content: FILE_CONTENT });
      const last = request.messages?.findLast((message) => !isReminder(message));
      if (call === undefined || !isPerson(last)) return { text: "ok" };
      calls++;
      tool = call.name;
      return { text: BEFORE + print(call) };
    },
  };
}

/** A message of a chat request. */
export interface Message {
  readonly role?: string;
  readonly content?: unknown;
  readonly tool_call_id?: string;
  readonly tool_calls?: readonly { readonly id?: string; readonly function: { readonly name?: string } }[];
}

/** A chat request as a model reads it. */
export interface ModelRequest {
  readonly messages?: readonly Message[];
  readonly tools?: readonly OfferedTool[];
  /** The token limit of the answer, by either of its names. */
  readonly max_tokens?: number;
  readonly max_completion_tokens?: number;
}

/** Reads the body of a request; agents also ask for lists without a body. */
export function readRequest(body: string): ModelRequest {
  return body === "" ? {} : JSON.parse(body);
}

/** Whether a message is only a reminder that an agent puts after what the person asks. */
function isReminder({ role, content }: Message): boolean {
  return role === "user" && typeof content === "string" && /^\s*<system-reminder>/.test(content) &&
    !content.includes(PROMPT);
}

/** Whether a message is the one in which the person asks. */
export function isPerson(message: Message | undefined): boolean {
  return message?.role === "user" && JSON.stringify(message.content).includes(PROMPT);
}
