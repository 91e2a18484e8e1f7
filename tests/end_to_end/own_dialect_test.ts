/**
 * A call in the client's own dialect arrives while the model still writes it, and if it breaks off the stream ends
 * with an error, on which Roo and Cline send the request again. Through real sockets.
 *
 * @module
 */
import assert from "node:assert/strict";
import { builtInService } from "../support/built_in.ts";
import { chunkMessage, hear, type HeardAnswer } from "../support/chunks.ts";
import { parseCline } from "../support/cline_parser.ts";
import { IS_THOROUGH } from "../support/fuzz.ts";
import { CLINE_PROMPT, rooPrompt } from "../support/prompts.ts";
import { askChat, startProxy, testConfig } from "../support/proxy.ts";
import {
  chunked,
  type RawRequest,
  startRawUpstream,
  STREAM_HEAD,
  textEvent,
} from "../support/raw_upstream.ts";
import { parseRoo } from "../support/roo_parser.ts";
import type { Block } from "../support/tag_parser.ts";
import { answerToPrompt } from "../support/text_answer.ts";

const CLIENTS = [
  { name: "Roo", prompt: rooPrompt({ hasArgs: true, hasLineCount: false }), parse: parseRoo },
  {
    name: "Cline",
    prompt: CLINE_PROMPT.replace(
      "## replace_in_file",
      "## write_to_file\nParameters:\n- path: (required)\n- content: (required)\n\n## replace_in_file",
    ),
    parse: parseCline,
  },
];

const LINES = Array.from({ length: 200 }, (_, index) => `const line${index + 1} = a < ${index} && b > 0;\n`);
/** Every third place for a cut is tried, or every fifteenth in a short run. */
const STEP = IS_THOROUGH ? 3 : 15;

const HEAD = "I'll write it.\n\n<write_to_file>\n<path>src/a.ts</path>\n<content>\n";
const TAIL = "</content>\n</write_to_file>";

/** What a client makes of an answer that the upstream writes; the stream is read to its end. */
async function receive(
  prompt: string,
  answer: (request: RawRequest, received: (pattern: string) => Promise<void>) => Promise<void> | void,
): Promise<{ answer: HeardAnswer; pieces: number }> {
  await using upstream = await startRawUpstream();
  await using proxy = await startProxy(await builtInService(testConfig(upstream.url)));
  const messages = [{ role: "system", content: prompt }, { role: "user", content: "Write it" }];
  const asked = askChat(proxy.origin, { body: { stream: true, messages, tools: undefined } });
  let text = "";
  let pieces = 0;
  let look = () => {};
  const received = (words: string) =>
    new Promise<void>((resolve) => {
      look = () => text.includes(words) && resolve();
      look();
    });
  const request = await upstream.next();
  request.write(STREAM_HEAD);
  const answered = Promise.resolve(answer(request, received));
  for await (const bytes of (await asked).body!.pipeThrough(new TextDecoderStream())) {
    text += bytes;
    pieces++;
    look();
  }
  await answered;
  return { answer: hear(text), pieces };
}

const FINISH = { finish_reason: "stop", delta: {} };

for (const { name, prompt, parse } of CLIENTS) {
  Deno.test(`${name} gets a file of 200 lines line by line, byte for byte`, async () => {
    const { answer, pieces } = await receive(prompt, async (request, received) => {
      request.write(chunked(textEvent(HEAD)));
      for (const [index, line] of LINES.entries()) {
        request.write(chunked(textEvent(line)));
        // The next line is not written before the client has this one.
        await received(`line${index + 1} =`);
      }
      request.write(chunked(textEvent(TAIL) + textEvent("", FINISH) + "data: [DONE]\n\n") + "0\r\n\r\n");
    });
    const [choice] = answer.choices;
    assert.equal(choice?.content, HEAD + LINES.join("") + TAIL);
    assert.deepEqual([answer.errors, choice?.finishReasons, answer.isDone], [[], ["stop"], true]);
    assert.ok(pieces > LINES.length, `${pieces} pieces`);
    const [, call] = parse(choice?.content ?? "");
    assert.ok(call?.type === "tool_use");
    assert.equal(call.params["path"], "src/a.ts");
    assert.equal(call.params["content"]?.trim(), LINES.join("").trim());
  });
}

/** What the client runs: after an error nothing that is not closed, else everything that it sees. */
function runs(content: string, { blocks, isError }: { blocks: readonly Block[]; isError: boolean }): Block[] {
  return blocks.filter((block) =>
    block.type === "tool_use" && (!isError || content.includes(`</${block.name}>`))
  );
}

const ENDS: Readonly<Record<string, (request: RawRequest) => void>> = {
  "the model's limit": (request) =>
    request.write(
      chunked(textEvent("", { finish_reason: "length", delta: {} }) + "data: [DONE]\n\n") + "0\r\n\r\n",
    ),
  "an end without a reason": (request) => request.write("0\r\n\r\n"),
  "a closed connection": (request) => request.end(),
  "a reset connection": (request) => request.reset(),
};

const SHORT = HEAD + "a < b\n</content> is a tag, &lt; an entity\n" + TAIL;

