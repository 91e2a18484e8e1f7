/**
 * The examples of what the program is for, to the letter, through the proxy: whole, and streamed by 7 and by 1 characters. The
 * rules in `tests/rules/newcomer` are six mappings as a newcomer writes them after the first section of the format's page, and
 * the rules of that section itself are read from the page.
 */
import assert from "node:assert/strict";
import { join } from "node:path";
import { loadClients } from "../../src/chat/client/load.ts";
import { readCases } from "../../src/analysis/conformance/case.ts";
import type { AuditLine } from "../../src/admin/audit/line.ts";
import { recordRequest } from "../../src/admin/audit/record.ts";
import { loadRules } from "../../src/engine/rule/load.ts";
import { createService } from "../../src/proxy/exchange/service.ts";
import { functionTool } from "../support/chat_tools.ts";
import { hear } from "../support/chunks.ts";
import { isDecision } from "../../src/engine/event/reason.ts";
import { temporaryFolder } from "../support/temporary_folder.ts";
import { CLINE_PROMPT, rooPrompt } from "../support/prompts.ts";
import { askChat, startProxy, testConfig } from "../support/proxy.ts";
import { startUpstream } from "../support/scripted_upstream.ts";

const FOLDER = join(import.meta.dirname!, "..", "rules", "newcomer");

const PAGE = await Deno.readTextFile("rules/README.md");

