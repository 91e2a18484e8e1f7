import assert from "node:assert/strict";
import { textAnswer } from "../../src/engine/event/stage.ts";
import { Matcher } from "../../src/engine/mod.ts";
import { compileRules } from "../../src/engine/rule/compile.ts";
import { offer } from "../../src/engine/tool/offered.ts";
import { EchoGuard } from "../../src/engine/scan/echo_guard.ts";
import { isAllowedCommand } from "../../src/library/compile.ts";
import { createReader, loadRules, type Note, readAnswer, type ReaderEvent } from "../../src/library/mod.ts";
import { packRules } from "../../src/engine/rule/pack.ts";
import { shippedRules } from "../../src/library/shipped.ts";
import { IS_THOROUGH, sampled } from "../support/fuzz.ts";
import { defaultRules, shippedRules as allRules } from "../support/matcher_events.ts";

const TOOLS = [{
  name: "read_file",
  parameters: { type: "object", properties: { path: { type: "string" } } },
}];
const CALL =
  "<tool_call>\n<function=read_file>\n<parameter=path>\na.txt\n</parameter>\n</function>\n</tool_call>";

const RULES = defaultRules({ withExamples: true });
const { program } = compileRules(RULES);

/** What the proxy's matcher gives for the same answer. */
function proxyEvents(text: string, names: readonly string[]): unknown[] {
  const events: unknown[] = [];
  const options = {
    offered: offer(names.map((name) => ({ name }))),
    minimumConfidence: 0.9,
    wholeCalls: false,
    reasoning: "recover" as const,
    echoGuard: new EchoGuard([]),
    separatesReasoning: true,
    beginsInReasoning: false,
  };
  const matcher = new Matcher(program, options);
  for (const event of textAnswer([text])) matcher.push(event, { push: (found) => events.push(found) });
  return events;
}

Deno.test("a reader gives the proxy's events, for the examples of every rule and in any cut", () => {
  let calls = 0;
  for (const { examples, untouched } of RULES) {
    for (const { input, offered } of sampled([...examples, ...untouched], 4)) {
      const names = Array.isArray(offered) ? offered : Object.keys(offered);
      const expected = proxyEvents(input, names);
      const notes: Note[] = [];
      const reader = createReader({
        rules: shippedRules,
        tools: names.map((name) => ({ name })),
        onNote: (note) => notes.push(note),
      });
      const events = [...reader.push(input), ...reader.end()];
      assert.deepEqual(events, expected.filter((event) => (event as { kind: string }).kind !== "note"));
      assert.deepEqual(notes.length, expected.length - events.length);
      calls += events.filter(({ kind }) => kind === "call_start").length;
      assert.deepEqual(joined(eventsOf([...input], names)), joined(events));
    }
  }
  assert.ok(calls > (IS_THOROUGH ? 200 : 100), `${calls} calls`);
});

function eventsOf(pieces: readonly string[], names: readonly string[]): ReaderEvent[] {
  const reader = createReader({ rules: shippedRules, tools: names.map((name) => ({ name })) });
  return [...pieces.flatMap((piece) => reader.push(piece)), ...reader.end()];
}

/** Events without the cuts: pieces of the same text or arguments are one. */
function joined(events: readonly ReaderEvent[]): unknown[] {
  const all: Record<string, unknown>[] = [];
  for (const event of events) {
    const last = all.at(-1);
    const isNext = last?.["kind"] === event.kind && last["call"] === (event as { call?: number }).call;
    if (isNext && (event.kind === "text" || event.kind === "reasoning")) {
      last["text"] = `${last["text"]}${event.text}`;
    } else if (isNext && event.kind === "arguments") last["json"] = `${last["json"]}${event.json}`;
    else all.push({ ...event });
  }
  return all;
}

Deno.test("readAnswer gives text and whole calls; what breaks off stays text", () => {
  const options = { rules: shippedRules, tools: TOOLS };
  assert.deepEqual(readAnswer(`Look.\n${CALL}`, options), {
    text: "Look.\n",
    reasoning: "",
    calls: [{ tool: "read_file", rule: "qwen_xml", json: '{"path":"a.txt"}', arguments: { path: "a.txt" } }],
  });
  const cut = `Look.\n${CALL.slice(0, 60)}`;
  assert.deepEqual(readAnswer(cut, { ...options, truncated: true }), { text: cut, reasoning: "", calls: [] });
  assert.deepEqual(readAnswer("", options), { text: "", reasoning: "", calls: [] });
  // It doesn't ask whether what closes a call comes again.
  const again = readAnswer(`${CALL}\nb\n</parameter>\n</function>\n</tool_call>`, options);
  assert.deepEqual(again.calls.map(({ arguments: value }) => value), [{ path: "a.txt" }]);
});

Deno.test("aliases, quotable texts, reasoning and an ended answer", () => {
  const alias = CALL.replace("=read_file", "=open");
  assert.equal(
    readAnswer(alias, { rules: shippedRules, tools: [{ ...TOOLS[0]!, aliases: ["open"] }] }).calls[0]?.tool,
    "read_file",
  );
  const notes: Note[] = [];
  const echo = readAnswer(CALL, {
    rules: shippedRules,
    tools: TOOLS,
    quotable: [`A page: ${CALL}`],
    onNote: (note) => notes.push(note),
  });
  assert.deepEqual([echo.text, echo.calls], [CALL, []]);
  assert.equal(notes[0]?.reason, "echo");
  assert.equal("kind" in notes[0]!, false);
  const reader = createReader({ rules: shippedRules, tools: TOOLS });
  assert.deepEqual(reader.reasoning(`Hm. ${CALL}`), []);
  assert.deepEqual(reader.end().map(({ kind }) => kind), ["call_start", "arguments", "call_end"]);
  assert.throws(() => reader.push("more"), /The answer has ended/);
  const ignoring = createReader({ rules: shippedRules, tools: TOOLS, reasoning: "ignore" });
  ignoring.reasoning(`Hm. ${CALL}`);
  assert.deepEqual(ignoring.end(), []);
});

Deno.test("without tools every name is called, and a rule with a whitelist needs its check", () => {
  assert.equal(readAnswer(CALL, { rules: shippedRules }).calls[0]?.tool, "read_file");
  const rules = loadRules(packRules(allRules().filter(({ rule }) => rule === "shell_block"), { by: "test" }));
  const tools = [{ name: "bash" }, { name: "execute_command" }, { name: "run_terminal_cmd" }, {
    name: "shell",
  }];
  const text = "```sh\nls\n```";
  const calls = (check?: typeof isAllowedCommand) =>
    readAnswer(text, { rules, tools, minimumConfidence: 0, isAllowedCommand: check }).calls.length;
  assert.equal(calls(), 0);
  assert.equal(calls(isAllowedCommand), 1);
});
