import assert from "node:assert/strict";
import { readCases } from "../../../src/analysis/conformance/case.ts";
import { receiveWhole } from "../../../src/analysis/replay/recorded.ts";
import { isJsonEqual } from "../../../src/engine/json/equal.ts";
import type { JsonSchema } from "../../../src/engine/tool/offered.ts";
import { parameterNames } from "../../../src/engine/tool/schema.ts";
import { configSchema } from "../../../src/proxy/config/schema.ts";
import { builtInService } from "../../support/built_in.ts";
import { IS_THOROUGH } from "../../support/fuzz.ts";

/** The recorded suites lie beside the project. */
const FOLDER = "../shared/conformance";
const ignore = !await Deno.stat(FOLDER).then(() => true, () => false);

/** Of how many cases one is cut, and after how many characters each time. */
const [CASES, STEP] = IS_THOROUGH ? [1, 5] : [8, 17];

Deno.test({
  name: "of recorded calls that the model ends anywhere, one in 1,000 is made of a part",
  ignore,
  async fn() {
    const service = await builtInService(configSchema.parse({}));
    const halves: string[] = [];
    let cuts = 0;
    for (const { text, tools, calls } of (await wholeCalls()).filter((_, at) => at % CASES === 0)) {
      const request = { messages: [{ role: "user" as const, content: "Go" }], tools: tools ?? null };
      const translator = service.recognize(request, new Headers());
      const read = (end: number) => {
        const got =
          receiveWhole(text.slice(0, end), { translator, finishReason: "stop", isWhole: true }).calls;
        return got.map((call) => ({ name: call.name, arguments: JSON.parse(call.arguments) }));
      };
      if (!isJsonEqual(read(text.length), calls)) continue;
      for (let end = 4 + (text.length % STEP); end < text.length; end += STEP, cuts++) {
        const got = read(end);
        if (got.length > 0 && !isJsonEqual(got, calls.slice(0, got.length))) {
          halves.push(text.slice(0, end).slice(-120));
        }
      }
    }
    assert.ok(cuts > 200, `${cuts}`);
    assert.ok(
      halves.length <= Math.ceil(cuts / 1000),
      `${halves.length} of ${cuts}:\n${halves.join("\n---\n")}`,
    );
  },
});

async function wholeCalls() {
  const files = await Array.fromAsync(Deno.readDir(FOLDER), ({ name }) => name);
  const texts = await Promise.all(
    files.filter((name) => name.endsWith(".jsonl")).sort().map((name) =>
      Deno.readTextFile(`${FOLDER}/${name}`)
    ),
  );
  const seen = new Set<string>();
  return texts.flatMap((text) => readCases({ file: "", text }).cases).flatMap(({ text, tools, expect }) => {
    if (seen.has(text) || text.length > 1500 || !expect.calls?.length) return [];
    seen.add(text);
    // If a tool doesn't declare what its call has, nothing shows that more can follow.
    const isDeclared = expect.calls.every((call) => {
      const schema = tools?.find((tool) => tool.function.name === call.name)
        ?.function["parameters"] as JsonSchema;
      return Object.keys(call.arguments ?? {}).every((key) => parameterNames(schema).includes(key));
    });
    if (!isDeclared) return [];
    return [{ text, tools, calls: expect.calls }];
  });
}
