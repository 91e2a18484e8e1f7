import assert from "node:assert/strict";
import { loadSetup, serviceParts } from "../../../src/cli/service/setup.ts";
import { createTestContext } from "../../support/context.ts";
import { evaluated } from "./evaluated.ts";
import { type Fault, FAULTS, printed } from "./faults.ts";
import { createFaultyServer } from "./faulty_server.ts";
import { temporaryFolder } from "../../support/temporary_folder.ts";

/** A model that shows a call when it is asked to. */
function showing(text: (call: string) => string): Fault {
  const call = printed({ text: "", calls: [{ tool: "read_file", arguments: { path: "src/quoted.ts" } }] });
  return {
    finding: undefined,
    stage: 2,
    isRepaired: true,
    apply: (draft, { question }) => question?.task === "quoted" ? { ...draft, text: text(call) } : draft,
  };
}

const QUOTES = showing((call) => `It looks like this:\n\n\`\`\`\n${call}\n\`\`\`\n\nThat is all.`);

/** Shown to a person, and read as a call. */
const SHOWS_AT_THE_END = showing((call) => `This is how I would read it:\n\n${call}`);

Deno.test("evaluate: a call that the model was asked to show is right alone, and lost if Dragoman makes it", async () => {
  const { send } = createFaultyServer({ shows: SHOWS_AT_THE_END, text: FAULTS.text! });
  const { lost, findings } = await evaluated({ send, mode: "default", tasks: ["plain_call", "quoted"] });
  const found = findings.map(({ id, alone, left }) => [id, alone, left]);
  assert.deepEqual(found, [["calls_printed_as_text", 5, 0], ["lost_through_dragoman", 0, 5]]);
  assert.equal(lost.length, 5);
});

Deno.test("evaluate: Dragoman made worse on purpose shows as lost", async () => {
  const { send } = createFaultyServer({ quotes: QUOTES });
  const tasks = ["plain_call", "no_call", "quoted"];
  const good = await evaluated({ send, mode: "default", tasks });
  assert.deepEqual(good.lost, []);
  assert.deepEqual(good.findings, []);
  const workingDirectory = await temporaryFolder({
    "dragoman.yaml": "policy:\n  quotations: []\n  fenced_calls: anywhere\n",
  });
  const setup = await loadSetup({}, createTestContext({ workingDirectory }));
  const worse = serviceParts(setup);
  const { lost, findings, columns } = await evaluated({
    send,
    mode: "default",
    tasks,
    change: () => worse,
  });
  assert.deepEqual(findings.map(({ id, alone, left }) => [id, alone, left]), [[
    "lost_through_dragoman",
    0,
    5,
  ]]);
  assert.deepEqual(lost.map(({ task }) => task), Array(5).fill("quoted"));
  assert.deepEqual(columns.map(({ k, n }) => n - k), [0, 5]);
});
