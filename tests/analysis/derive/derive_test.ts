import assert from "node:assert/strict";
import type { Derivation, DeriveOptions } from "../../../src/analysis/derive/derive.ts";
import { deriveFromAnswers } from "../../../src/analysis/derive/from_answers.ts";
import { deriveFromTemplate } from "../../../src/analysis/derive/from_template.ts";
import { ChatTemplate } from "../../../src/analysis/derive/template.ts";
import { noSettings, readRules } from "../../../src/engine/rule/read.ts";
import { compileRules } from "../../../src/engine/rule/compile.ts";
import { readCalls } from "../../../src/analysis/derive/proof.ts";
import { offer } from "../../../src/engine/tool/offered.ts";
import { loadParts } from "../evaluate/evaluated.ts";

const OPTIONS: DeriveOptions = {
  name: "mine",
  origin: "a test",
  shipped: [],
  known: [],
  schema: "rule.schema.json",
};

const TOOLS = [
  {
    name: "write_file",
    schema: { type: "object", properties: { path: { type: "string" }, content: { type: "string" } } },
  },
  { name: "read_file", schema: { type: "object", properties: { path: { type: "string" } } } },
];

function only(derivations: readonly Derivation[]): Derivation & { kind: "rule" } {
  const [derivation] = derivations;
  assert.equal(derivation?.kind, "rule", JSON.stringify(derivation));
  return derivation as Derivation & { kind: "rule" };
}

/** The calls that a derived rule finds in another answer. */
function callsIn(text: string, rule: string) {
  const { rules, diagnostics } = readRules([[{ file: "mine.yaml", text: rule }]], noSettings);
  assert.deepEqual(diagnostics, []);
  return readCalls(text, { program: compileRules(rules).program, offered: offer(TOOLS) }).calls;
}

/** Dialects that no model speaks: one answer to learn from, another to read. */
const INVENTED: readonly { name: string; answer: string; other: string }[] = [
  {
    name: "signs at the start of lines",
    answer: "I will write it.\n@@invoke write_file\n@arg path = src/a.ts\n@arg content = let x = 1;\n@@end\n",
    other: "@@invoke read_file\n@arg path = b.md\n@@end",
  },
  {
    name: "double angle brackets",
    answer:
      "Sure.\n<<TOOL:write_file>>\n<<ARG path>>src/a.ts<</ARG>>\n<<ARG content>>\nlet x;\nlet y;\n<</ARG>>\n<</TOOL>>\n",
    other: "<<TOOL:read_file>>\n<<ARG path>>b.md<</ARG>>\n<</TOOL>>",
  },
  {
    name: "an envelope with other keys between signs",
    answer: 'Okay.\n{%tool%}{"do": "write_file", "with": {"path": "src/a.ts", "content": "x"}}{%endtool%}\n',
    other: '{%tool%}{"do": "read_file", "with": {"path": "b.md"}}{%endtool%}',
  },
  {
    name: "tags of brackets that no other dialect has",
    answer: "Okay.\n⟦call:write_file⟧\n⟦path⟧src/a.ts⟦/path⟧\n⟦content⟧let x = 1;⟦/content⟧\n⟦/call⟧\n",
    other: "⟦call:read_file⟧\n⟦path⟧b.md⟦/path⟧\n⟦/call⟧",
  },
  {
    name: "a command with its arguments as JSON",
    answer: '!run write_file {"path": "src/a.ts", "content": "let x = 1;"} !done\n',
    other: '!run read_file {"path": "b.md"} !done',
  },
];

for (const { name, answer, other } of INVENTED) {
  Deno.test(`deriveFromAnswers learns ${name} from one answer`, () => {
    const { text } = only(deriveFromAnswers([{ text: answer, tools: TOOLS }], OPTIONS));
    assert.deepEqual(callsIn(other, text), [{ tool: "read_file", arguments: { path: "b.md" } }]);
  });
}

Deno.test("deriveFromAnswers writes a rule for each notation in the answers", () => {
  const answers = [INVENTED[1]!, INVENTED[4]!].map(({ answer }) => ({ text: answer, tools: TOOLS }));
  const derivations = deriveFromAnswers(answers, OPTIONS);
  assert.deepEqual(derivations.map(({ kind }) => kind), ["rule", "rule"]);
});

Deno.test("deriveFromAnswers refuses prose", () => {
  const text = "I would use write_file with a path and some content, but you did not ask for it.";
  const [derivation] = deriveFromAnswers([{ text, tools: TOOLS }], OPTIONS);
  assert.equal(derivation?.kind, "refused");
});

Deno.test("deriveFromAnswers writes a rule that is off where nothing marks a call", () => {
  for (
    const text of [
      '{"do": "read_file", "with": {"path": "a"}}',
      'read_file(path="a")',
      '[read_file(path="a")]',
    ]
  ) {
    const { text: rule, isOff } = only(deriveFromAnswers([{ text, tools: TOOLS }], OPTIONS));
    assert.equal(isOff, true);
    assert.match(rule, /^enabled: false$/m);
    assert.match(rule, /^begins: answer$/m);
  }
});

