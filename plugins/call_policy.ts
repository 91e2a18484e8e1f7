/**
 * Decides which calls may be made, by lists in the configuration: a call is allowed, denied (it stays text), or turned
 * into a question for the person if the client has a tool for that.
 *
 * @module
 */
import {
  type CallDecision,
  type ChatRequest,
  isAllowedCommand,
  matchesGlob,
  type Plugin,
  type PluginCall,
  type PluginContext,
  type RequestMessage,
} from "../src/proxy/plugin/mod.ts";

interface Options {
  readonly allow: readonly string[];
  readonly deny: readonly string[];
  readonly ask: readonly string[];
  readonly otherwise: "deny" | "ask";
  readonly commands: readonly string[];
  readonly command_parameters: readonly string[];
  readonly command_folder: string;
  readonly folder_parameters: readonly string[];
  readonly workspace: string;
  readonly path_parameters: readonly string[];
  readonly question_tool: string;
}

const NOTATION = "`TOOL: PATTERN` or `TOOL.PARAMETER: PATTERN`, with * as a wildcard";

/** The answer that lets a call pass. */
const YES = "Yes, run it";

/** How long an answer to a question is waited for. */
const QUESTION_TTL_MS = 600_000;

/** The most questions of a conversation that wait for an answer. */
const QUESTIONS_MAX = 16;

const plugin: Plugin<Options> = {
  name: "call_policy",
  description:
    "Allows, refuses, or asks the user to approve calls, according to lists of tools and arguments",
  options: {
    deny: { type: "texts", default: [], description: `Calls that are never made: ${NOTATION}` },
    ask: { type: "texts", default: [], description: `Calls that the user must approve: ${NOTATION}` },
    allow: { type: "texts", default: [], description: `The only allowed calls to these tools: ${NOTATION}` },
    otherwise: {
      type: "text",
      default: "deny",
      values: ["deny", "ask"],
      description: "What to do with a call that no list covers",
    },
    commands: {
      type: "texts",
      default: [],
      description: "The only words that commands can begin with; substitutions and redirections are refused",
    },
    command_parameters: {
      type: "texts",
      default: ["command", "cmd"],
      description: "Parameters that contain a command",
    },
    command_folder: {
      type: "text",
      default: "",
      description:
        "The absolute path of the folder for commands that specify none; calls to a tool without a parameter for it are refused",
    },
    folder_parameters: {
      type: "texts",
      default: ["cwd", "workdir", "working_directory", "directory", "dir"],
      description: "Parameters that contain a command's folder",
    },
    workspace: {
      type: "text",
      default: "",
      description: "The absolute path of the folder that must contain every path",
    },
    path_parameters: {
      type: "texts",
      default: [
        "path",
        "file_path",
        "filePath",
        "filepath",
        "filename",
        "absolute_path",
        "cwd",
        "directory",
        "dir",
      ],
      description: "Parameters that contain a path",
    },
    question_tool: {
      type: "text",
      default: "ask_followup_question",
      description:
        "The client's tool that asks the user; only the suggested yes allows the call, once. Without the tool, calls that need approval are refused",
    },
  },

  // Every answer ends the wait of the questions before it: what was agreed to is kept for this request alone.
  onRequest(_, { request, options, store, conversation }) {
    const asked = (store.take(conversation) ?? []) as readonly Question[];
    const agreed = asked.filter((question) => isAgreed(question, { request, tool: options.question_tool }));
    AGREED.set(request, new Set(agreed.map(({ call }) => call)));
    return undefined;
  },

  onCall(call, context) {
    if (call.tool === context.options.question_tool) return undefined;
    const placed = withFolder(call, context);
    if (placed === undefined) return { refuse: "the tool has no parameter for a command's folder" };
    const verdict = judge(placed, context.options);
    const decision = verdict?.decision === "ask"
      ? ask(placed, { context, why: verdict.why })
      : verdict && { refuse: verdict.why };
    return decision ?? (placed === call ? undefined : { arguments: placed.arguments });
  },
};

export default plugin;

interface Judgement {
  readonly decision: "deny" | "ask";
  /** Without contents of the call. */
  readonly why: string;
}

