/**
 * Conversations that a model's template refuses, on every wire, streamed and whole: the server takes the first request, and gets
 * the same messages from each. Ids differ, but a result has the id of its call.
 *
 * @module
 */
import assert from "node:assert/strict";
import { builtInService } from "../support/built_in.ts";
import { startProxy, testConfig } from "../support/proxy.ts";
import { type Script, startUpstream } from "../support/scripted_upstream.ts";
import { onRows, readRaw, TOOL, WIRE_TABLE, WIRES } from "../support/wire_table.ts";
import { functionCall } from "../support/chat_tools.ts";

// deno-lint-ignore no-explicit-any
type Value = any;

/** A message in the terms of no wire. */
type Turn =
  | { readonly role: "system" | "developer"; readonly text: string }
  | { readonly role: "user"; readonly text: string | readonly string[] }
  | { readonly role: "assistant"; readonly text: string | null; readonly calls?: readonly string[] }
  | { readonly role: "result"; readonly call: string; readonly text: string };

const system = (text: string): Turn => ({ role: "system", text });
const user = (...text: string[]): Turn => ({ role: "user", text: text.length > 1 ? text : text[0]! });
const assistant = (text: string | null, ...calls: string[]): Turn => ({ role: "assistant", text, calls });
const result = (call: string, text: string): Turn => ({ role: "result", call, text });

const OTHERS = ["anthropic", "ollama", "gemini"];

interface Case {
  readonly name: string;
  readonly server: string;
  /** The model whose name shows the template. */
  readonly model: string;
  readonly turns: readonly Turn[];
  /** What the template raises. */
  readonly refuse: (messages: readonly Value[]) => string | undefined;
  /** What the server gets, in short. */
  readonly gets: readonly string[];
  /** What it gets from wires that join texts on their own: pieces of one turn as they are, and all of the system's texts. */
  readonly joined?: Readonly<Record<string, readonly string[]>>;
  /** The wires that have no such message. */
  readonly without?: readonly string[];
}

const roles = (messages: readonly Value[]) => messages.map(({ role }) => role);
const isAlternating = (messages: readonly Value[]) =>
  messages.filter(({ role, tool_calls: calls }) => role === "user" || (role === "assistant" && !calls))
    .every(({ role }, at) => (role === "user") === (at % 2 === 0));

const ALTERNATING = ["user A\n\nB", "assistant  +t", "tool found", "assistant Done.", "user C"];

/** What the wires send whose texts of one turn are the pieces of a stream. */
function inPieces(gets: readonly string[]) {
  return { ollama: gets, gemini: gets };
}

