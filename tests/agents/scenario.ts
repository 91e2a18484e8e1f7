/**
 * What the model plays for an agent: asked by the person, it prints one call of the agent's own write tool; asked
 * for anything else (a title, a summary, the turn after the call) it says "ok". The names of the tool and of its
 * parameters are read from the request, as a model reads them.
 *
 * @module
 */
import { isAbsolute, join } from "node:path";
import type { Arrived, Script } from "../support/scripted_upstream.ts";
import { BEFORE, FILE_CONTENT, FILE_PATH } from "../support/written_file.ts";

/** What the person tells the agent; no request but the one that asks for the file ends with it. */
export const PROMPT = "Write the file of test case 7c1d now";

/** What the file holds in the end, to the last byte. */
export { FILE_CONTENT };

/** A call with the names that the agent offered. */
interface Call {
  readonly name: string;
  readonly arguments: Readonly<Record<string, string>>;
}

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
  script(request: Arrived): Script;
}

/** Where the file is to be, inside the agent's working directory. */
export function filePath(folder: string): string {
  return join(folder, FILE_PATH);
}

/**
 * Makes a model that prints its call in one dialect.
 *
 * @param folder the agent's working directory, absolute
 */
export function playModel(dialect: string, folder: string): Model {
  const print = DIALECTS[dialect];
  if (print === undefined || !isAbsolute(folder)) throw new Error(`Cannot play ${dialect} in ${folder}`);
  let calls = 0;
  return {
    get calls() {
      return calls;
    },
    script({ body }) {
      const request = readRequest(body);
      const call = findCall(request.tools ?? [], filePath(folder));
      if (call === undefined || !isPerson(request.messages?.at(-1))) return { text: "ok" };
      calls++;
      return { text: BEFORE + print(call) };
    },
  };
}

interface Message {
  readonly role?: string;
  readonly content?: unknown;
}

interface OfferedTool {
  readonly function?: {
    readonly name?: string;
    readonly parameters?: { readonly properties?: Readonly<Record<string, unknown>> };
  };
}

interface ModelRequest {
  readonly messages?: readonly Message[];
  readonly tools?: readonly OfferedTool[];
}

function readRequest(body: string): ModelRequest {
  return body === "" ? {} : JSON.parse(body);
}

function isPerson(message: Message | undefined): boolean {
  return message?.role === "user" && JSON.stringify(message.content).includes(PROMPT);
}

/** The call that writes the file: of the agent's write tool or, if it has none, of its shell. */
function findCall(tools: readonly OfferedTool[], path: string): Call | undefined {
  const tool = tools.map(readWriteTool).find((tool) => tool !== undefined);
  if (tool !== undefined) {
    return { name: tool.name, arguments: { [tool.path]: path, [tool.content]: FILE_CONTENT } };
  }
  const shell = tools.find((offered) => offered.function?.parameters?.properties?.["cmd"] !== undefined);
  const cmd =
    `mkdir -p "$(dirname '${path}')" && cat > '${path}' <<'END_OF_FILE'\n${FILE_CONTENT}END_OF_FILE`;
  return shell && { name: shell.function?.name ?? "", arguments: { cmd } };
}

/** The names of the agent's write tool, if this is the one. */
function readWriteTool({ function: offered }: OfferedTool) {
  const names = Object.keys(offered?.parameters?.properties ?? {});
  const path = names.find((name) => /^(file_?)?path$/i.test(name));
  if (!/^write/i.test(offered?.name ?? "") || path === undefined || !names.includes("content")) {
    return undefined;
  }
  return { name: offered?.name ?? "", path, content: "content" };
}
