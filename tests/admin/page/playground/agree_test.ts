/**
 * The playground and the command line agree: the same answer gives the same candidates and the same result.
 *
 * @module
 */
import assert from "node:assert/strict";
import { trace } from "../../../../src/cli/trace.ts";
import { transform } from "../../../../src/cli/transform.ts";
import { readCases } from "../../../../src/analysis/conformance/case.ts";
import type { ContentEvent } from "../../../../src/engine/event/event.ts";
import type { Trace } from "../../../../src/admin/page/playground/protocol.ts";
import { listCandidates } from "../../../../src/analysis/replay/candidates.ts";
import { receiveWhole } from "../../../../src/analysis/replay/recorded.ts";
import { findClient } from "../../../../src/analysis/replay/recorded_client.ts";
import { recordedParts } from "../../../../src/analysis/replay/recorded_parts.ts";
import { serviceParts } from "../../../../src/cli/service/setup.ts";
import { IS_THOROUGH } from "../../../support/fuzz.ts";
import { createTestContext } from "../../../support/context.ts";
import { loadBoth } from "./setup.ts";
import { functionTool } from "../../../support/chat_tools.ts";

const { engine, server } = await loadBoth();

const ANSWERS = [
  "Nothing to call.\n",
  'Hi.\n<tool_call>\n{"name": "read_file", "arguments": {"path": "a",}}\n</tool_call>\nDone.',
  "`<function=read_file><parameter=path>a</parameter></function>`",
  "Sure.\n<function=read_file><parameter=path>a.txt</parameter></functoin>",
  '```json\n{"tool": "read_file", "arguments": {"path": "a"}}\n```',
  "I'll look.\n@@invoke read_file\n@arg path = a.txt\n@@end\n",
];

for (const client of ["openai", "roo"]) {
  Deno.test(`the playground shows what trace and transform print for ${client}`, async () => {
    const tools = JSON.stringify([functionTool("read_file", { path: "string" })]);
    const file = await Deno.makeTempFile({ suffix: ".json" });
    await Deno.writeTextFile(file, tools);
    const values = { client, tools: file };
    for (const text of ANSWERS.slice(0, IS_THOROUGH ? undefined : 3)) {
      const shown = engine.answer("trace", { text, tools, client, rule: "" }) as Trace;
      const traced = createTestContext({ stdin: text });
      await trace.run({ values: { ...values, json: true }, positionals: [] }, traced);
      const printed = JSON.parse(traced.printed.stdout).map((
        { excerpt: _, ...candidate }: { excerpt: string },
      ) => candidate);
      assert.deepEqual(shown.candidates.map(({ kind: _, meaning: __, ...candidate }) => candidate), printed);
      const transformed = createTestContext({ stdin: text });
      await transform.run({ values, positionals: [] }, transformed);
      const { stdout } = transformed.printed;
      if (shown.writesText) assert.equal(shown.received.content, stdout);
      else {
        const {
          content,
          reasoning_content: reasoning = "",
          tool_calls: calls = [],
          finish_reason: finishReason,
        } = JSON.parse(stdout);
        assert.deepEqual(shown.received, {
          content,
          reasoning,
          calls: calls.map(({ id, function: called }: { id: string; function: object }) => ({
            id,
            ...called,
          })),
          finishReason,
        });
      }
    }
    await Deno.remove(file);
  });
}

const SUITE = "../shared/conformance";

/** Of how many cases of a file one is read: `conformance` reads all, with the same engine. */
const SHARE = IS_THOROUGH ? 5 : 1000;

Deno.test("the playground reads recorded answers as the command line does", async (t) => {
  const files: string[] = [];
  try {
    for await (const { name } of Deno.readDir(SUITE)) if (name.endsWith(".jsonl")) files.push(name);
  } catch {
    return console.log(`SKIPPED ${t.name}: ${SUITE} isn't here`);
  }
  const parts = serviceParts(server);
  let count = 0;
  for (const file of files.sort()) {
    const { cases } = readCases({ file, text: await Deno.readTextFile(`${SUITE}/${file}`) });
    for (const [at, { text, tools, client, id }] of cases.entries()) {
      if (at % SHARE !== 0) continue;
      const known = client ? { system: client.system } : { tools: tools ?? [] };
      const found = findClient(recordedParts(parts), {
        ...known,
        ...(tools?.length ? { client: "openai" } : {}),
      });
      if ("message" in found) continue;
      const events: ContentEvent[] = [];
      const { translator } = found;
      const received = receiveWhole(text, {
        translator,
        observe: (event) => void events.push(event),
        isWhole: true,
      });
      const request = client
        ? { messages: [{ role: "system", content: client.system }] }
        : { tools: tools ?? [] };
      const asked = { text, tools: JSON.stringify(request), client: tools?.length ? "openai" : "", rule: "" };
      const shown = engine.answer("trace", asked) as Trace;
      assert.deepEqual(shown.received, received, `${file} ${id}`);
      const candidates = shown.candidates.map(({ line: _, column: __, kind: ___, meaning: ____, ...one }) =>
        one
      );
      assert.deepEqual(candidates, listCandidates(events), `${file} ${id}`);
      count++;
    }
  }
  assert.ok(count > 20, `${count} cases`);
});
