import assert from "node:assert/strict";
import { recognize } from "../../../src/chat/client/recognize.ts";
import { renderedText, shippedClients } from "../../support/client_files.ts";
import {
  CLINE_COMPACT_PROMPT,
  CLINE_COMPACT_TOOLS,
  CLINE_PROMPT,
  CLINE_TOOLS,
  ROO_TOOLS,
  rooPrompt,
} from "../../support/prompts.ts";

const clients = shippedClients();
const ROO = rooPrompt({ hasArgs: true, hasLineCount: false });
const TASK = { role: "user", content: "<task>\nfix it\n</task>" };
const READ_FILE = { type: "function", function: { name: "read_file", parameters: { type: "object" } } };

interface Case {
  readonly name: string;
  readonly request: Record<string, unknown>;
  readonly headers?: Record<string, string>;
  readonly client: string | undefined;
  readonly tools?: readonly string[];
}

const system = (content: unknown, role = "system"): Record<string, unknown> => ({
  messages: [{ role, content }, TASK],
});

const CASES: readonly Case[] = [
  {
    name: "Roo by its User-Agent",
    request: system(ROO),
    headers: { "User-Agent": "RooCode/3.28.0" },
    client: "roo",
    tools: ROO_TOOLS,
  },
  { name: "Roo without its headers, by its tools", request: system(ROO), client: "roo", tools: ROO_TOOLS },
  {
    name: "Kilo by its title, in a prompt as parts",
    request: system([{ type: "text", text: ROO, cache_control: { type: "ephemeral" } }]),
    headers: { "X-Title": "Kilo Code" },
    client: "roo",
    tools: ROO_TOOLS,
  },
  {
    name: "Roo with a developer message",
    request: system(`Formatting re-enabled\n${ROO}`, "developer"),
    client: "roo",
    tools: ROO_TOOLS,
  },
  {
    name: "Roo in the R1 format: the system prompt is the first user message",
    request: { messages: [{ role: "user", content: `${ROO}\n<task>fix it</task>` }] },
    client: "roo",
    tools: ROO_TOOLS,
  },
  {
    name: "Roo with a prompt of Windows line ends",
    request: system(ROO.replaceAll("\n", "\r\n")),
    client: "roo",
    tools: ROO_TOOLS,
  },
  {
    name: "Roo by its header, although its user's instructions speak of Cline's words",
    request: system(`${ROO}\nNever set requires_approval. You are Cline no more.`),
    headers: { "User-Agent": "RooCode/3.28.0" },
    client: "roo",
    tools: ROO_TOOLS,
  },
  { name: "Cline by its prompt", request: system(CLINE_PROMPT), client: "cline", tools: CLINE_TOOLS },
  {
    name: "Cline by its compact prompt",
    request: system(CLINE_COMPACT_PROMPT),
    client: "cline",
    tools: CLINE_COMPACT_TOOLS,
  },
  {
    name: "native Roo, by its tools",
    request: { ...system("TOOL USE\nUse the provider-native tool-calling mechanism."), tools: [READ_FILE] },
    headers: { "User-Agent": "RooCode/3.43.0" },
    client: "openai",
    tools: ["read_file"],
  },
  {
    name: "Copilot CLI, by a header that only it sends",
    request: { messages: [TASK], tools: [READ_FILE] },
    headers: { "User-Agent": "OpenAI/JS 5.20.1", "X-Initiator": "user" },
    client: "copilot_cli",
    tools: ["read_file"],
  },
  {
    name: "tools before any prompt",
    request: { ...system(ROO), tools: [READ_FILE] },
    client: "openai",
    tools: ["read_file"],
  },
  {
    name: "the legacy functions",
    request: { messages: [TASK], functions: [{ name: "look" }] },
    client: "openai",
    tools: ["look"],
  },
  {
    name: "a helper request of Roo without a tool list",
    request: { messages: [{ role: "user", content: "Write a better prompt: # Tools are nice" }] },
    headers: { "User-Agent": "RooCode/3.43.0" },
    client: undefined,
  },
  {
    name: "a tool list of somebody else",
    request: system("# Tools\n\n## read_file\n- path: (required)\n"),
    client: undefined,
  },
  {
    name: "calls forbidden",
    request: { messages: [TASK], tools: [READ_FILE], tool_choice: "none" },
    client: undefined,
  },
  { name: "an empty list of tools", request: { messages: [TASK], tools: [] }, client: undefined },
  {
    name: "tools without a name",
    request: { ...system(ROO), tools: [{ type: "custom" }, null] },
    client: undefined,
  },
  { name: "nothing at all", request: {}, client: undefined },
  {
    name: "messages that are none",
    request: { messages: [null, 5, { role: "system", content: 7 }] },
    client: undefined,
  },
];

