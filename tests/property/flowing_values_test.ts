/**
 * A file in the client's own dialect, whatever it holds: while it streams the client reads what the matcher reads, at
 * every cut, and where the matcher reads no call the client runs none.
 */
import assert from "node:assert/strict";
import fc from "fast-check";
import { collect, textAnswer } from "../../src/engine/event/stage.ts";
import { builtInService } from "../support/built_in.ts";
import { chunkMessage, hear, type HeardAnswer } from "../support/chunks.ts";
import { parseCline } from "../support/cline_parser.ts";
import { runs } from "../support/fuzz.ts";
import { callsOf } from "../support/matcher_events.ts";
import { nastyText } from "../support/nasty_text.ts";
import { CLINE_PROMPT, rooPrompt } from "../support/prompts.ts";
import { testConfig } from "../support/proxy.ts";
import { parseRoo } from "../support/roo_parser.ts";
import { TextAnswer } from "../support/text_answer.ts";

const CLIENTS = {
  Roo: { prompt: rooPrompt({ hasArgs: true, hasLineCount: false }), parse: parseRoo },
  Cline: {
    prompt: CLINE_PROMPT.replace(
      "## replace_in_file",
      "## write_to_file\nParameters:\n- path: (required)\n- content: (required)\n\n## replace_in_file",
    ),
    parse: parseCline,
  },
};
const SERVICE = await builtInService(testConfig());

/** How many closers of the call a text holds; one of a value isn't the call's. */
const closersIn = (text: string) => text.split("</write_to_file>").length - 1;

for (const [name, { prompt, parse }] of Object.entries(CLIENTS)) {
  const translator = SERVICE.recognize({ messages: [{ role: "system", content: prompt }] }, new Headers());
  assert.ok(translator);

  const stream = (text: string, length: number): HeardAnswer => {
    const pipeline = new TextAnswer({
      createMatcher: () => translator.createMatcher({ isStreamed: true }),
      createRenderer: () => translator.createRenderer(() => "call_1"),
      ...(translator.native && { native: translator.native }),
    });
    let sent = "";
    for (let at = 0; at < text.length && !pipeline.isOver; at += length) {
      sent += pipeline.push(chunkMessage({ content: text.slice(at, at + length) }));
    }
    if (!pipeline.isOver) sent += pipeline.push(chunkMessage({}, { finish: "stop" }) + "data: [DONE]\n\n");
    return hear(sent + pipeline.end());
  };

  Deno.test(`${name} reads a file that streams as the matcher reads it`, () => {
    const value = nastyText(["write_to_file", "path", "content"]);
    fc.assert(
      fc.property(value, fc.constantFrom(1, 3, 8), (value, length) => {
        const text = `<write_to_file>\n<path>a.ts</path>\n<content>\n${value}\n</content>\n</write_to_file>`;
        const whole = stream(text, text.length);
        const cut = stream(text, length);
        assert.deepEqual([cut.choices[0]?.content, cut.errors], [whole.choices[0]?.content, whole.errors]);
        const content = whole.choices[0]?.content ?? "";
        const calls = parse(content).filter((block) => block.type === "tool_use");
        const [read] = callsOf(collect(translator.createMatcher(), textAnswer([text])));
        if (whole.errors.length > 0) {
          return assert.ok(closersIn(content) <= closersIn(value), content);
        }
        if (read === undefined) return assert.deepEqual(calls, [], content);
        const { path, content: expected } = JSON.parse(read.json);
        assert.equal(calls.length, 1, content);
        const { path: gotPath, content: got = "" } = calls[0]!.params;
        const seen = got.replaceAll("&lt;/content>", "</content>").trim();
        const wanted = String(expected).replaceAll("&lt;/content>", "</content>").trim();
        assert.deepEqual([gotPath, seen], [path, wanted], content);
      }),
      runs(400),
    );
  });
}
