import assert from "node:assert/strict";
import { deriveFromAnswers } from "../../../src/analysis/derive/from_answers.ts";
import { readCalls } from "../../../src/analysis/derive/proof.ts";
import { noSettings, readRules } from "../../../src/engine/rule/read.ts";
import { compileRules } from "../../../src/engine/rule/compile.ts";
import { offer } from "../../../src/engine/tool/offered.ts";
import { findEvidence } from "../../../src/chat/near_miss/evidence.ts";
import { ToolNames } from "../../../src/chat/near_miss/tool_names.ts";
import { sampled } from "../../support/fuzz.ts";
import { INVENTED_DIALECTS, LINES, SEVERAL_LINES } from "./invented_dialects.ts";

const string = { type: "string" };
const TOOLS = [
  {
    name: "write_file",
    schema: { type: "object", properties: { path: string, content: string }, required: ["path", "content"] },
  },
  { name: "read_file", schema: { type: "object", properties: { path: string }, required: ["path"] } },
];

const WRITTEN = { tool: "write_file", arguments: { path: "src/a.ts", content: "let x = 1;" } };

const OPTIONS = { name: "mine", origin: "a test", shipped: [], known: [], schema: "rule.schema.json" };

function derive(text: string) {
  const [derivation] = deriveFromAnswers([{ text, tools: TOOLS }], OPTIONS);
  return derivation!;
}

function callsIn(text: string, rule: string) {
  const { rules, diagnostics } = readRules([[{ file: "mine.yaml", text: rule }]], noSettings);
  assert.deepEqual(diagnostics, []);
  const { program } = compileRules(rules.map((one) => ({ ...one, enabled: true })));
  return readCalls(text, { program, offered: offer(TOOLS) }).calls;
}

for (const { name, answer, other, lines, refused } of sampled(INVENTED_DIALECTS, 3)) {
  Deno.test(`deriveFromAnswers reads ${name} exactly, or says why it does not`, () => {
    const derivation = derive(answer);
    if (refused !== undefined) {
      assert.equal(derivation.kind, "refused");
      return assert.match(derivation.kind === "refused" ? derivation.why : "", refused);
    }
    assert.equal(derivation.kind, "rule", JSON.stringify(derivation));
    if (derivation.kind !== "rule") return;
    assert.deepEqual(derivation.reads, [WRITTEN]);
    assert.match(derivation.text, /examples:\n {2}- name: the recorded answer\n/);
    assert.deepEqual(callsIn(answer, derivation.text), [WRITTEN]);
    assert.deepEqual(callsIn(other, derivation.text), [{ tool: "read_file", arguments: { path: "b.md" } }]);
    if (lines === undefined) return;
    assert.deepEqual(callsIn(lines, derivation.text), [
      { tool: "write_file", arguments: { path: "b.md", content: LINES } },
    ]);
  });
}

for (const { name, answer, isOrdinary = false } of INVENTED_DIALECTS) {
  Deno.test(`findEvidence ${isOrdinary ? "leaves" : "notes"} ${name}`, () => {
    const found = [...findEvidence(answer, new ToolNames(offer(TOOLS)))].map(({ tool }) => tool);
    assert.deepEqual(found, isOrdinary ? [] : ["write_file"]);
  });
}

Deno.test("deriveFromAnswers learns from values of several lines, and from one that ends with a line break", () => {
  const kept: string[] = [];
  for (const text of SEVERAL_LINES) {
    const derivation = derive(`Okay.\n${text}\nThat is done.\n`);
    assert.equal(derivation.kind, "rule", `${text}: ${JSON.stringify(derivation)}`);
    if (derivation.kind !== "rule") continue;
    const [read] = derivation.reads;
    assert.equal(read?.arguments["path"], "src/a.ts");
    kept.push(String(read?.arguments["content"]).replace("    let y", "let y"));
  }
  assert.deepEqual(kept, SEVERAL_LINES.map(() => LINES));
  const closed = derive("⟦call write_file⟧\n⟦path⟧src/a.ts⟦/path⟧\n⟦content⟧Hello\n⟦/content⟧\n⟦/call⟧");
  assert.equal(closed.kind === "rule" && closed.reads[0]?.arguments["content"], "Hello\n");
});

Deno.test("deriveFromAnswers: a closer in a block of YAML ends nothing", () => {
  const block = (content: string) =>
    `%CALL\ntool: write_file\nargs:\n  path: a.ts\n  content: ${content}\n%END`;
  const derivation = derive(block("let x = 1;"));
  assert.equal(derivation.kind, "rule", JSON.stringify(derivation));
  const found = derivation.kind === "rule"
    ? callsIn(block("|-\n    one\n    %END\n    two"), derivation.text)
    : [];
  assert.deepEqual(found, [{ tool: "write_file", arguments: { path: "a.ts", content: "one\n%END\ntwo" } }]);
});

Deno.test("a rule whose opening mark stays in the text, or that reads a part of its answers, isn't written", () => {
  const prose = "I set name: write_file\npath: src/a.ts\ncontent: hello\n---\nDone.";
  for (const opener of ["+++call", "---tool-call", "(run-tool", "&&&"]) {
    const derivation = derive(
      `Okay.\n${opener}\nname: write_file\npath: src/a.ts\ncontent: let x = 1;\n---\n`,
    );
    if (derivation.kind === "rule") assert.deepEqual(callsIn(prose, derivation.text), [], opener);
  }
  const texts = [
    "@@call write_file\npath := src/a.ts\ncontent := let x = 1;\n@@end\n",
    '{"path": "src/a.ts"} write_file path content',
    "write_file as path src/a.ts, and = content",
    "%% write_file %% path ~ ~ src/a.ts ~ content = let x",
  ];
  const derivations = deriveFromAnswers(texts.map((text) => ({ text, tools: TOOLS })), {
    name: "mine",
    origin: "a test",
    shipped: [],
    known: [],
    schema: "rule.schema.json",
  });
  const kinds = new Set(derivations.map(({ kind }) => kind));
  assert.equal(kinds.size, 1, JSON.stringify(derivations));
  const [only] = derivations;
  if (only?.kind === "refused") assert.match(only.why, /so none is written\. For [\d, ]+: .*Next: /);
});