const CASES: readonly Case[] = [
  {
    name: "a system message that isn't first",
    server: "llama.cpp",
    model: "Qwen3.5-4B",
    turns: [system("A"), user("Go."), assistant("B"), system("C"), user("On.")],
    refuse: (messages) =>
      roles(messages).lastIndexOf("system") > 0 ? "System message must be at the beginning." : undefined,
    gets: ["system A", "user Go.", "assistant B", "user <system>\nC\n</system>", "user On."],
    joined: {
      responses: ["system A\n\nC", "user Go.", "assistant B", "user On."],
      ollama: ["system A\n\nC", "user Go.", "assistant B", "user On."],
    },
    without: ["anthropic", "gemini"],
  },
  {
    name: "the role developer",
    server: "vllm",
    model: "Qwen2.5-7B",
    turns: [{ role: "developer", text: "A" }, user("Go.")],
    refuse: (messages) => roles(messages).includes("developer") ? "Unexpected message role." : undefined,
    gets: ["system A", "user Go."],
    without: OTHERS,
  },
  {
    name: "roles that don't alternate",
    server: "llama.cpp",
    model: "Mistral-Nemo",
    turns: [
      user("A"),
      user("B"),
      assistant("", "aaaaaaaaa"),
      result("aaaaaaaaa", "found"),
      user("C"),
      assistant("D"),
      assistant("E"),
      user("F"),
    ],
    refuse: (messages) =>
      isAlternating(messages)
        ? undefined
        : "After the optional system message, conversation roles must alternate user/assistant/user/assistant/...",
    gets: [...ALTERNATING, "assistant D\n\nE", "user F"],
    joined: inPieces([...ALTERNATING, "assistant DE", "user F"]),
  },
  {
    name: "a result without its call",
    server: "llama.cpp",
    model: "gpt-oss-120b",
    turns: [user("Go."), result("gone", "found"), user("On.")],
    refuse: (messages) =>
      roles(messages).includes("tool")
        ? "Message has tool role, but there was no previous assistant message with a tool call!"
        : undefined,
    gets: ["user Go.", "user <tool_result>\nfound\n</tool_result>", "user On."],
  },
  {
    name: "several calls in a message",
    server: "vllm",
    model: "meta-llama/Llama-3.1-8B",
    turns: [user("Go."), assistant("I look.", "a", "b"), result("a", "1"), result("b", "2")],
    refuse: (messages) =>
      messages.some(({ tool_calls: calls }) => calls?.length > 1)
        ? "This model only supports single tool-calls at once!"
        : undefined,
    gets: ["user Go.", "assistant I look. +t", "tool 1", "assistant  +t", "tool 2"],
  },
  {
    name: "a message of the assistant without content",
    server: "llama.cpp",
    model: "m",
    turns: [user("Go."), assistant(null, "a"), result("a", ""), assistant(""), user("On.")],
    refuse: () => undefined,
    gets: ["user Go.", "assistant  +t", "tool ", "assistant ", "user On."],
    joined: { anthropic: ["user Go.", "assistant  +t", "tool ", "user On."] },
  },
  {
    name: "content in parts",
    server: "mlx",
    model: "m",
    turns: [user("A", "B"), assistant("C"), user("D")],
    refuse: () => undefined,
    gets: ["user A\n\nB", "assistant C", "user D"],
    joined: {
      chat: ["user A|B", "assistant C", "user D"],
      ollama: ["user A\nB", "assistant C", "user D"],
      gemini: ["user AB", "assistant C", "user D"],
    },
  },
  {
    name: "messages of the assistant at the end",
    server: "llama.cpp",
    model: "m",
    turns: [user("Go."), assistant("A"), assistant("B")],
    refuse: (messages) =>
      roles(messages).slice(-2).join() === "assistant,assistant"
        ? "Cannot have 2 or more assistant messages at the end of the list."
        : undefined,
    gets: ["user Go.", "assistant A\n\nB"],
    joined: inPieces(["user Go.", "assistant AB"]),
  },
];