for (const { name, request, headers, client, tools } of CASES) {
  Deno.test(`recognize: ${name}`, () => {
    const found = recognize(request, new Headers(headers), clients);
    assert.equal(found?.client.client, client);
    assert.deepEqual(found?.offered.names, tools);
    if (found !== undefined) assert.equal(found.wholeCalls, found.client.writes === "text");
  });
}

Deno.test("recognize offers aliases of listed tools only", () => {
  const offered = recognize(system(ROO), new Headers(), clients)?.offered;
  assert.equal(offered?.resolve("write_file")?.name, "write_to_file");
  assert.equal(offered?.resolve("ask_followup")?.name, "ask_followup_question");
  assert.equal(offered?.resolve("bash")?.name, "execute_command");
  assert.equal(offered?.resolve("grep"), undefined);
  assert.equal(offered?.resolve("browser_action"), undefined);
});

Deno.test("recognize gives native tools the request's own schemas", () => {
  const parameters = { type: "object", properties: { path: { type: "string" } } };
  const tools = [{ type: "function", function: { name: "look", parameters } }, {
    function: { name: "bare" },
  }];
  const offered = recognize({ tools }, new Headers(), clients)?.offered;
  assert.equal(offered?.resolve("look")?.schema, parameters);
  assert.deepEqual(offered?.resolve("bare"), { name: "bare" });
});

Deno.test("recognize takes a forced client and still reads the tools from the request", () => {
  const plain = system(ROO.replaceAll("switch_mode", "x").replaceAll("apply_diff", "y"));
  assert.deepEqual(
    recognize(plain, new Headers(), clients, "cline")?.offered.names,
    ["read_file", "write_to_file", "execute_command", "ask_followup_question", "attempt_completion"],
  );
  assert.equal(
    recognize({ ...system(ROO), tools: [READ_FILE] }, new Headers(), clients, "roo")?.client.client,
    "roo",
  );
  assert.equal(recognize(system(ROO), new Headers(), clients, "openai"), undefined);
  assert.equal(recognize(system(ROO), new Headers(), clients, "nobody"), undefined);
});

Deno.test("recognize reads the form of a call from the request's own prompt", () => {
  const cases = [
    {
      prompt: rooPrompt({ hasArgs: true, hasLineCount: true }),
      read: "<read_file>\n<args>\n<file>\n<path>a.ts</path>\n</file>\n</args>\n</read_file>",
      write:
        "<write_to_file>\n<path>b.ts</path>\n<content>\nx\ny\n</content>\n<line_count>2</line_count>\n</write_to_file>",
    },
    {
      prompt: rooPrompt({ hasArgs: false, hasLineCount: false }),
      read: "<read_file>\n<path>a.ts</path>\n</read_file>",
      write: "<write_to_file>\n<path>b.ts</path>\n<content>\nx\ny\n</content>\n</write_to_file>",
    },
  ];
  for (const { prompt, read, write } of cases) {
    const found = recognize(system(prompt), new Headers(), clients);
    assert.ok(found);
    assert.equal(renderedText(found, { tool: "read_file", arguments: { file: "a.ts" } }), read);
    assert.equal(
      renderedText(found, { tool: "write_to_file", arguments: { path: "b.ts", content: "x\ny" } }),
      write,
    );
  }
});

Deno.test("recognize lets the model's name decide what the client decodes", () => {
  const call = { tool: "write_to_file", arguments: { path: "a.html", content: "&lt;" } };
  for (const [model, content] of [["qwen3", "&amp;lt;"], ["claude-5", "&lt;"]] as const) {
    const found = recognize({ ...system(ROO), model }, new Headers(), clients);
    assert.ok(found);
    assert.ok(renderedText(found, call).includes(`\n${content}\n`));
  }
});

Deno.test("recognize assumes all the tools of a client whose prompt lists none", () => {
  const custom = system("You are a careful engineer. Call tools in XML.");
  const cases: [Record<string, unknown>, string | undefined, string | undefined, string | undefined][] = [
    [custom, "RooCode/3.36.2", undefined, "roo"],
    [custom, "RooCode/3.42.0", undefined, undefined],
    [custom, "RooCode/4.1", undefined, undefined],
    [custom, "Cline/3.20.1", undefined, "cline"],
    [custom, "curl/8", undefined, undefined],
    [{ messages: [TASK] }, "RooCode/3.36.2", undefined, undefined],
    [{ messages: [TASK] }, undefined, "roo", "roo"],
    [custom, undefined, "cline", "cline"],
    [custom, undefined, "openai", undefined],
  ];
  for (const [request, agent, forced, client] of cases) {
    const headers = new Headers(agent === undefined ? {} : { "user-agent": agent });
    const found = recognize(request, headers, clients, forced);
    assert.equal(found?.client.client, client, `${agent} ${forced}`);
    if (found === undefined) continue;
    assert.equal(found.isAssumed, true);
    assert.deepEqual(found.offered.names, Object.keys(found.client.tools));
  }
});