/** The strictest word counts: deny, then ask, then what is missing on a list. */
function judge(call: PluginCall, options: Options): Judgement | undefined {
  const denied = options.deny.find((entry) => matches(entry, call));
  if (denied !== undefined) return { decision: "deny", why: `denied by "${denied}"` };
  const asked = options.ask.find((entry) => matches(entry, call));
  if (asked !== undefined) return { decision: "ask", why: `"${asked}" asks first` };
  const missing = missingOn(call, options);
  return missing === undefined ? undefined : { decision: options.otherwise, why: missing };
}

function missingOn(call: PluginCall, options: Options): string | undefined {
  const lists = options.allow.filter((entry) => matchesGlob(readEntry(entry).tool, call.tool));
  if (lists.length > 0 && !lists.some((entry) => matches(entry, call))) {
    return "not on the list of allowed calls";
  }
  const commands = textsOf(call, options.command_parameters);
  const isListed = (command: string) => isAllowedCommand(command, options.commands);
  if (options.commands.length > 0 && !commands.every(isListed)) return "a command that is not on the list";
  const paths = textsOf(call, options.path_parameters);
  if (options.workspace !== "" && !paths.every((path) => isInside(path, options.workspace))) {
    return "a path outside the workspace";
  }
  return undefined;
}

/** A command's call with the folder in which it runs; undefined if its tool can't get one. */
function withFolder(call: PluginCall, { options, offered }: PluginContext<Options>): PluginCall | undefined {
  const { command_folder: folder, folder_parameters: names } = options;
  const isCommand = textsOf(call, options.command_parameters).length > 0;
  if (folder === "" || !isCommand || names.some((name) => Object.hasOwn(call.arguments, name))) return call;
  const schema = offered.resolve(call.tool)?.schema;
  const properties = typeof schema === "object" ? schema["properties"] : undefined;
  const name = names.find((name) => Object.hasOwn(properties ?? {}, name));
  return name === undefined ? undefined : { ...call, arguments: { ...call.arguments, [name]: folder } };
}

/** Every text under parameters of these names, however deep. */
function textsOf(call: PluginCall, names: readonly string[]): string[] {
  const find = (value: unknown, isNamed: boolean): string[] => {
    if (typeof value === "string") return isNamed ? [value] : [];
    if (typeof value !== "object" || value === null) return [];
    if (Array.isArray(value)) return value.flatMap((entry) => find(entry, isNamed));
    return Object.entries(value).flatMap(([key, inner]) => find(inner, isNamed || names.includes(key)));
  };
  return find(call.arguments, false);
}

function readEntry(entry: string): { tool: string; parameter: string | undefined; pattern: string } {
  const colon = entry.indexOf(":");
  const head = colon < 0 ? entry : entry.slice(0, colon);
  const dot = head.indexOf(".");
  return {
    tool: (dot < 0 ? head : head.slice(0, dot)).trim(),
    parameter: dot < 0 ? undefined : head.slice(dot + 1).trim(),
    pattern: colon < 0 ? "*" : entry.slice(colon + 1).trim(),
  };
}

function matches(entry: string, call: PluginCall): boolean {
  const { tool, parameter, pattern } = readEntry(entry);
  if (!matchesGlob(tool, call.tool)) return false;
  if (pattern === "*" && parameter === undefined) return true;
  const names = parameter === undefined ? Object.keys(call.arguments) : [parameter];
  return textsOf(call, names).some((text) => matchesGlob(pattern, text.replaceAll(/\s+/g, " ").trim()));
}

/** By the letters of the path: links are not followed. */
function isInside(path: string, workspace: string): boolean {
  const root = normalize(workspace);
  const plain = path.replaceAll("\\", "/");
  const isAbsolute = plain.startsWith("/") || /^[A-Za-z]:/.test(plain);
  if (plain.startsWith("~")) return false;
  const full = normalize(isAbsolute ? plain : `${root}/${plain}`);
  return full === root || full.startsWith(root === "/" ? "/" : `${root}/`);
}

function normalize(path: string): string {
  const steps: string[] = [];
  for (const step of path.replaceAll("\\", "/").split("/")) {
    if (step === "..") steps.pop();
    else if (step !== "" && step !== ".") steps.push(step);
  }
  return /^[A-Za-z]:/.test(path) ? steps.join("/").toLowerCase() : `/${steps.join("/")}`;
}

