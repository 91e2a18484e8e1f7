/**
 * Whatever an answer says about tools, the client runs the call that follows and nothing else: random prose, lists,
 * code and reasoning that mention the client's own tags, then one call in a dialect that a shipped rule reads.
 */
import assert from "node:assert/strict";
import fc from "fast-check";
import { builtInService } from "../support/built_in.ts";
import { chunkMessage, hear } from "../support/chunks.ts";
import { parseCline } from "../support/cline_parser.ts";
import { runs } from "../support/fuzz.ts";
import { CLINE_PROMPT, rooPrompt } from "../support/prompts.ts";
import { testConfig } from "../support/proxy.ts";
import { parseRoo } from "../support/roo_parser.ts";
import { TextAnswer } from "../support/text_answer.ts";

const WRITE_SECTION = "## write_to_file\nParameters:\n- path: (required)\n- content: (required)\n\n";

const CLIENTS = {
  Roo: { prompt: rooPrompt({ hasArgs: true, hasLineCount: false }), parse: parseRoo },
  Cline: {
    prompt: CLINE_PROMPT.replace("## replace_in_file", `${WRITE_SECTION}## replace_in_file`),
    parse: parseCline,
  },
};

const SERVICE = await builtInService(testConfig());

const TOOLS = ["write_to_file", "read_file", "execute_command", "apply_diff", "browser_action", "new_task"];
const PARAMETERS = ["path", "content", "command", "args", "file", "diff", "message"];

/** A mention in running text. */
const mention = fc.tuple(
  fc.constantFrom(...TOOLS),
  fc.constantFrom(...PARAMETERS),
  fc.constantFrom(
    (tool: string) => `\`<${tool}>\``,
    (tool: string) => `<${tool}>`,
    (tool: string) => `</${tool}>`,
    (tool: string) => `"<${tool}>"`,
    (tool: string) => `**<${tool}>**`,
    (tool: string) => `(<${tool}>)`,
    (tool: string) => `<${tool} >`,
    (tool: string) => `<${tool}/>`,
    (tool: string) => `<${tool} id="1">`,
    (tool: string) => `\`\`<${tool}>\`\``,
    (tool: string) => `<<${tool}>>`,
    (tool: string) => `<${tool}>…</${tool}>`,
    (tool: string) => `\`<${tool}>...</${tool}>\``,
    (tool: string, parameter: string) => `\`<${tool}><${parameter}>x</${parameter}></${tool}>\``,
    (tool: string, parameter: string) => `\`<${tool}>\` with \`<${parameter}>\``,
    (tool: string, parameter: string) => `<${tool}> with <${parameter}>`,
    (tool: string, parameter: string) => `<${tool}><${parameter}>`,
    (tool: string, parameter: string) => `<${parameter}> of <${tool}>`,
    (tool: string, parameter: string) => `\`<${parameter}>src/a</${parameter}>\` in \`<${tool}>\``,
    (tool: string) => `<tool_call>, then <${tool}>`,
    (tool: string) => `\`<function=${tool}>\``,
    (tool: string) => `<${tool.slice(0, 5)}`,
    (tool: string) => `a < b, b > ${tool}`,
  ),
).map(([tool, parameter, write]) => write(tool, parameter));

const words = fc.constantFrom(
  "First I use",
  "Then",
  "I need",
  "and",
  "The tool",
  "is what",
  "Now:",
  "é 漢",
  "1.",
  "so",
);

/** Blocks of an answer that make no call. */
const block = fc.oneof(
  fc.array(fc.oneof(words, mention), { minLength: 1, maxLength: 6 }).map((parts) => `${parts.join(" ")}.`),
  fc.array(mention, { minLength: 1, maxLength: 3 }).map((items) =>
    items.map((item) => `- ${item}`).join("\n")
  ),
  mention.map((item) => `> ${item}`),
  mention.map((item) => `| tag | what |\n| --- | --- |\n| ${item} | it |`),
  mention.map((item) => `\`\`\`xml\n${item}\n\`\`\``),
  mention.map((item) => `# ${item}`),
  fc.tuple(fc.constantFrom(...TOOLS), fc.constantFrom(...PARAMETERS)).map(([tool, parameter]) =>
    `\`\`\`xml\n<${tool}>\n<${parameter}>example</${parameter}>\n</${tool}>\n\`\`\``
  ),
  mention.map((item) => `<!-- ${item} -->`),
  mention.map((item) => `<pre>${item}</pre>`),
  mention.map((item) => `1. First\n   ${item}\n2. Then`),
  mention.map((item) => `    ${item}`),
  mention.map((item) => `He said "${item}" and left.`),
  mention.map((item) => `<thinking>\nI take ${item}\n</thinking>`),
);

const reasoning = fc.option(fc.array(fc.oneof(words, mention), { minLength: 1, maxLength: 4 }), {
  nil: undefined,
})
  .map((parts) => parts === undefined ? "" : `<think>${parts.join(" ")}</think>\n`);

