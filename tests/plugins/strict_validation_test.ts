import assert from "node:assert/strict";
import type { ContentEvent } from "../../src/engine/event/event.ts";
import { hear } from "../support/chunks.ts";
import { pluginService } from "../support/plugins.ts";
import { startProxy } from "../support/proxy.ts";
import { startUpstream, USAGE } from "../support/scripted_upstream.ts";
import { functionTool } from "../support/chat_tools.ts";
import { askRow, onRows, WIRE_TABLE } from "../support/wire_table.ts";

const TOOLS = [
  functionTool("read_file", { file_path: "string", limit: "integer" }, { required: ["file_path"] }),
];

const LOOSE = "TOOL_CALL: read_file";
const PROSE = "I would like to read the file now.";
const INCOMPLETE = '<read_file>\n{"limit": 5}\n</read_file>';
const UNKNOWN = '<tool_call>\n{"name": "delete_file", "arguments": {"file_path": "a"}}\n</tool_call>';
const BROKEN = '<read_file>\n{"file_path": }\n</read_file>';
const RIGHT = '<read_file>\n{"file_path": "a.txt"}\n</read_file>';

/** A conversation whose client sends the same question again after an error. */
async function* attempts(
  texts: readonly string[],
  config: string,
  { stream = false, tools = TOOLS }: { stream?: boolean; tools?: readonly unknown[] } = {},
) {
  let asked = 0;
  await using upstream = startUpstream(() => ({ text: texts[asked++] ?? "Nothing." }));
  const notes: string[] = [];
  const observe = (event: ContentEvent) =>
    void (event.kind === "note" && event.rule === "strict_validation" && notes.push(event.detail ?? ""));
  const service = await pluginService(upstream.url, {
    config: `plugins:\n  - use: strict_validation\n${config}`,
  });
  await using proxy = await startProxy(service, { observe });
  for (let turn = 0;; turn++) {
    const response = await fetch(`${proxy.origin}/v1/chat/completions`, {
      method: "POST",
      body: JSON.stringify({
        model: "m",
        stream,
        ...(stream ? { stream_options: { include_usage: true } } : {}),
        tools,
        messages: [{ role: "user", content: "Read a.txt" }],
      }),
    });
    const text = await response.text();
    yield {
      status: response.status,
      text,
      asked: upstream.requests.map(({ body }) => JSON.parse(body)),
      notes,
    };
  }
}

const REJECT = `    mode: reject
    require_tool_use: true
    on_max_mistakes: error
`;

Deno.test("three attempts: text, a missing parameter, then MAX_MISTAKES; a right call begins anew", async () => {
  const texts = [LOOSE, INCOMPLETE, PROSE, RIGHT, LOOSE];
  const codes: string[] = [];
  let lesson = "";
  for await (const { status, text } of attempts(texts, REJECT)) {
    const { error, choices } = JSON.parse(text);
    if (error?.code === "SCHEMA_VALIDATION") lesson = error.message;
    if (error) assert.deepEqual([status, error.type], [422, "invalid_tool_call"]);
    codes.push(error?.code ?? choices[0].message.tool_calls[0].function.arguments);
    if (codes.length === texts.length) break;
  }
  assert.deepEqual(
    codes,
    ["NO_XML_BLOCKS", "SCHEMA_VALIDATION", "MAX_MISTAKES", '{"file_path":"a.txt"}', "NO_XML_BLOCKS"],
  );
  assert.match(lesson, /Required parameters are missing: file_path/);
  assert.match(lesson, /"required":\["file_path"\]/);
  // Both forms that are read; each makes a call.
  const [, json = "", parameters = ""] = lesson.split(
    /Write the call exactly like this:\n|\nor like this:\n/,
  );
  assert.match(json, /^<read_file>\n\{"file_path":"file_path"\}\n<\/read_file>$/);
  assert.match(parameters, /^<read_file>\n<file_path>file_path<\/file_path>\n<\/read_file>$/);
  for (const form of [json, parameters]) {
    for await (const { text } of attempts([form], REJECT)) {
      const [{ message }] = JSON.parse(text).choices;
      assert.equal(message.tool_calls[0].function.arguments, '{"file_path":"file_path"}');
      break;
    }
  }
});

Deno.test("in a stream the error is an event, and nothing of the wrong call is sent", async () => {
  for await (const { status, text } of attempts([`Look.\n${INCOMPLETE}`], REJECT, { stream: true })) {
    const heard = hear(text);
    assert.equal(status, 200);
    assert.deepEqual(heard.errors.map(({ code }) => code), ["SCHEMA_VALIDATION"]);
    assert.deepEqual([heard.choices[0]?.calls, heard.choices[0]?.finishReasons], [[], []]);
    break;
  }
});

const RETRY = "    mode: retry\n    require_tool_use: true\n    on_max_mistakes: error\n";

