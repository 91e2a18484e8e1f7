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
import { temporaryFolder } from "../../../support/temporary_folder.ts";
import { loadBoth } from "./setup.ts";
import { functionTool } from "../../../support/chat_tools.ts";

const { engine, server } = await loadBoth();

const ANSWERS = [
  '<think>Hm.</think>Hi.\n<tool_call>\n{"name": "read_file", "arguments": {"path": "a",}}\n</tool_call>\nDone.',
  "Nothing to call.\n",
  "`<function=read_file><parameter=path>a</parameter></function>`",
  "Sure.\n<function=read_file><parameter=path>a.txt</parameter></functoin>",
  '```json\n{"tool": "read_file", "arguments": {"path": "a"}}\n```',
  "I'll look.\n@@invoke read_file\n@arg path = a.txt\n@@end\n",
];

const TOOLS = [
  functionTool("read_file", { path: "string", limit: "integer" }, { required: ["path"] }),
  functionTool("execute_command", { command: "string" }, { required: ["command"] }),
];

interface Compared {
  readonly client: string;
  readonly text: string;
  /** The rule as it is edited; the command line has it in its folder. */
  readonly rule?: string;
}

/** What the playground shows, after `trace` and `transform` printed the same. */
async function compare({ client, text, rule = "" }: Compared): Promise<Trace> {
  const tools = JSON.stringify(TOOLS);
  const workingDirectory = await temporaryFolder({
    "tools.json": tools,
    ...(rule === "" ? {} : { [`rules/${/^rule: (.*)$/m.exec(rule)![1]}.yaml`]: rule }),
  });
  const values = { client, tools: "tools.json" };
  const shown = engine.answer("trace", { text, tools, client, rule }) as Trace;
  const traced = createTestContext({ stdin: text, workingDirectory });
  await trace.run({ values: { ...values, json: true }, positionals: [] }, traced);
  const printed = JSON.parse(traced.printed.stdout || traced.printed.stderr);
  assert.deepEqual(
    shown.candidates.map(({ kind: _, meaning: __, ...candidate }) => candidate),
    printed.map(({ excerpt: _, ...candidate }: { excerpt: string }) => candidate),
  );
  const transformed = createTestContext({ stdin: text, workingDirectory });
  await transform.run({ values, positionals: [] }, transformed);
  assert.equal(transformed.printed.stdout, shown.writesText ? shown.message : `${shown.message}\n`);
  return shown;
}

for (const client of ["openai", "roo"]) {
  Deno.test(`the playground shows what trace and transform print for ${client}`, async () => {
    for (const text of ANSWERS.slice(0, IS_THOROUGH ? undefined : 1)) await compare({ client, text });
  });
}

/** A mapping while it is edited → the arguments that all three show, or the text that stays. */
const EDITS: readonly (readonly [call: string, shown: string | undefined])[] = [
  ["{ tool: read_file, parameters: { path: $file } }", '{"path":"src/a b.ts"}'],
  ["{ tool: read_file, parameters: { path: $file, limit: 5 } }", '{"path":"src/a b.ts","limit":5}'],
  ["{ tool: execute_command, parameters: { command: $file }, allowed_commands: [npm] }", undefined],
];

Deno.test("transform, trace and the playground show the same mapping at work while it is edited", async () => {
  for (const [call, json] of EDITS) {
    const rule = `rule: opened\npattern: '^OPEN: (?<file>.+)$'\ncall: ${call}\n`;
    const { usesEdited, candidates, received } = await compare({
      client: "openai",
      text: "Ok.\nOPEN: src/a b.ts\nMore.",
      rule,
    });
    assert.deepEqual([usesEdited, candidates[0]?.rule, candidates[0]?.arguments], [true, "opened", json]);
    assert.deepEqual(received.calls.map((one) => one.arguments), json === undefined ? [] : [json]);
  }
});

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