const CONTENT = "const a = 1 < 2;\nconst b = '</p>';\n";
const GIVEN = { path: "src/a.ts", content: CONTENT };

const CALLS: Readonly<Record<string, string>> = {
  own: `<write_to_file>\n<path>src/a.ts</path>\n<content>\n${CONTENT}</content>\n</write_to_file>`,
  qwen:
    `<tool_call>\n<function=write_to_file>\n<parameter=path>\nsrc/a.ts\n</parameter>\n<parameter=content>\n${CONTENT}\n</parameter>\n</function>\n</tool_call>`,
  hermes: `<tool_call>\n${JSON.stringify({ name: "write_to_file", arguments: GIVEN })}\n</tool_call>`,
  fenced: `\`\`\`json\n${JSON.stringify({ name: "write_to_file", arguments: GIVEN })}\n\`\`\``,
  strict: `<write_to_file>\n${JSON.stringify(GIVEN)}\n</write_to_file>`,
  tokens: `[TOOL_CALLS]write_to_file[ARGS]${JSON.stringify(GIVEN)}`,
  invoke:
    `<minimax:tool_call>\n<invoke name="write_to_file">\n<parameter name="path">src/a.ts</parameter>\n<parameter name="content">${CONTENT}</parameter>\n</invoke>\n</minimax:tool_call>`,
};

const answer = fc.record({
  reasoning,
  blocks: fc.array(block, { maxLength: 5 }),
  gap: fc.constantFrom("\n\n", "\n"),
  length: fc.constantFrom(1, 4, 1000),
  isStreamed: fc.boolean(),
});

function translate(
  prompt: string,
  { text, length, isStreamed }: { text: string; length: number; isStreamed: boolean },
): string {
  const translator = SERVICE.recognize({ messages: [{ role: "system", content: prompt }] }, new Headers());
  assert.ok(translator);
  const pipeline = new TextAnswer({
    createMatcher: () => translator.createMatcher({ isStreamed }),
    createRenderer: () => translator.createRenderer(() => "call_1"),
    ...(translator.native && { native: translator.native }),
  });
  let stream = "";
  for (let at = 0; at < text.length && !pipeline.isOver; at += length) {
    stream += pipeline.push(chunkMessage({ content: text.slice(at, at + length) }));
  }
  if (!pipeline.isOver) stream += pipeline.push(chunkMessage({}, { finish: "stop" }) + "data: [DONE]\n\n");
  const heard = hear(stream + pipeline.end());
  assert.deepEqual(heard.errors, [], text);
  return heard.choices[0]?.content ?? "";
}

/** A fence that holds one whole call and nothing else. */
const FENCED_CALL = /^```xml\n<(\w+)>\n<(\w+)>[^<]*<\/\2>\n<\/\1>\n```$/;

for (const [client, { prompt, parse }] of Object.entries(CLIENTS)) {
  for (const [dialect, call] of Object.entries(CALLS)) {
    Deno.test(`${client} runs exactly the call after mentions of its tags: ${dialect}`, () => {
      fc.assert(
        fc.property(answer, ({ reasoning, blocks, gap, length, isStreamed }) => {
          const prose = reasoning + blocks.map((block) => block + gap).join("");
          const text = prose + (prose === "" ? "" : "\n\n") + call;
          const content = translate(prompt, { text, length, isStreamed });
          const calls = parse(content).filter((block) => block.type === "tool_use");
          assert.equal(calls.length, 1, `${text}\n=====\n${content}`);
          const [only] = calls;
          assert.equal(only?.name, "write_to_file", `${text}\n=====\n${content}`);
          assert.deepEqual(
            [only?.params["path"], only?.params["content"]?.trim()],
            ["src/a.ts", CONTENT.trim()],
            `${text}\n=====\n${content}`,
          );
        }),
        runs(100),
      );
    });
  }

  Deno.test(`${client} runs nothing of an answer that only mentions its tags`, () => {
    fc.assert(
      fc.property(answer, ({ reasoning, blocks, gap, length, isStreamed }) => {
        // A line that opens a call and a value, and an answer that ends there: that is a call without its closers.
        fc.pre(!blocks.some((block) => /^\s*<\w+><\w+>/m.test(block)));
        const text = reasoning + blocks.map((block) => block + gap).join("");
        const content = translate(prompt, { text, length, isStreamed });
        const calls = parse(content).filter((block) => block.type === "tool_use");
        if (calls.length === 0) return;
        // A fence that holds only a call of the client and ends the answer runs, as it does without a proxy.
        const last = blocks.at(-1) ?? "";
        assert.match(last, FENCED_CALL, `${text}\n=====\n${content}`);
        assert.deepEqual(
          calls,
          parse(last).filter((block) => block.type === "tool_use"),
          `${text}\n=====\n${content}`,
        );
      }),
      runs(300),
    );
  });
}
