import assert from "node:assert/strict";
import { configSchema } from "../../src/proxy/config/schema.ts";
import { builtInService } from "../support/built_in.ts";
import { chunkMessage, hear, type Heard } from "../support/chunks.ts";
import { parseCline } from "../support/cline_parser.ts";
import { IS_THOROUGH } from "../support/fuzz.ts";
import { CLINE_PROMPT, rooPrompt } from "../support/prompts.ts";
import { parseRoo } from "../support/roo_parser.ts";
import { TextAnswer } from "../support/text_answer.ts";

const SERVICE = await builtInService(configSchema.parse({}));

const CONTENT = 'if (a < b && c > d) {\n  say("x");\n}\n</parameter>\n<p>é 😀</p>\n';
const FILE = { path: "src/a.ts", content: CONTENT };
const XML = `<write_to_file>\n<path>src/a.ts</path>\n<content>\n${CONTENT}</content>\n</write_to_file>`;

function qwen(tool: string, given: Record<string, string>): string {
  const items = Object.entries(given).map(([key, value]) => `<parameter=${key}>\n${value}\n</parameter>\n`);
  return `<tool_call>\n<function=${tool}>\n${items.join("")}</function>\n</tool_call>`;
}

function hermes(tool: string, given: unknown): string {
  return `<tool_call>\n${JSON.stringify({ name: tool, arguments: given })}\n</tool_call>`;
}

function fenced(tool: string, given: unknown, fence = "json"): string {
  return `\`\`\`${fence}\n${JSON.stringify({ name: tool, arguments: given }, null, 2)}\n\`\`\``;
}

/** Every prefix is tried, or one of ten in a short run. */
const STEP = IS_THOROUGH ? 1 : 23;

/** Twenty answers: every shipped way to write a call, alone and among text. */
const ANSWERS = [
  qwen("write_to_file", FILE),
  `I'll write it.\n\n${qwen("write_to_file", FILE)}\nDone.`,
  qwen("write_to_file", FILE).replace("<tool_call>\n", ""),
  `${qwen("read_file", { path: "a" })}\n${qwen("read_file", { path: "b" })}`,
  qwen("execute_command", { command: "npm test && ls" }),
  hermes("write_to_file", FILE),
  `Ok.\n${hermes("write_to_file", FILE)}\nThat was it.`,
  `${hermes("read_file", { path: "a" })}\n${hermes("read_file", { path: "b" })}`,
  `<tool_call>[{"name": "read_file", "arguments": {"path": "a"}}, {"name": "read_file", "arguments": {"path": "b"}}]</tool_call>`,
  `<tool_call>{'name': 'read_file', 'arguments': {'path': 'a',}}</tool_call>`,
  fenced("write_to_file", FILE),
  `Sure:\n${fenced("read_file", { path: "a" }, "tool_call")}\n`,
  fenced("execute_command", { command: "ls -la" }, "tool_code"),
  XML,
  `Let me.\n\n${XML}\n\nDone.`,
  "<read_file>\n<path>a.txt</path>\n</read_file>",
  `<write_to_file>${JSON.stringify(FILE)}</write_to_file>`,
  `<multi_tool_use mode="sequential">\n<read_file><path>a</path></read_file>\n${XML}\n</multi_tool_use>`,
  `[TOOL_CALLS]write_to_file[ARGS]${JSON.stringify(FILE)}`,
  `<think>\nShould I?\n${XML}\n</think>\n${qwen("write_to_file", FILE)}`,
];

/** A client, and what must hold of all that it hears. */
interface Client {
  readonly name: string;
  readonly isXml: boolean;
  readonly request: Record<string, unknown>;
  check(choice: Heard, about: string): void;
}

const WRITE_SECTION = "## write_to_file\nParameters:\n- path: (required)\n- content: (required)\n\n";
const CLINE_WITH_WRITE = CLINE_PROMPT.replace("## replace_in_file", `${WRITE_SECTION}## replace_in_file`);

const SCHEMA = { type: "object", properties: { path: { type: "string" }, content: { type: "string" } } };
const TOOLS = ["write_to_file", "read_file", "execute_command"].map((name) => ({
  type: "function",
  function: {
    name,
    parameters: { ...SCHEMA, properties: { ...SCHEMA.properties, command: { type: "string" } } },
  },
}));

const CLIENTS: readonly Client[] = [
  {
    name: "OpenAI",
    isXml: false,
    request: { tools: TOOLS, messages: [{ role: "user", content: "Go" }] },
    check(choice, about) {
      const damaged = choice.calls.filter(({ arguments: json }) => !isObject(json));
      if (damaged.length > 0) assert.deepEqual(choice.finishReasons, ["length"], about);
    },
  },
  {
    name: "Roo",
    isXml: true,
    request: { messages: [{ role: "system", content: rooPrompt({ hasArgs: false, hasLineCount: false }) }] },
    check: (choice, about) => checkXml(choice.content, { blocks: parseRoo(choice.content), about }),
  },
  {
    name: "Cline",
    isXml: true,
    request: { messages: [{ role: "system", content: CLINE_WITH_WRITE }] },
    check: (choice, about) => checkXml(choice.content, { blocks: parseCline(choice.content), about }),
  },
];

/** Text of the model's reasoning passes as it is; what a client does with tags in it is the client's own. */
function isReasoning(answer: string): boolean {
  return answer.startsWith("<think>");
}

function isObject(json: string): boolean {
  try {
    return typeof JSON.parse(json) === "object";
  } catch {
    return false;
  }
}

/** The clients run what stands there when the stream ends: a call that they see is whole. */
function checkXml(
  content: string,
  { blocks, about }: { blocks: ReturnType<typeof parseRoo>; about: string },
): void {
  for (const block of blocks) {
    if (block.type !== "tool_use") continue;
    assert.ok(content.lastIndexOf(`</${block.name}>`) > content.lastIndexOf(`<${block.name}>`), about);
    if (block.name === "write_to_file") assert.equal(block.params["content"]?.trim(), CONTENT.trim(), about);
  }
}

/** What the client hears of an answer that is cut, by the model's own word or by its connection. */
function cut(text: string, client: Client, end: "length" | "connection"): Heard {
  const translator = SERVICE.recognize(client.request, new Headers());
  assert.ok(translator, client.name);
  let count = 0;
  const pipeline = new TextAnswer({
    createMatcher: () => translator.createMatcher(),
    createRenderer: () => translator.createRenderer(() => `call_${++count}`),
    native: translator.native,
  });
  const stream = chunkMessage({ role: "assistant", content: text }) +
    (end === "length" ? `${chunkMessage({}, { finish: "length" })}data: [DONE]\n\n` : "");
  const heard = hear(pipeline.push(stream) + pipeline.end());
  return heard.choices[0] ?? { content: "", roles: [], calls: [], finishReasons: [] };
}

for (const client of CLIENTS) {
  Deno.test(`${client.name}: no prefix of twenty answers gives a damaged call or an unclosed tag`, () => {
    let calls = 0;
    for (const answer of ANSWERS) {
      if (client.isXml && isReasoning(answer)) continue;
      for (let length = 1; length <= answer.length; length += STEP) {
        for (const end of ["length", "connection"] as const) {
          const text = answer.slice(0, length);
          const heard = cut(text, client, end);
          client.check(heard, `${end} after ${JSON.stringify(text)}`);
          calls += heard.calls.length + (heard.content.includes("</write_to_file>") ? 1 : 0);
        }
      }
    }
    // The check could not fail if nothing were ever called.
    assert(calls > 100 / STEP, `${calls}`);
  });
}
