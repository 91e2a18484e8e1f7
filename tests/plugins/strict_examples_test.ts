/** Strict validation rejects no right call: every example that ships runs through it. */
import assert from "node:assert/strict";
import { noSettings, readRules } from "../../src/engine/rule/read.ts";
import { readYamlFolder } from "../../src/engine/document/load.ts";
import { SHIPPED_RULES } from "../../src/engine/rule/folder.ts";
import { readOffer } from "../../src/engine/rule/offer.ts";
import { readAnswer } from "../../src/engine/rule/outcome.ts";
import { isRepair, type Reason } from "../../src/engine/event/reason.ts";
import { checkArguments } from "../../src/engine/tool/validate.ts";
import { IS_THOROUGH } from "../support/fuzz.ts";
import { hear } from "../support/chunks.ts";
import { builtInService, shippedParts } from "../support/built_in.ts";
import { loadFromDisk } from "../support/plugins.ts";
import { askChat, startProxy, testConfig } from "../support/proxy.ts";
import { startUpstream } from "../support/scripted_upstream.ts";

/** Of how many examples one is tried; a short run streams every second one of those, and asks for the others as a whole. */
const SHARE = IS_THOROUGH ? 1 : 8;

const workingDirectory = Deno.cwd();
const { files } = await readYamlFolder(SHIPPED_RULES, { workingDirectory });
const { rules } = readRules([files], noSettings);
/** Every example that has a call, with the rules that read it: those that are on and its own. */
const cases = rules.flatMap((rule) =>
  rule.examples.filter(({ calls }) => calls.length > 0).map((example) => ({ rule, example }))
).filter((_, index) => index % SHARE === 0);

/** All rules, also those that are off by default: the proxy reads the answers with them. */
const enable = rules.filter(({ enabled }) => !enabled).map(({ rule }) => rule);
const { program } = await shippedParts({ enable, disable: [], confidence: {}, minimumConfidence: 0 });

/** Whether the calls of an example are right as the model wrote them. */
function isRight({ example }: (typeof cases)[number]): boolean {
  const { offered } = readOffer(example.offered);
  const read = readAnswer(program, { pieces: [example.input], offered });
  const repaired = read.decisions.some((decision) => isRepair(decision.split(" ")[0] as Reason));
  return !repaired && read.calls.every(({ tool, arguments: given }) => {
    const { missing, wrong } = checkArguments(offered.resolve(tool)?.schema, given);
    return missing.length + wrong.length === 0;
  });
}

const right = cases.filter(isRight);

/** The tools that an example offers, as a request has them. */
function toolsOf({ example }: (typeof cases)[number]): unknown[] {
  const { offered } = readOffer(example.offered);
  return offered.names.map((name) => ({
    type: "function",
    function: { name, parameters: offered.resolve(name)?.schema },
  }));
}

// With all cases, it takes over 3 s because it asks the proxy about each of 600 answers twice.
for (const stream of [false, true]) {
  Deno.test(`no right call of a shipped example is rejected, ${stream ? "streamed" : "whole"}`, async () => {
    const { plugins } = await loadFromDisk({
      config: "plugins: [{ use: strict_validation, mode: reject }]",
    });
    await using upstream = startUpstream(({ body }) => {
      const { messages } = JSON.parse(body);
      return { text: right[Number(messages[0].content.slice(5))]?.example.input ?? "" };
    });
    const config = testConfig(upstream.url, {
      rules: { enable },
      policy: { minimum_confidence: 0, second_reader: "off" },
    });
    await using proxy = await startProxy(await builtInService(config, plugins));
    const rejected: string[] = [];
    for (const [index, one] of right.entries()) {
      if (!IS_THOROUGH && index % 2 !== Number(stream)) continue;
      const messages = [{ role: "user", content: `case ${index}` }];
      // What one answer shows about its model's thoughts counts for its next ones.
      const body = { model: `case ${index}`, tools: toolsOf(one), messages, stream };
      const text = await (await askChat(proxy.origin, { body })).text();
      const error = stream ? hear(text).errors[0] : JSON.parse(text).error;
      if (error) rejected.push(`${one.rule.rule}, ${one.example.name}: ${error.message}`);
    }
    assert.deepEqual(rejected, []);
    // Most examples are right; the others show repairs.
    assert.ok(right.length > 500 / SHARE, String(right.length));
  });
}
