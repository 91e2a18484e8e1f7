/**
 * What a speaker writes is read back exactly, however it is cut, or it is refused by name: every shipped dialect that can be
 * spoken, with values of every kind.
 *
 * @module
 */
import assert from "node:assert/strict";
import fc from "fast-check";
import { compileRules } from "../../src/engine/rule/compile.ts";
import { readAnswer } from "../../src/engine/rule/outcome.ts";
import type { Program } from "../../src/engine/scan/program.ts";
import { Speaker, speaks, type SpokenRule } from "../../src/chat/prompt/speaker.ts";
import type { SpokenCall } from "../../src/chat/prompt/spoken.ts";
import { offer, type OfferedTool } from "../../src/engine/tool/offered.ts";
import { anyText } from "../support/any_text.ts";
import { nastyValue } from "../support/dialect_writer.ts";
import { IS_THOROUGH, runs, tell } from "../support/fuzz.ts";
import { nastyText } from "../support/nasty_text.ts";
import { shippedRules } from "../support/spoken.ts";

/** Cases of each kind; a short run tries a tenth of the second number, because there are nearly fifty dialects. */
const CASES = IS_THOROUGH ? 300 : 100;

const string = { type: "string" };
const TOOLS: readonly OfferedTool[] = [
  { name: "write_file", schema: { type: "object", properties: { path: string, content: string } } },
  {
    name: "configure",
    schema: {
      type: "object",
      properties: {
        count: { type: "integer" },
        ratio: { type: "number" },
        on: { type: "boolean" },
        list: { type: "array" },
        more: { type: "object" },
        maybe: { type: ["string", "null"] },
        any: {},
      },
    },
  },
];

const call = (tool: string, given: Readonly<Record<string, unknown>>): SpokenCall => ({
  tool,
  arguments: given,
  index: 0,
});

const files = (text: fc.Arbitrary<string>) =>
  fc.record({ path: text, content: text }, { requiredKeys: [] }).map((given) => [call("write_file", given)]);

/** Texts that are closers and items of the dialect itself, whole and cut off. */
function ownPieces({ speak }: SpokenRule): fc.Arbitrary<string> {
  const own = [speak.calls, speak.call, ...[speak.item ?? ""].flat(), speak.result].flatMap((template) =>
    template.split(/(?<=\n)|\{\w+\}|(?<=>)/)
  ).filter((piece) => piece !== "");
  const piece = fc.oneof(fc.constantFrom(...own, ..."\n|write_file|a|content|{|}".split("|")), anyText(3));
  return fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join(""));
}

/** Kind of values → calls. */
const KINDS: Readonly<Record<string, (rule: SpokenRule) => fc.Arbitrary<SpokenCall[]>>> = {
  "its own marks": (rule) => files(ownPieces(rule)),
  "marks of all dialects": () => files(nastyValue),
  "markup and entities": () => files(nastyText(["write_file", "parameter", "arg_value"])),
  "any text": () => files(anyText(40)),
  "values of every type": () =>
    fc.record({
      count: fc.integer(),
      ratio: fc.double({ noNaN: true, noDefaultInfinity: true }).map((number) => number + 0),
      on: fc.boolean(),
      list: fc.array(fc.oneof(nastyText(["item"]), fc.integer(), fc.boolean(), fc.constant(null)), {
        maxLength: 3,
      }),
      more: fc.dictionary(fc.stringMatching(/^[a-z]{1,4}$/), nastyText(["a"]), { maxKeys: 3 }),
      maybe: fc.oneof(nastyValue, fc.constant(null)),
      any: fc.jsonValue({ maxDepth: 2 }).filter((value) => !JSON.stringify(value).includes("__proto__")),
    }, { requiredKeys: [] }).map((given) => [call("configure", given)]),
  "several calls": (rule) =>
    fc.array(files(ownPieces(rule)), { minLength: 2, maxLength: 3 }).map((all) => all.flat()),
};

const enabled = await shippedRules();
const { program: all } = compileRules(enabled);
const DIALECTS = enabled.filter(speaks);

for (const rule of DIALECTS) {
  Deno.test(`Speaker writes calls of ${rule.rule} that come back exactly, or refuses them by name`, () => {
    const speaker = speakerOf(rule);
    const figures = { exact: 0, refused: 0 };
    for (const [kind, calls] of Object.entries(KINDS)) {
      fc.assert(
        fc.property(calls(rule), fc.nat(), (made, seed) => {
          const written = speaker.writeCalls(made, TOOLS);
          if ("tool" in written) {
            figures.refused++;
            const refused = made.find(({ tool, arguments: given }) =>
              tool === written.tool && (written.parameter === undefined || written.parameter in given)
            );
            assert(refused !== undefined, `${kind}: a refusal names what is refused`);
            return;
          }
          figures.exact++;
          assertReads(written.text, { made, seed });
        }),
        runs(CASES),
      );
    }
    // A dialect that refuses most texts wouldn't be spoken at all.
    assert(figures.exact > figures.refused, JSON.stringify(figures));
    tell(rule.rule, figures);
  });
}

Deno.test("Speaker carries any call in each dialect with the dialect that it names otherwise", () => {
  for (const rule of DIALECTS) {
    const speaker = speakerOf(
      rule,
      enabled.filter(speaks).find(({ rule: name }) => name === rule.speak.otherwise),
    );
    const calls = fc.oneof(...Object.values(KINDS).map((kind) => kind(rule)));
    fc.assert(
      fc.property(calls, (made) => {
        const written = speaker.writeCalls(made, TOOLS);
        assert("isOtherwise" in written, `${rule.rule} refuses ${JSON.stringify(written)}`);
      }),
      runs(CASES),
    );
  }
});

function speakerOf(rule: SpokenRule, other?: SpokenRule): Speaker {
  const options = { program: all, minimumConfidence: 0.9 };
  return new Speaker(rule, { ...options, otherwise: other && new Speaker(other, options) });
}

/** Reads a text whole, and cut at a few places. */
function assertReads(
  text: string,
  { made, seed }: { readonly made: readonly SpokenCall[]; readonly seed: number },
): void {
  const cuts = [seed, seed * 7, seed * 31].map((number) => number % (text.length + 1)).sort((a, b) => a - b);
  const pieces = [0, ...cuts].map((from, index) => text.slice(from, cuts[index] ?? text.length));
  for (const cut of [[text], pieces]) {
    const { calls, text: rest } = read(all, cut);
    const wanted = made.map(({ tool, arguments: given }) => ({
      tool,
      arguments: JSON.parse(JSON.stringify(given)),
    }));
    assert.deepEqual({ calls, rest: rest.trim() }, { calls: wanted, rest: "" });
  }
}

function read(program: Program, pieces: readonly string[]) {
  return readAnswer(program, { pieces, offered: offer(TOOLS), minimumConfidence: 0.9 });
}