for (const { name, prompt, parse } of CLIENTS) {
  for (const [end, finish] of Object.entries(ENDS)) {
    Deno.test(`${name} runs nothing of a call that is cut by ${end}`, async () => {
      const outcomes = new Set<string>();
      for (let at = HEAD.indexOf("<write"); at < SHORT.length; at += STEP) {
        const { answer } = await receive(prompt, (request) => {
          request.write(chunked(textEvent(SHORT.slice(0, at))));
          finish(request);
        });
        const [choice] = answer.choices;
        const content = choice?.content ?? "";
        const isError = answer.errors.length > 0;
        const blocks = parse(content);
        assert.deepEqual(runs(content, { blocks, isError }), [], `${at}: ${content}`);
        const isOpen = blocks.some((block) => block.type === "tool_use");
        assert.equal(isOpen && !isError, false, `${at}: ${content}`);
        if (isOpen) {
          assert.equal(answer.errors.length, 1);
          assert.deepEqual([choice?.finishReasons, answer.isDone], [[], false], `${at}: ${content}`);
          outcomes.add(answer.errors[0]?.code ?? "");
        }
      }
      const isConnection = end.endsWith("connection");
      assert.deepEqual([...outcomes], [isConnection ? "upstream_broke_off" : "call_broke_off"]);
    });
  }
}

const SERVICE = await builtInService(testConfig());

/** What a client receives of an answer that arrives in pieces, without a network. */
function translate(prompt: string, { text, length }: { text: string; length: number }): HeardAnswer {
  const pipeline = answerToPrompt(SERVICE, prompt);
  let stream = "";
  for (let at = 0; at < text.length && !pipeline.isOver; at += length) {
    stream += pipeline.push(chunkMessage({ content: text.slice(at, at + length) }));
  }
  if (!pipeline.isOver) stream += pipeline.push(chunkMessage({}, { finish: "stop" }) + "data: [DONE]\n\n");
  return hear(stream + pipeline.end());
}

/** A file in the client's own dialect, and what the client reads of it; undefined: the answer ends as an error. */
const FILES: Readonly<Record<string, { readonly inside: string; readonly read?: string | undefined }>> = {
  "a lone closing tag": { inside: "\nIt ends with </content> and goes on.\n" },
  "a whole element": { inside: "\n<entry>\n<content>hello</content>\n<path>evil</path>\n</entry>\n" },
  "a whole call": {
    inside: "\n<write_to_file>\n<path>b</path>\n<content>\nx\n</content>\n</write_to_file>\n",
  },
  "a closing tag of the tool": { inside: "\n</write_to_file>\nand more\n" },
  "code fences": { inside: "\n# Title\n\n```xml\n<content>\n```\n\nEnd.\n" },
  "nothing": { inside: "\n", read: "" },
  "half a surrogate's cut": { inside: "\né 😀 漢\n" },
};

for (const { name, prompt, parse } of CLIENTS) {
  for (const [what, { inside, read = inside.trim() }] of Object.entries(FILES)) {
    Deno.test(`${name} reads a file with ${what} exactly, however the answer is cut`, () => {
      const text = `<write_to_file>\n<path>src/a.ts</path>\n<content>${inside}</content>\n</write_to_file>`;
      const whole = translate(prompt, { text, length: text.length });
      assert.deepEqual(whole.errors, []);
      const content = whole.choices[0]?.content ?? "";
      const blocks = parse(content);
      assert.equal(blocks.length, 1, content);
      const [call] = blocks;
      assert.ok(call?.type === "tool_use");
      assert.equal(call.params["path"], "src/a.ts", content);
      assert.equal(call.params["content"]?.replaceAll("&lt;", "<").trim(), read);
      for (const length of [1, 2, 3, 7]) {
        const cut = translate(prompt, { text, length });
        assert.equal(cut.choices[0]?.content, content);
        assert.deepEqual(cut.errors, []);
      }
    });
  }

  Deno.test(`${name} gets a file without its closing tags whole, and one that isn't closed as an error`, () => {
    const open = "<write_to_file>\n<path>src/a.ts</path>\n<content>\nconst a = 1;\n";
    const cases: [string, boolean][] = [
      [`${open}</content>\n</write_to_file>`, true],
      [`${open}</write_to_file>`, true],
      [`${open}</content>\n`, true],
      [`${open}</content>\n<path>src/b.ts</path>\n</write_to_file>`, false],
    ];
    for (const [text, isWhole] of cases) {
      for (const length of [1, 4, text.length]) {
        const { choices: [choice], errors, isDone } = translate(prompt, { text, length });
        assert.equal(errors.length, isWhole ? 0 : 1, text);
        assert.equal(isDone, isWhole, text);
        assert.equal(choice?.content.endsWith("const a = 1;\n</content>\n</write_to_file>"), isWhole, text);
      }
    }
  });
}

Deno.test("an error comes after the same text, however the answer is cut", () => {
  const texts = [
    "<attempt_completion>\n<result>\nIt is `</result>` that ends it.\n</result>\n</attempt_completion>",
    "<write_to_file>\n<path>a</path>\n<content>\nx\n</content>\n<content>\ny\n</content>\n</write_to_file>",
    "<write_to_file>\n<path>a</path>\n<content>\nx\n</content>\nSome text.\n</write_to_file>",
  ];
  const [{ prompt }] = CLIENTS as [typeof CLIENTS[number]];
  for (const text of texts) {
    const whole = translate(prompt, { text, length: text.length });
    assert.deepEqual(whole.errors.map(({ code }) => code), ["call_broke_off"]);
    for (const length of [1, 2, 3, 7]) {
      const cut = translate(prompt, { text, length });
      assert.deepEqual([cut.choices[0]?.content, cut.errors], [whole.choices[0]?.content, whole.errors]);
    }
  }
});
