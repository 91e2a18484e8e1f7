import assert from "node:assert/strict";
import { ToolCallRenderer } from "../../src/chat/render/tool_calls.ts";
import { BracketSource } from "../support/bracket_source.ts";
import { builtInService } from "../support/built_in.ts";
import { hear, type Heard } from "../support/chunks.ts";
import { chunkOf, CLEAN, fragment, head, QUIRKS, streamOf } from "../support/native_answers.ts";
import { askChat, startProxy, testConfig } from "../support/proxy.ts";
import { TextAnswer } from "../support/text_answer.ts";
import { startUpstream } from "../support/scripted_upstream.ts";
import { WRITE_FILE_SCHEMA } from "../support/written_file.ts";

const BROKEN = { error: { message: "broken", type: "upstream_error", code: "upstream_broke_off" } };

/** Ten answers, clean and odd. */
const SAMPLES = {
  ...CLEAN,
  "every index 0": {
    stream: streamOf([
      { role: "assistant" },
      head({}, { arguments: '{"path":"a","content":"' }),
      fragment('x"}'),
      head({ id: "call_b" }, { arguments: '{"path":"b","content":"y"}' }),
    ]),
  },
  ...Object.fromEntries(
    ["arguments nearly JSON", "arguments encoded twice", "index missing", "id missing"].map((quirk) => [
      quirk,
      QUIRKS[quirk] ?? { stream: "" },
    ]),
  ),
};

/** The stream up to each of its messages but the last ones, the finish among them. */
function* prefixes(stream: string): Generator<string> {
  const messages = stream.split(/(?<=\n\n)/);
  const finish = messages.findIndex((message) => message.includes('"finish_reason":"tool_calls"'));
  const step = Math.max(1, Math.floor(finish / 60));
  for (let count = 0; count <= finish; count += step) yield messages.slice(0, count).join("");
}

function run(stream: string, isBroken: boolean): string {
  let count = 0;
  const pipeline = new TextAnswer({
    createMatcher: () => new BracketSource(),
    createRenderer: () => new ToolCallRenderer(() => `call_${++count}`),
  });
  return pipeline.push(stream) + pipeline.end(isBroken ? BROKEN : undefined);
}

function isObject(json: string): boolean {
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === "object" && value !== null;
  } catch {
    return false;
  }
}

function assertHonest(choice: Heard | undefined, about: string): void {
  const isDamaged = choice?.calls.some((call) => !isObject(call.arguments)) ?? false;
  if (isDamaged) assert.deepEqual(choice?.finishReasons, ["length"], about);
  assert.ok(choice?.calls.every((call) => call.id && call.name) ?? true, about);
}

for (const [name, { stream }] of Object.entries(SAMPLES)) {
  Deno.test(`a native answer, ${name}, never ends a damaged call as a whole one, wherever it is cut`, () => {
    let count = 0;
    for (const prefix of prefixes(stream)) {
      const cut = `${prefix}${chunkOf({}, "length")}data: [DONE]\n\n`;
      const output = run(cut, false);
      const told = hear(output).choices[0];
      assert.deepEqual(told?.finishReasons, ["length"]);
      assertHonest(told, prefix);
      if (name in CLEAN) assert.equal(output, cut);
      for (const isBroken of [false, true]) {
        const broken = run(prefix, isBroken);
        assertHonest(hear(broken).choices[0], prefix);
        if (name in CLEAN) assert.ok(broken.startsWith(prefix));
      }
      count++;
    }
    assert.ok(count >= 2);
  });
}

Deno.test("a native answer whose connection breaks in a call ends with length", async () => {
  const stream = CLEAN["OpenAI"]?.stream.split(/(?<=\n\n)/).slice(0, 20).join("") ?? "";
  await using upstream = startUpstream({ raw: { stream, body: "" }, fate: "break" });
  await using proxy = await startProxy(await builtInService(testConfig(upstream.url)));
  const tools = [{ type: "function", function: { name: "write_file", parameters: WRITE_FILE_SCHEMA } }];
  const response = await askChat(proxy.origin, { body: { tools, stream: true } });
  const { choices: [choice], isDone } = hear(await response.text());
  assert.deepEqual([choice?.finishReasons, choice?.calls.length, isDone], [["length"], 1, false]);
});