Deno.test("deriveFromAnswers proves a rule for lines that nothing closes only where nothing follows", () => {
  const derivation = derive("Okay.\n**Tool:** write_file\n- path: src/a.ts\n- content: let x = 1;\n");
  assert.equal(derivation.kind, "rule", JSON.stringify(derivation));
  const torn = "**Tool:** write_file\n- path: b.md\n- content: let x;\n\n  y\n";
  assert.deepEqual(derivation.kind === "rule" && callsIn(torn, derivation.text), []);
});

Deno.test("deriveFromAnswers gives a value the spaces that the separator does not always have", () => {
  const answer = "Okay.\n@@call write_file\npath :=src/a.ts\ncontent :=   let x = 1;\n@@end\n";
  const derivation = derive(answer);
  assert.deepEqual(derivation.kind === "rule" && derivation.reads, [WRITTEN]);
});

Deno.test("deriveFromAnswers writes no rule that reads a value with the call's own marks as other arguments", () => {
  const hand = derive("Okay.\n👉 write_file\n👉 path: src/a.ts\n👉 content: let x = 1;\n👈\n");
  assert.match(
    hand.kind === "refused" ? hand.why : "",
    /A value that contains the call's closing line, "👈", would be read as another one\. Next: /,
  );
  const bars = derive("Okay.\n|tool| write_file\n|path| src/a.ts\n|content| let x = 1;\n|end|\n");
  assert.equal(bars.kind, "rule", JSON.stringify(bars));
  const hostile = "|tool| write_file\n|path| a\n|content| x\n|tool| write_file\ny\n|end|";
  assert.deepEqual(bars.kind === "rule" && callsIn(hostile, bars.text), []);
});

Deno.test("deriveFromAnswers refuses a call that does not fit the schema, and says the next step", () => {
  const derivation = derive("Okay.\n@@call write_file\npath := src/a.ts\n@@end\n");
  assert.match(
    derivation.kind === "refused" ? derivation.why : "",
    /does not fit the schema of write_file: content is missing\. Next: /,
  );
});

Deno.test("deriveFromAnswers names what the answers lack", () => {
  const cases: readonly [string, RegExp][] = [
    ["Nothing to do.", /don't name any offered tool\. Next: /],
    ["write_file!", /contain the tool write_file, but none of its parameters\. Next: /],
    [
      "write_file path src content x",
      /write_file and its parameters, but no delimiters .* such as at "path src con.*Next: /,
    ],
  ];
  for (const [text, why] of cases) {
    const derivation = derive(text);
    assert.match(derivation.kind === "refused" ? derivation.why : "", why);
  }
});

Deno.test("deriveFromAnswers refuses rules that would leave a mark or entities in what is read, and names the place", () => {
  const cases: readonly [string, RegExp][] = [
    [
      `<call tool="write_file" args='{"path": "a", "content": "x"}'/>`,
      /The JSON is in an attribute.*, at ".*write_file.*Next: /,
    ],
    [
      '((tool . write_file) (path . "src/a.ts") (content . "let x = 1;"))',
      /A bracket is open before the call, in "\(\(tool \."/,
    ],
    [
      "--call write_file\nParam: path\n\nsrc/a.ts\n--call\nParam: content\n\nlet x = 1;\n--call--",
      /begin with an empty line.*Next: /,
    ],
    [
      "call write_file path: a\ncontent: b\n\nThen more.",
      /^Nothing marks the end of a call.*, at "_file path: a\\ncontent: b.*Next: /,
    ],
  ];
  for (const [text, why] of cases) {
    const derivation = derive(`Okay.\n${text}\n`);
    assert.match(derivation.kind === "refused" ? derivation.why : JSON.stringify(derivation), why);
  }
});

Deno.test("deriveFromAnswers goes on after answers that a rule already reads", () => {
  const [first] = deriveFromAnswers([{ text: INVENTED_DIALECTS[0]!.answer, tools: TOOLS }], OPTIONS);
  assert.equal(first?.kind, "rule");
  const known = first?.kind === "rule"
    ? readRules([[{ file: "mine.yaml", text: first.text }]], noSettings).rules
    : [];
  const texts = [INVENTED_DIALECTS[0]!.answer, INVENTED_DIALECTS[20]!.answer];
  const both = deriveFromAnswers(texts.map((text) => ({ text, tools: TOOLS })), {
    ...OPTIONS,
    name: "other",
    known,
  });
  assert.deepEqual(both.map(({ kind }) => kind), ["known", "rule"], JSON.stringify(both));
});

Deno.test("deriveFromAnswers states that a call is in a fence", () => {
  const call = "@@call write_file\npath := src/a.ts\ncontent := let x = 1;\n@@end\n";
  const [plain, fenced] = [derive(`Okay.\n${call}`), derive(`For example:\n\`\`\`\n${call}\`\`\`\nDone.`)];
  assert.equal(plain.kind === "rule" && plain.isQuoted, false);
  assert.equal(fenced.kind === "rule" && fenced.isQuoted, true, JSON.stringify(fenced));
});