/** Wire → the messages of a request. */
const WRITERS: Readonly<Record<string, (turns: readonly Turn[]) => Record<string, unknown>>> = {
  chat: (turns) => ({
    messages: turns.map((turn) => {
      if (turn.role === "result") return { role: "tool", tool_call_id: turn.call, content: turn.text };
      if (turn.role !== "assistant") return { role: turn.role, content: partsOf(turn.text) };
      const calls = turn.calls?.map((id) => (functionCall(id, TOOL.name, "{}")));
      return { role: "assistant", content: turn.text, ...calls?.length ? { tool_calls: calls } : {} };
    }),
  }),
  anthropic: (turns) => ({
    messages: turns.map((turn) => {
      if (turn.role === "result") {
        const block = { type: "tool_result", tool_use_id: turn.call, content: turn.text };
        return { role: "user", content: [block] };
      }
      if (turn.role !== "assistant") return { role: turn.role, content: partsOf(turn.text) };
      const calls = turn.calls?.map((id) => ({ type: "tool_use", id, name: TOOL.name, input: {} })) ?? [];
      const text = turn.text ? [{ type: "text", text: turn.text }] : [];
      return { role: "assistant", content: calls.length === 0 ? turn.text : [...text, ...calls] };
    }),
  }),
  responses: (turns) => ({
    input: turns.flatMap((turn): Value[] => {
      if (turn.role === "result") {
        return [{ type: "function_call_output", call_id: turn.call, output: turn.text }];
      }
      const type = turn.role === "assistant" ? "output_text" : "input_text";
      const parts = [turn.text].flat().map((text) => ({ type, text }));
      const message = turn.text === null ? [] : [{ type: "message", role: turn.role, content: parts }];
      const calls = turn.role !== "assistant" ? [] : turn.calls ?? [];
      return [
        ...message,
        ...calls.map((id) => ({ type: "function_call", call_id: id, name: TOOL.name, arguments: "{}" })),
      ];
    }),
  }),
  ollama: (turns) => ({
    messages: turns.map((turn) => {
      if (turn.role === "result") return { role: "tool", tool_name: TOOL.name, content: turn.text };
      if (turn.role !== "assistant") return { role: turn.role, content: [turn.text].flat().join("\n") };
      const calls = turn.calls?.map(() => ({ function: { name: TOOL.name, arguments: {} } }));
      return { role: "assistant", content: turn.text ?? "", ...calls?.length ? { tool_calls: calls } : {} };
    }),
  }),
  gemini: (turns) => ({
    contents: turns.map((turn) => {
      if (turn.role === "result") {
        return {
          role: "user",
          parts: [{ functionResponse: { name: TOOL.name, response: { output: turn.text } } }],
        };
      }
      const calls = turn.role !== "assistant" ? [] : turn.calls ?? [];
      const text = turn.text === null || turn.text === "" && calls.length > 0 ? [] : [turn.text].flat();
      return {
        role: turn.role === "assistant" ? "model" : "user",
        parts: [
          ...text.map((text) => ({ text })),
          ...calls.map(() => ({ functionCall: { name: TOOL.name, args: {} } })),
        ],
      };
    }),
  }),
};

function partsOf(text: string | readonly string[]): unknown {
  return typeof text === "string" ? text : text.map((text) => ({ type: "text", text }));
}

/** Messages in short; a call or a result of another id than the one it belongs to is marked. */
function inShort(messages: readonly Value[]): string[] {
  const open: string[] = [];
  return messages.map(({ role, content, tool_calls: calls = [], tool_call_id: id }) => {
    for (const call of calls) open.push(call.id);
    const isOther = role === "tool" && open.shift() !== id;
    const text = Array.isArray(content) ? content.map((part) => part.text).join("|") : content ?? "";
    return `${role}${isOther ? "?" : ""} ${text}${
      calls.map((call: Value) => ` +${call.function.name}`).join("")
    }`;
  });
}

Deno.test("the table has every wire", () => {
  assert.deepEqual(Object.keys(WRITERS).sort(), [...WIRES].sort());
});

for (const { name, server, model, turns, refuse, gets, joined = {}, without = [] } of CASES) {
  Deno.test(`${name}: the server gets the same messages from every wire, in the form that it takes`, async () => {
    await onRows(WIRE_TABLE.filter(({ wire }) => !without.includes(wire)), async (row) => {
      await using upstream = startUpstream(({ body }): Script => {
        const message = refuse(JSON.parse(body).messages);
        const error = { code: 400, message, type: "invalid_request_error" };
        return message === undefined
          ? { text: "Fine." }
          : { error: { status: 400, body: JSON.stringify({ error }) } };
      });
      const own = {
        name: "local",
        url: upstream.url,
        server,
        model_names: { m: model },
        // Else the server is asked where answers begin, too.
        begins_in_reasoning: false,
      };
      await using proxy = await startProxy(await builtInService(testConfig(undefined, { upstreams: [own] })));
      const { path, body } = row.request({ task: "", tool: TOOL });
      const response = await fetch(proxy.origin + path, {
        method: "POST",
        body: JSON.stringify({ ...body, ...WRITERS[row.wire]!(turns) }),
      });
      const outcome = row.read({ status: response.status, ...await readRaw(response) });
      const [asked, ...more] = upstream.requests.map(({ body }) => inShort(JSON.parse(body).messages));
      assert.deepEqual(
        [outcome.text, asked, more],
        ["Fine.", joined[row.wire] ?? gets, []],
        String(outcome.error),
      );
    });
  });
}