for (const stream of [false, true]) {
  const how = stream ? "streamed" : "whole";
  Deno.test(`retry, ${how}: the model is corrected and the client sees only the good call`, async () => {
    for (const wrong of [LOOSE, INCOMPLETE, `Well.\n${BROKEN}`, UNKNOWN]) {
      for await (const { text, asked } of attempts([wrong, RIGHT], RETRY, { stream })) {
        const answer = stream ? hear(text).choices[0] : undefined;
        const message = stream ? undefined : JSON.parse(text).choices[0].message;
        assert.deepEqual(
          answer?.calls.map((call) => call.arguments) ?? [message.tool_calls[0].function.arguments],
          ['{"file_path":"a.txt"}'],
        );
        assert.equal(answer?.content ?? message.content ?? "", "");
        assert.equal(asked.length, 2);
        const [own, lesson] = asked[1].messages.slice(-2);
        assert.deepEqual([own.role, lesson.role], ["assistant", "user"]);
        assert(own.content.length > 0 && wrong.startsWith(own.content));
        assert.match(lesson.content, /Write the call exactly like this/);
        // A stream that a whole call stopped in its middle states no usage.
        const isJudgedAtEnd = !stream || wrong !== INCOMPLETE;
        const usage = stream ? hear(text).usage : JSON.parse(text).usage;
        assert.equal(usage.total_tokens, (isJudgedAtEnd ? 2 : 1) * USAGE.total_tokens);
        break;
      }
    }
  });

  Deno.test(`retry, ${how}: after the last strike the client hears MAX_MISTAKES`, async () => {
    for await (const { text, asked } of attempts([PROSE, PROSE, PROSE, PROSE, PROSE], RETRY, { stream })) {
      const code = stream ? hear(text).errors[0]?.code : JSON.parse(text).error.code;
      assert.deepEqual([code, asked.length], ["MAX_MISTAKES", 3]);
      break;
    }
  });
}

Deno.test("with pass_through the answer after the last strike goes out as it is", async () => {
  const config =
    "    mode: retry\n    require_tool_use: true\n    max_mistakes: 2\n    on_max_mistakes: pass_through\n";
  for await (const { text, asked } of attempts([PROSE, LOOSE], config, { stream: true })) {
    assert.deepEqual([hear(text).choices[0]?.content, asked.length], [LOOSE, 2]);
    break;
  }
});

Deno.test("on every wire, by default, each strike blocks, the third too, and a lesson names what is wrong and where", () =>
  onRows(WIRE_TABLE, async (row) => {
    await using upstream = startUpstream({ text: INCOMPLETE });
    const config = "plugins: [{ use: strict_validation, mode: reject }]";
    await using proxy = await startProxy(await pluginService(upstream.url, { config }));
    const schema = TOOLS[0]!.function.parameters;
    const question = { task: "Read a.txt", tool: { name: "read_file", schema } };
    const lesson =
      /Required parameters are missing: file_path, in the call that begins with <read_file> {"limit": 5}/;
    for (const named of [lesson, lesson, /MAX_MISTAKES/, /MAX_MISTAKES/]) {
      const { calls, text, error } = await askRow(proxy.origin, { row, question });
      assert.deepEqual([calls, text], [[], ""]);
      assert.match(String(error), named);
    }
  }));

/** Answers → what the error has to name: what is wrong, and where. */
const LESSONS: readonly (readonly [answer: string, named: RegExp])[] = [
  [
    '<read_file>\n{"file_path": 5}\n</read_file>',
    /^REPAIRED_CALL: The value of file_path is written as 5, but its type requires "5", in the call that begins with <read_file> {"file_path": 5}/,
  ],
  [
    '<tool_call>\n{"name": "Read_File", "arguments": {"file_path": "a"}}\n</tool_call>',
    /^REPAIRED_CALL: The tool's name is not written exactly as read_file, in the call that begins with <tool_call> {"name": "Read_File"/,
  ],
  [
    '<tool_call>\n{"name": "functions.read_file", "arguments": {"file_path": "a"}}\n</tool_call>',
    /^REPAIRED_CALL: The tool's name is not written exactly as read_file, .*functions\.read_file/,
  ],
  [
    '<read_file>\n{"file_path": "a",}\n</read_file>',
    /^REPAIRED_CALL: The call's JSON is not valid \(Expected double-quoted property name in JSON at position 18 .*\), in the call that begins with <read_file>/,
  ],
  [
    BROKEN,
    /^MALFORMED_XML: The call could not be read: not JSON \(Unexpected token '}'.*\), in the call that begins with <read_file>/,
  ],
  [
    UNKNOWN,
    /^UNKNOWN_TOOL: The tool does not exist, in the call that begins with <tool_call> .*"delete_file"/,
  ],
];

