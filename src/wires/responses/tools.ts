/**
 * The tools of OpenAI's Responses API, which has more kinds than chat completions: functions, custom tools with raw text
 * as input, and namespaces of both. The model gets functions, whose names are mapped back to the client's tools.
 *
 *     {type: function, name: f}                        f            ─▶ function_call f
 *     {type: custom, name: apply_patch}                apply_patch  ─▶ custom_tool_call apply_patch, with `input` as text
 *     {type: namespace, name: n, tools: [f]}           n__f         ─▶ function_call f, namespace n
 *
 * @see https://platform.openai.com/docs/api-reference/responses/create
 * @module
 */
import { INPUT_SCHEMA, withGrammar } from "../../chat/message/custom_tool.ts";
import { isRecord } from "../../engine/object/record.ts";
import { withoutNulls } from "../chat_body.ts";
import type { JsonObject, ServerTool } from "../wire.ts";

interface ClientTool {
  readonly name: string;
  readonly namespace?: string | undefined;
  readonly isCustom: boolean;
}

/** The longest name of a function that servers accept. */
const NAME_MAX = 64;

/** The tools of one request: what the model is offered, and what the client calls it. */
export class ToolList {
  readonly functions: JsonObject[] = [];
  /** The tools that only OpenAI's API has, by type. */
  readonly serverTools: ServerTool[] = [];
  readonly #byFunction = new Map<string, ClientTool>();
  readonly #byClient = new Map<string, string>();

  add(tools: unknown, namespace?: string): void {
    if (!Array.isArray(tools)) return;
    for (const tool of tools.filter(isRecord)) {
      const { type, name } = tool;
      if (type === "namespace") this.add(tool["tools"], String(name));
      else if (type === "local_shell") {
        this.#addFunction(LOCAL_SHELL, { name: "local_shell", isCustom: false });
      } else if (type === "function" || type === "custom") {
        if (typeof name === "string") {
          this.#addFunction(tool, { name, namespace, isCustom: type === "custom" });
        }
      } else this.serverTools.push({ name: String(type), entry: tool });
    }
  }

  /** Only the named functions and the types of server tools remain; for `tool_choice: allowed_tools`. */
  keep(allowed: readonly string[]): void {
    const kept = this.functions.filter((entry) => {
      const called = entry["function"];
      return isRecord(called) && allowed.includes(String(called["name"]));
    });
    this.functions.splice(0, Infinity, ...kept);
    this.serverTools.splice(0, Infinity, ...this.serverTools.filter(({ name }) => allowed.includes(name)));
  }

  /** The name of the function for a tool of the client; the tool's own if it was not offered. */
  functionOf(name: string, namespace?: unknown): string {
    return this.#byClient.get(key(name, namespace)) ?? name;
  }

  /** The client's tool for a function that the model calls. */
  toolOf(name: string): ClientTool {
    return this.#byFunction.get(name) ?? { name, isCustom: false };
  }

  #addFunction(source: JsonObject, tool: ClientTool): void {
    const name = this.#freeName(tool);
    this.#byFunction.set(name, tool);
    this.#byClient.set(key(tool.name, tool.namespace), name);
    const { description, parameters, strict, format } = source;
    const called = tool.isCustom
      ? { name, description: withGrammar(description, definitionOf(format)), parameters: INPUT_SCHEMA }
      : {
        name,
        parameters: parameters ?? { type: "object", properties: {} },
        ...withoutNulls({ description, strict }),
      };
    this.functions.push({ type: "function", function: called });
  }

  #freeName({ name, namespace }: ClientTool): string {
    const full = namespace === undefined ? name : `${namespace}__${name}`;
    let free = full.slice(-NAME_MAX);
    for (let count = 2; this.#byFunction.has(free); count++) {
      free = `${full.slice(0, NAME_MAX - 4)}_${count}`;
    }
    return free;
  }
}

/** The client's own shell, which has no schema on this wire. */
const LOCAL_SHELL = {
  description: "Runs a command on the user's machine",
  parameters: {
    type: "object",
    properties: {
      command: { type: "array", items: { type: "string" }, description: "The program and its arguments" },
      workdir: { type: "string" },
      timeout_ms: { type: "number" },
    },
    required: ["command"],
  },
};

function definitionOf(format: unknown): unknown {
  return isRecord(format) ? format["definition"] : undefined;
}

function key(name: string, namespace: unknown): string {
  return typeof namespace === "string" ? `${namespace}\n${name}` : name;
}