interface Question {
  /** The call, as JSON. */
  readonly call: string;
  readonly words: string;
  /** The position of the latest answer when it was asked: the one that asks comes after it. */
  readonly after: number;
}

/** Request → the calls that the person agreed to in it. */
const AGREED = new WeakMap<ChatRequest, Set<string>>();

/** The question instead of the call; a call that was just agreed to passes once. */
function ask(
  call: PluginCall,
  { context, why }: { readonly context: PluginContext<Options>; readonly why: string },
): CallDecision | undefined {
  const { offered, options, store, conversation, request } = context;
  const json = JSON.stringify([call.tool, call.arguments]);
  if (AGREED.get(request)?.delete(json) === true) {
    context.note("the person agreed");
    return undefined;
  }
  if (offered.resolve(options.question_tool) === undefined) return { refuse: why };
  const words = `The model wants to call ${call.tool} with ${JSON.stringify(call.arguments)}. Shall it?`;
  const asked = (store.get(conversation) ?? []) as readonly Question[];
  const question = { call: json, words, after: latestAnswer(messagesOf(request)) };
  store.put(conversation, [...asked, question].slice(-QUESTIONS_MAX), { ttlMs: QUESTION_TTL_MS });
  context.note(why);
  const answers = `<suggest>${YES}</suggest>\n<suggest>No, do something else</suggest>`;
  return { replace: [{ tool: options.question_tool, arguments: { question: words, follow_up: answers } }] };
}

function messagesOf({ messages }: ChatRequest): readonly RequestMessage[] {
  const all = Array.isArray(messages) ? messages : [];
  return all.filter((message) => typeof message === "object" && message !== null);
}

function latestAnswer(messages: readonly RequestMessage[]): number {
  return messages.findLastIndex(({ role }) => role === "assistant");
}

/** Whether what came after the latest answer, which asked the question, is the person's yes to it. */
function isAgreed(
  { words, after }: Question,
  { request, tool }: { readonly request: ChatRequest; readonly tool: string },
): boolean {
  const messages = messagesOf(request);
  const at = latestAnswer(messages);
  if (at <= after) return false;
  const results = messages.slice(at + 1);
  const calls = messages[at]?.tool_calls;
  const ids = (Array.isArray(calls) ? calls : [])
    .filter((call) => call?.function?.name === tool && questionOf(call.function.arguments) === words)
    .map(({ id }) => id);
  // Two results of one id contradict each other.
  const own = results.filter(({ role, tool_call_id: id }) => role === "tool" && ids.includes(String(id)));
  const answers = own.length > 0
    ? own.map(textOf)
    : results.flatMap((message) => labeledAnswer(message, { tool, words }));
  return answers.length === 1 && isYes(String(answers[0]));
}

function questionOf(json: unknown): unknown {
  try {
    return Object(JSON.parse(String(json))).question;
  } catch {
    return undefined;
  }
}

/** The answer in a message of a client that reads calls in the text; what other results contain never counts. */
function labeledAnswer(
  message: RequestMessage,
  { tool, words }: { readonly tool: string; readonly words: string },
): string[] {
  const label = `[${tool} for '${words}'] Result:`;
  const text = textOf(message).trimStart();
  if (message.role !== "user" || !text.startsWith(label)) return [];
  const answer = text.slice(label.length).trimStart();
  const end = answer.indexOf(ANSWER_CLOSER);
  return end < 0 ? [answer] : [answer.slice(0, end + ANSWER_CLOSER.length)];
}

/** What clients put around the person's words. */
const ANSWER_OPENER = "<answer>";
const ANSWER_CLOSER = "</answer>";

function isYes(answer: string): boolean {
  const text = answer.trim();
  const isMarked = text.startsWith(ANSWER_OPENER) && text.endsWith(ANSWER_CLOSER);
  return (isMarked ? text.slice(ANSWER_OPENER.length, -ANSWER_CLOSER.length) : text).trim() === YES;
}

function textOf({ content }: RequestMessage): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  return content.map((part) => typeof part?.text === "string" ? part.text : "").join("\n");
}