for (const stream of [false, true]) {
  Deno.test(`a lesson names what is wrong and where, ${stream ? "streamed" : "whole"}`, async () => {
    for (const [answer, named] of LESSONS) {
      for await (const { text } of attempts([`Well.\n${answer}\nDone.`], "    mode: reject\n", { stream })) {
        const error = stream ? hear(text).errors[0] : JSON.parse(text).error;
        assert.match(String(error?.message), named);
        if (stream) assert.equal(hear(text).choices[0]?.content.trim(), "Well.");
        break;
      }
    }
  });
}

Deno.test("a lesson shows a form that an accepted rule reads, and never another one", async () => {
  for (const rule of ["qwen_xml", "hermes", "strict_xml", "invoke_xml"]) {
    const config = `    mode: reject\n    require_tool_use: true\n    accept: [${rule}]\n`;
    const texts = [PROSE];
    let turn = 0;
    for await (const { text } of attempts(texts, config)) {
      const { error, choices } = JSON.parse(text);
      if (++turn === 2) {
        assert.equal(choices?.[0].message.tool_calls?.[0].function.name, "read_file", `${rule}: ${text}`);
        break;
      }
      const [, example = ""] = error.message.split("Write the call exactly like this:\n");
      texts.push(example);
    }
  }
});

Deno.test("an answer without a call is no mistake where none is required", async () => {
  for await (const { text, notes } of attempts([PROSE], "    mode: reject\n")) {
    assert.deepEqual([JSON.parse(text).choices[0].message.content, notes], [PROSE, []]);
    break;
  }
});

Deno.test("abstain leaves a wrong call as text, observe lets it pass", async () => {
  const seen: unknown[] = [];
  for (const mode of ["abstain", "observe"]) {
    for await (const { text, notes } of attempts([INCOMPLETE], `    mode: ${mode}\n`)) {
      const { content, tool_calls } = JSON.parse(text).choices[0].message;
      seen.push(content, tool_calls?.[0].function.arguments);
      assert.match(notes[0] ?? "", /^SCHEMA_VALIDATION/);
      break;
    }
  }
  assert.deepEqual(seen, [INCOMPLETE, undefined, null, '{"limit":5}']);
});

Deno.test("a call in another format than the accepted one is a mistake", async () => {
  const other = '<tool_call>\n{"name": "read_file", "arguments": {"file_path": "a"}}\n</tool_call>';
  const config = `    mode: reject\n    accept: [strict_xml]\n    example: parameters\n`;
  const codes: string[] = [];
  for await (const { text } of attempts([other, RIGHT], config)) {
    const { error } = JSON.parse(text);
    if (error) assert.match(error.message, /<read_file>\n<file_path>file_path<\/file_path>\n<\/read_file>/);
    codes.push(error?.code ?? "right");
    if (codes.length === 2) break;
  }
  assert.deepEqual(codes, ["NO_XML_BLOCKS", "right"]);
});

Deno.test("an unknown tool stops a model that goes on and on without a call", async () => {
  const body = JSON.stringify({
    model: "m",
    stream: true,
    tools: TOOLS,
    messages: [{ role: "user", content: "Read" }],
  });
  await using upstream = startUpstream({ text: UNKNOWN, isEndless: true });
  const service = await pluginService(upstream.url, {
    config: "plugins: [{ use: strict_validation, mode: reject }]",
  });
  await using proxy = await startProxy(service);
  const response = await fetch(`${proxy.origin}/v1/chat/completions`, { method: "POST", body });
  assert.deepEqual(hear(await response.text()).errors.map(({ code }) => code), ["UNKNOWN_TOOL"]);
  await upstream.requests[0]?.left;
});

/** Schemas that are over a budget for a small call, and one for which a call is. */
const TOO_LARGE: readonly [what: string, schema: Record<string, unknown>, given: unknown][] = [
  ["a schema that isn't read", { properties: { a: { enum: Array(60_000).fill("x") } } }, { a: "x" }],
  ["a schema that isn't checked", { properties: { a: { enum: Array(6000).fill("x") } } }, { a: "x" }],
  ["arguments that aren't checked", { properties: { a: { items: { type: "integer" } } } }, {
    a: Array(6000).fill(1),
  }],
];

for (const [what, schema, given] of TOO_LARGE) {
  Deno.test(`${what}: the call is refused, and passes where the plugin only observes`, async () => {
    const tools = [{ type: "function", function: { name: "f", parameters: { type: "object", ...schema } } }];
    const call = `<f>\n${JSON.stringify(given)}\n</f>`;
    for await (const { status, text } of attempts([call], "    mode: reject\n", { tools })) {
      assert.equal(status, 422);
      assert.match(JSON.parse(text).error.message, /too large to be checked/);
      break;
    }
    for await (const { status, text, notes } of attempts([call], "    mode: observe\n", { tools })) {
      assert.deepEqual([status, JSON.parse(text).choices[0].finish_reason], [200, "tool_calls"]);
      assert.match(notes.join("\n"), /^SCHEMA_VALIDATION/);
      break;
    }
  });
}
