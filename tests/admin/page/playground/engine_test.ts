import assert from "node:assert/strict";
import type { AnswerRequest, Derived, Trace } from "../../../../src/admin/page/playground/protocol.ts";
import { newRuleText } from "../../../../src/engine/rule/new_rule.ts";
import { loadBoth } from "./setup.ts";
import { choicesAt } from "../../../../src/admin/page/playground/engine.ts";

const { engine } = await loadBoth();

const LEAK = "I'll look.\n@@invoke read_file\n@arg path = a.txt\n@@end\n";

function asked(more: Partial<AnswerRequest> = {}): AnswerRequest {
  return { text: LEAK, tools: "read_file: { path: string }", client: "", rule: "", ...more };
}

function trace(more: Partial<AnswerRequest> = {}): Trace {
  const answer = engine.answer("trace", asked(more));
  assert.ok(!("problem" in answer), JSON.stringify(answer));
  return answer;
}

Deno.test("Engine shows a near miss, the nearest rules, and rules that are off", () => {
  assert.deepEqual(trace().candidates.map(({ reason, start }) => [reason, start]), [["near_miss", 11]]);
  const { near, received } = trace({ text: "<function=read_file><parameter=path>a</parameter>paramter>" });
  assert.deepEqual(received.calls, []);
  assert.deepEqual([near[0]?.rule, near[0]?.line, near[0]?.reason], ["qwen_xml", 1, "truncated"]);
  const rule = newRuleText("mine").replace("confidence: 0.95", "confidence: 0.95\nenabled: false");
  const text = 'Print <mine read_file>{"path": "a.txt"}</mine> and more';
  assert.deepEqual(trace({ text, rule }).silent, [{ rule: "mine", isOff: true, confidence: 0.95 }]);
});

Deno.test("Engine states why it can't trace", () => {
  assert.match(JSON.stringify(engine.answer("trace", asked({ client: "roi" }))), /did you mean `roo`/);
  assert.match(JSON.stringify(engine.answer("trace", asked({ tools: "{" }))), /Flow map must end/);
});

Deno.test("Engine checks a rule: code, line, column, what is expected and what is meant", () => {
  const { name, diagnostics } = engine.answer("check", {
    rule: newRuleText("mine").replace("body: json", "bdy: json"),
  });
  assert.equal(name, "mine");
  const [{ code, line, column, length, help } = { code: "" }] = diagnostics;
  assert.deepEqual([code, line, column, length, help], ["unknown_field", 4, 1, 3, "did you mean `body`?"]);
  assert.deepEqual(engine.answer("check", { rule: newRuleText("mine") }).diagnostics, []);
  const speak =
    "speak: { announce: '{tools}', call: '<your {name}>{arguments}</your>', result: '{content}' }";
  const spoken = newRuleText("mine").replace("examples:", `${speak}\nexamples:`);
  assert.deepEqual(engine.answer("check", { rule: spoken }).diagnostics.map((one) => one.code), [
    "speak_unread",
  ]);
  assert.equal(engine.answer("check", { rule: newRuleText("hermes") }).replaces, true);
});

Deno.test("Engine finds a rule that reads what a shipped one reads", () => {
  const rule = newRuleText("mine")
    .replace("pattern: '<mine {tool}>(?<body>…)</mine>'", "pattern: '<tool_call>(?<body>…)</tool_call>'")
    .replace("body: json ", "body: envelope ")
    .replaceAll(
      /<mine read_file>(\{.*\})<\/mine>/g,
      '<tool_call>{"name": "read_file", "arguments": $1}</tool_call>',
    );
  const { diagnostics } = engine.answer("check", { rule });
  assert.ok(diagnostics.some(({ message }) => message.includes("hermes")), JSON.stringify(diagnostics));
});

Deno.test("Engine runs the examples of a rule at every cut: expected and actual", () => {
  const rule = newRuleText("mine");
  const { results, isReadable } = engine.answer("examples", { rule });
  assert.ok(isReadable);
  assert.deepEqual(results.map(({ kind, line, failure }) => [kind, line, failure]), [
    ["examples", 7, undefined],
    ["untouched", 15, undefined],
  ]);
  const [wrong] =
    engine.answer("examples", { rule: rule.replace("path: a.txt } }]", "path: b } }]") }).results;
  assert.deepEqual(wrong?.expected.calls, [{ tool: "read_file", arguments: { path: "b" } }]);
  assert.deepEqual(wrong?.failure?.calls, [{ tool: "read_file", arguments: { path: "a.txt" } }]);
  assert.equal(wrong?.failure?.how, "as a whole with its rule alone");
  assert.equal(engine.answer("examples", { rule: "rule: mine\n" }).isReadable, false);
});

Deno.test("Engine derives a rule from an answer, and the rule reads it", () => {
  const { derivations: [derivation] } = engine.answer("derive", { ...asked(), name: "mine" }) as Derived;
  assert.ok(derivation?.kind === "rule");
  const [head = ""] = derivation.text.split("rule: mine\n");
  const [schema, ...notes] = head.trimEnd().split("\n");
  assert.match(schema ?? "", /^# yaml-language-server: \$schema=file:.*\/rule\.schema\.json$/);
  const parts = ["…", "(?:\\\\n)?\\s*", "(?<key>)"];
  assert.equal(notes.length, parts.length);
  for (const [index, part] of parts.entries()) {
    assert.ok(notes[index]?.startsWith("# ") && notes[index].includes(part), head);
  }
  const { usesEdited, received } = trace({ rule: derivation.text });
  assert.deepEqual([usesEdited, received.calls[0]?.arguments], [true, '{"path":"a.txt"}']);
  assert.match(
    JSON.stringify(engine.answer("derive", { ...asked({ tools: "" }), name: "mine" })),
    /The offered tools are unknown/,
  );
});

Deno.test("Engine opens a capture as its answer, tools and client", () => {
  const tools = [{ type: "function", function: { name: "go" } }];
  const capture = {
    v: 1,
    time: "",
    request: "",
    client: "openai",
    model: null,
    tools,
    system: null,
    text: LEAK,
  };
  const opened = engine.answer("open", { text: JSON.stringify({ ...capture, calls: [], refused: [] }) });
  assert.deepEqual([opened.text, opened.client, JSON.parse(opened.tools ?? "")], [LEAK, "openai", { tools }]);
  assert.deepEqual(engine.answer("open", { text: LEAK }), { text: LEAK });
});

function labels(path: readonly (string | number)[], isValue = false) {
  return choicesAt(path, isValue).choices.map(({ label }) => label);
}

Deno.test("choicesAt gives the keys of a rule, of its mappings and of its lists", () => {
  const [first] = choicesAt([], false).choices;
  assert.deepEqual([first?.label, first?.detail], ["rule", "a text"]);
  assert.match(first?.description ?? "", /name/);
  assert.ok(labels([]).includes("pattern"));
  assert.ok(labels(["envelope"]).includes("keyed"));
  assert.ok(labels(["examples", 0]).includes("offered"));
  assert.deepEqual(labels(["nowhere"]), []);
});

Deno.test("choicesAt gives the values of a field", () => {
  assert.ok(labels(["body"], true).includes("tagged"));
  assert.deepEqual(labels(["enabled"], true), ["true", "false"]);
  assert.deepEqual(labels(["pattern"], true), []);
});