Deno.test("deriveFromAnswers learns calls in Python between marks", () => {
  const text = 'Sure.\n<<calls>>[write_file(path="a", content=\'x\'), read_file(path="b")]<</calls>>';
  const { text: rule } = only(deriveFromAnswers([{ text, tools: TOOLS }], OPTIONS));
  assert.deepEqual(callsIn('<<calls>>[read_file(path="c.md")]<</calls>>', rule), [
    { tool: "read_file", arguments: { path: "c.md" } },
  ]);
});

Deno.test("deriveFromAnswers makes a namespace before the name optional, and cuts reasoning off", () => {
  const text = '<think>\nHm.\n</think><|do|>tools.read_file<|with|>{"path": "a"}<|end|>';
  const { text: rule } = only(deriveFromAnswers([{ text, tools: TOOLS }], OPTIONS));
  assert.doesNotMatch(rule, /pattern: .*think/);
  assert.equal(callsIn('<|do|>read_file<|with|>{"path": "c"}<|end|>', rule).length, 1);
});

const TEMPLATE = `{% for message in messages %}<|{{ message.role }}|>
{% if message.content %}{{ message.content }}{% endif %}{% for call in message.tool_calls or [] %}
<act:{{ call.function.name }}>{% for key, value in call.function.arguments.items() %}
<with {{ key }}>{{ value if value is string else value | tojson }}</with>{% endfor %}
</act>{% endfor %}<|stop|>
{% endfor %}{% if add_generation_prompt %}<|assistant|>
{% endif %}`;

Deno.test("deriveFromTemplate learns what a template writes", () => {
  const { text, exampleCount } = only([deriveFromTemplate(new ChatTemplate(TEMPLATE), OPTIONS)]);
  assert.ok(exampleCount > 4);
  assert.deepEqual(callsIn("<act:read_file>\n<with path>b.md</with>\n</act>", text), [
    { tool: "read_file", arguments: { path: "b.md" } },
  ]);
});

Deno.test("deriveFromTemplate names the rule that reads the same already", () => {
  const { text } = only([deriveFromTemplate(new ChatTemplate(TEMPLATE), OPTIONS)]);
  const file = { file: "mine.yaml", text };
  const known = readRules([[file]], noSettings).rules;
  const derivation = deriveFromTemplate(new ChatTemplate(TEMPLATE), { ...OPTIONS, shipped: [file], known });
  assert.deepEqual(derivation, { kind: "known", rule: "mine" });
});

Deno.test("deriveFromAnswers names a rule as one that reads the answers only if it reads every call", async () => {
  const { rules } = await loadParts();
  const [one, other] = ["a.md", "b.md"].map((path) =>
    JSON.stringify({ name: "read_file", arguments: { path } })
  );
  const texts: readonly (readonly [text: string, kind: "known" | "refused"])[] = [
    [`<|tool_call|>[${one}, ${other}]`, "known"],
    [`<|tool_call|>[${one}]\n<|tool_call|>[${other}]`, "known"],
    [`<|tool_call|>${one}\n${other}`, "refused"],
    [`<tool_call>[${one}]\n[${other}]`, "refused"],
    [`${one}; ${other}`, "known"],
    [`; ${one}; ${other}`, "refused"],
    [`I read both: ${one}; ${other}`, "refused"],
  ];
  for (const [text, kind] of texts) {
    const [derivation] = deriveFromAnswers([{ text, tools: TOOLS }], { ...OPTIONS, known: rules });
    assert.equal(derivation?.kind, kind, `${text}: ${JSON.stringify(derivation)}`);
    if (derivation?.kind === "refused") assert.match(derivation.why, / 2 calls, .*, at ".*Next: /);
    if (derivation?.kind !== "known") continue;
    const named = rules.map((rule) => rule.rule === derivation.rule ? { ...rule, enabled: true } : rule);
    const { program } = compileRules(named);
    assert.equal(readCalls(text, { program, offered: offer(TOOLS) }).calls.length, 2, text);
  }
});

Deno.test("deriveFromTemplate refuses a template that writes no calls", () => {
  const template = new ChatTemplate("{% for message in messages %}{{ message.content }}{% endfor %}");
  assert.equal(deriveFromTemplate(template, OPTIONS).kind, "refused");
});

Deno.test("deriveFromAnswers takes no word of a sentence for a mark", () => {
  const text = 'I\'ll read it.[DO][{"name": "read_file", "arguments": {"path": "a"}}]';
  const { text: rule } = only(deriveFromAnswers([{ text, tools: TOOLS }], OPTIONS));
  for (const other of ["Here.", ""]) {
    const calls = callsIn(`${other}[DO][{"name": "read_file", "arguments": {"path": "b"}}]`, rule);
    assert.deepEqual(calls, [{ tool: "read_file", arguments: { path: "b" } }]);
  }
});

Deno.test("deriveFromAnswers derives from JSON with a value of another type than the schema's", () => {
  const text = '<|do|>{"name": "read_file", "arguments": {"path": 5}}<|done|>';
  const { text: rule } = only(deriveFromAnswers([{ text, tools: TOOLS }], OPTIONS));
  const calls = callsIn('<|do|>{"name": "read_file", "arguments": {"path": "b"}}<|done|>', rule);
  assert.deepEqual(calls, [{ tool: "read_file", arguments: { path: "b" } }]);
});