/** The rules of the page's first section, in its order: the block of code, then a row of the table each. */
function pageRules(): Record<string, string> {
  const [, section = ""] = PAGE.split("\n## The shortest rules\n");
  const [, block = ""] = section.split("```yaml\nrule: list\n");
  const rows = section.split("\n## ")[0]!.split("\n").filter((line) => line.includes("| `pattern: "));
  const bodies = [
    block.split("```")[0]!,
    ...rows.map((row) => [...row.split(" | ")[1]!.matchAll(/`([^`]+)`/g)].map(([, line]) => line).join("\n")),
  ];
  return Object.fromEntries(bodies.map((body, at) => [`page_${at}.yaml`, `rule: page_${at}\n${body}\n`]));
}

const TOOLS = [
  functionTool("read_file", { path: "string", limit: "integer" }, { required: ["path"] }),
  functionTool("execute_command", { command: "string", background: "boolean" }, { required: ["command"] }),
  functionTool("write_file", { path: "string", content: "string", overwrite: "boolean" }, {
    required: ["path", "content"],
  }),
  functionTool("list_files", { path: "string" }, { required: ["path"] }),
  functionTool("search", { query: "string" }, { required: ["query"] }),
];

/** What the model writes for each rule of the page → the call. */
const OF_PAGE:
  readonly (readonly [answer: string, tool: string, given: Readonly<Record<string, unknown>>])[] = [
    ["ACTION[list]: src", "list_files", { path: "src" }],
    ["RUN: npm test", "execute_command", { command: "npm test", background: false }],
    ["FILE: a.ts\nTEXT: let x = 1;", "write_file", { path: "a.ts", content: "let x = 1;" }],
    ["WRITE a.ts\nlet x;\nlet y;\nEND", "write_file", { path: "a.ts", content: "let x;\nlet y;" }],
    ['<run>{"do": "shell", "with": {"cmd": "ls"}}</run>', "execute_command", { command: "ls" }],
    ['<call tool="search" query="a b"/>', "search", { query: "a b" }],
  ];

const file = (path: string) => `<read_file><path>${path}</path></read_file>`;

const BOTH: readonly Call[] = [["read_file", { path: "a" }], ["read_file", { path: "b" }]];

type Call = readonly [tool: string, given: Readonly<Record<string, unknown>>];

/** What the model prints → the text and the calls that an OpenAI client gets. */
const OPENAI: readonly (readonly [answer: string, text: string, ...calls: Call[]])[] = [
  ["Ok.\nOPEN: src/a b.ts\nMore.", "Ok.\nMore.", ["read_file", { path: "src/a b.ts" }]],
  ["OPEN: a.ts", "", ["read_file", { path: "a.ts" }]],
  ["Run:\n$ npm test\n", "Run:\n", ["execute_command", { command: "npm test" }]],
  ["$ rm -rf /\n", "$ rm -rf /\n"],
  [
    '```action\n{"do": "shell", "with": {"cmd": "ls"}}\n```',
    "",
    ["execute_command", { command: "ls" }],
  ],
  [
    'I use <use tool="read_file" path="a.ts" limit="5"/>',
    "I use ",
    ["read_file", { path: "a.ts", limit: 5 }],
  ],
  [
    "SAVE a.ts\nTEXT let x = 1;\nDone.",
    "Done.",
    ["write_file", { path: "a.ts", content: "let x = 1;", overwrite: true }],
  ],
  [
    "[[list src]]\n[[list tests]]",
    "",
    ["list_files", { path: "src" }],
    ["list_files", { path: "tests" }],
  ],
  [
    "I'll create it.\n<tool_call>\n<function=write_file>\n<parameter=path>\nsrc/a.ts\n</parameter>\n<parameter=content>\n" +
    'if (a < b && c > d) return "x";\n</parameter>\n</function>\n</tool_call>',
    "I'll create it.\n",
    ["write_file", { path: "src/a.ts", content: 'if (a < b && c > d) return "x";' }],
  ],
  [
    '```tool_code\n{"tool": "read_file", "path": "a.ts"}\n```',
    "",
    ["read_file", { path: "a.ts" }],
  ],
  ...OF_PAGE.map(([answer, ...call]) => [answer, "", call] as const),
  [`<multi_tool_use mode="parallel">\n${file("a")}\n${file("b")}\n</multi_tool_use>`, "", ...BOTH],
  [`<multi_tool_use mode="sequential">\n${file("a")}\n${file("b")}\n</multi_tool_use>`, "", ...BOTH],
  [`<parallel>${file("a")}${file("b")}</parallel>`, "", ...BOTH],
  [
    '{"tool_uses": [{"recipient_name": "functions.read_file", "parameters": {"path": "a"}}, ' +
    '{"recipient_name": "functions.read_file", "parameters": {"path": "b"}}]}',
    "",
    ...BOTH,
  ],
  ["```tool_code\n{invalid json}\n```\n", "```tool_code\n{invalid json}\n```\n"],
  ["Write `OPEN: a.ts` to open it.", "Write `OPEN: a.ts` to open it."],
  ["```\nOPEN: a.ts\n```\nopens it.", "```\nOPEN: a.ts\n```\nopens it."],
];

const READ = "<read_file>\n<path>a.ts</path>\n</read_file>";

const fenced = (call: string) => `Like this:\n\`\`\`xml\n${call}\n\`\`\``;

const write = (content: string) =>
  `<tool_call>\n${
    JSON.stringify({ name: "write_to_file", arguments: { path: "a.md", content } })
  }\n</tool_call>`;

const written = (content: string) =>
  `<write_to_file>\n<path>a.md</path>\n<content>\n${content}\n</content>\n</write_to_file>`;

/** What the model prints → what a client that runs XML in the text gets. */
const XML: readonly (readonly [client: "roo" | "cline", answer: string, text: string])[] = [
  // The client drops a line of three backticks at the content's beginning and one at its end, so one more is written.
  ["roo", write("# A\n```ts\nx\n```"), written("# A\n```ts\nx\n```\n```")],
  ["cline", write("# A\n```ts\nx\n```"), written("# A\n```ts\nx\n```\n```")],
  ["roo", write("```\nx\n```\n"), written("```\n```\nx\n```\n")],
  // The client takes one call in a message, and no text after it.
  ["roo", `Well.\n${READ}\nDone.`, `Well.\n${READ}`],
  ["cline", `${READ}\n\n\nDone.`, READ],
  ["roo", `<multi_tool_use mode="sequential">\n${READ}\n${READ}\n</multi_tool_use>`, READ],
  ["roo", READ, READ],
  ["roo", '```tool_code\n{"tool": "read_file", "path": "a.ts"}\n```', READ],
  ["roo", `I read it.\n\`\`\`xml\n${READ}\n\`\`\``, `I read it.\n\`\`\`xml\n${READ}`],
  ["cline", `\`\`\`\n${READ}\n\`\`\`\n`, `\`\`\`\n${READ}`],
  // The client knows neither name itself, so it runs neither example.
  [
    "cline",
    fenced(READ.replaceAll("path>", "file_path>")),
    fenced(READ.replaceAll("path>", "file_path>").replace("<read_file>", "<read_file >")),
  ],
  ["cline", fenced(READ.replaceAll("read_file>", "cat>")), fenced(READ.replaceAll("read_file>", "cat>"))],
  [
    "roo",
    `Like this:\n\`\`\`xml\n${READ}\n\`\`\`\nDo you want that?`,
    `Like this:\n\`\`\`xml\n${READ.replace("read_file>", "read_file >")}\n\`\`\`\nDo you want that?`,
  ],
  [
    "roo",
    "```bash\nnpm test\n```",
    "<execute_command>\n<command>npm test</command>\n</execute_command>",
  ],
];

const PROMPTS = {
  roo: rooPrompt({ hasArgs: false, hasLineCount: false }),
  cline: CLINE_PROMPT.replaceAll("replace_in_file", "write_to_file").replaceAll("diff", "content"),
};

/** The decisions about the answers where they aren't one for each call, and a call for each. */
const DECISIONS: Readonly<Record<string, readonly string[]>> = {
  "$ rm -rf /\n": ["not_whitelisted"],
  "```tool_code\n{invalid json}\n```\n": ["invalid_arguments"],
  "```\nOPEN: a.ts\n```\nopens it.": ["quoted"],
};

const CASES = [
  ...OPENAI.map(([answer, text, ...calls]) => ({
    answer,
    text,
    calls: calls.map(([tool, given]) => [tool, JSON.stringify(given)]),
    client: "openai",
    decisions: DECISIONS[answer] ?? calls.map(() => "transformed"),
    body: { tools: TOOLS, messages: [{ role: "user", content: "Go" }] },
  })),
  ...XML.map(([client, answer, text]) => ({
    answer,
    text,
    calls: [],
    client,
    decisions: text.startsWith("Like this:") ? ["quoted"] : ["transformed"],
    body: {
      tools: undefined,
      messages: [{ role: "system", content: PROMPTS[client] }, { role: "user", content: "Go" }],
    },
  })),
];

const FACTS = "../shared/facts/dialects.md";

/** The dialects whose example stays text, and why. */
const LEFT: Readonly<Record<string, string>> = {
  "muse-glimmer": "it lacks the tool's required parameter and has one that the tool doesn't have",
};

interface FactsExample {
  readonly dialect: string;
  readonly text: string;
  readonly tools: readonly unknown[];
  readonly calls: readonly (readonly [string, unknown])[];
}

/** The shortest example of each dialect in the table of the facts, with the tools and calls that its suite has. */
async function factsExamples(): Promise<FactsExample[]> {
  const page = await Deno.readTextFile(FACTS).catch(() => "");
  const found: FactsExample[] = [];
  for (const row of page.split("\n").filter((line) => line.startsWith("| "))) {
    const [dialect = "", , , , cell = ""] = row.slice(2).split(/(?<!\\) \| /);
    const code = /^`(.*)`$/.exec(cell)?.[1];
    if (code === undefined) continue;
    const text = code.replaceAll("\\|", "|").replaceAll("\\n", "\n").replaceAll("'''", "```");
    const file = await Deno.readTextFile(`../shared/conformance/${dialect}.jsonl`).catch(() => "");
    const known = readCases({ file: dialect, text: file }).cases.find((one) =>
      one.text.trim() === text.trim()
    );
    const calls = known?.expect.calls?.map(({ name, arguments: given }) => [name, given] as const);
    const made = calls?.length ? calls : text.includes("special_function") ? SPECIAL : undefined;
    if (made === undefined) continue;
    found.push({ dialect, text, tools: known?.tools ?? made.map(toolOf), calls: made });
  }
  return found;
}

/** The call of the examples that no suite here has. */
const SPECIAL = [["special_function", { arg1: 1 }]] as const;

/** A tool that takes a call's arguments, where the suite has none. */
function toolOf([name, given]: readonly [string, unknown]) {
  const typeOf = (value: unknown) =>
    Array.isArray(value) ? "array" : Number.isInteger(value) ? "integer" : typeof value;
  const entries = Object.entries(Object(given)).map(([key, value]) => [key, typeOf(value)]);
  return functionTool(name, Object.fromEntries(entries));
}

/** An answer as a whole body, and as a stream of pieces of some length. */
function rawAnswer(text: string, length: number): { stream: string; body: string } {
  const chunk = (delta: unknown, finish: string | null) =>
    `data: ${
      JSON.stringify({
        id: "c",
        object: "chat.completion.chunk",
        created: 1,
        model: "m",
        choices: [{ index: 0, delta, finish_reason: finish }],
      })
    }\n\n`;
  const pieces = Array.from(
    { length: Math.ceil(text.length / length) },
    (_, index) => text.slice(index * length, (index + 1) * length),
  );
  const message = { role: "assistant", content: text };
  return {
    stream: pieces.map((content) => chunk({ content }, null)).join("") + chunk({}, "stop") +
      "data: [DONE]\n\n",
    body: JSON.stringify({
      id: "c",
      object: "chat.completion",
      created: 1,
      model: "m",
      choices: [{ index: 0, message, finish_reason: "stop" }],
    }),
  };
}

async function service(url: string) {
  const workingDirectory = Deno.cwd();
  const [rules, clients] = await Promise.all([
    loadRules({
      folders: [{ path: FOLDER, isRequired: true }, {
        path: await temporaryFolder(pageRules()),
        isRequired: true,
      }],
      settings: {
        enable: ["shell_block"],
        disable: [],
        confidence: { shell_block: 0.9 },
        minimumConfidence: 0.9,
      },
      workingDirectory,
    }),
    loadClients({ folders: [], workingDirectory }),
  ]);
  assert.deepEqual(rules.diagnostics.filter(({ severity }) => severity === "error"), []);
  return createService({
    config: testConfig(url),
    keys: new Map(),
    rules: rules.rules,
    program: rules.program,
    clients: clients.clients,
  });
}

const facts = await factsExamples();
const hasFacts = facts.length > 0;
if (!hasFacts) console.log(`The examples of dialects weren't read: ${FACTS} isn't here`);

for (const length of [Infinity, 7, 1]) {
  const stream = length !== Infinity;
  Deno.test(`the literal examples, ${stream ? `streamed by ${length}` : "whole"}`, async () => {
    let current = "";
    await using upstream = startUpstream(() => ({ raw: rawAnswer(current, stream ? length : 1e9) }));
    const lines: AuditLine[] = [];
    await using proxy = await startProxy(await service(upstream.url), {
      watches: [
        (facts) => recordRequest(facts, { contents: false, write: (all) => void lines.push(...all) }),
      ],
    });
    for (const { answer, text, calls, body, client, decisions } of CASES) {
      current = answer;
      lines.length = 0;
      const printed = await (await askChat(proxy.origin, {
        body: { ...body, stream },
        // The prompt alone shows the client.
        headers: { "user-agent": "node" },
      })).text();
      const { content, found } = stream ? streamed(printed) : whole(printed);
      assert.deepEqual([content, found], [text, calls], JSON.stringify(answer));
      const last = lines.at(-1);
      assert.equal(last?.kind === "request" && last.client, client);
      const decided = lines.filter((line) => line.kind === "decision")
        .filter(({ reason, repeats }) => isDecision(reason) && !repeats);
      // A stream ends with the call of a client that takes one; the rest of a whole answer is read.
      const isDropped = !stream && answer.includes("sequential") && client === "roo";
      assert.deepEqual(
        decided.map(({ reason }) => reason),
        [...decisions, ...isDropped ? ["one_call_only"] : []],
        JSON.stringify(answer),
      );
      const page = OF_PAGE.findIndex(([example]) => example === answer);
      if (page >= 0) assert.equal(decided[0]?.rule, `page_${page}`);
    }
    assert.ok(!hasFacts || facts.length >= 45, `${facts.length} examples`);
    for (const { dialect, text, tools, calls } of facts) {
      current = text;
      const messages = [{ role: "user", content: "Go" }];
      const printed = await (await askChat(proxy.origin, { body: { tools, messages, stream } })).text();
      const { found } = stream ? streamed(printed) : whole(printed);
      const made = found.map(([name, json]: [string, string]) => [name, JSON.parse(json)]);
      assert.deepEqual(made, dialect in LEFT ? [] : calls, dialect);
    }
  });
}

function whole(printed: string) {
  const { message } = JSON.parse(printed).choices[0];
  const found = (message.tool_calls ?? []).map((call: { function: { name: string; arguments: string } }) => [
    call.function.name,
    call.function.arguments,
  ]);
  return { content: message.content ?? "", found };
}

function streamed(printed: string) {
  const { content = "", calls = [] } = hear(printed).choices[0] ?? {};
  return { content, found: calls.map((call) => [call.name, call.arguments]) };
}
