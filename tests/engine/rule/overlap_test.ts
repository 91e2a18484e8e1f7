import assert from "node:assert/strict";
import { findOverlaps, rulesWithOpener } from "../../../src/engine/rule/overlap.ts";
import { readAnswer } from "../../../src/engine/rule/outcome.ts";
import { noSettings, readRules } from "../../../src/engine/rule/read.ts";
import { offer } from "../../../src/engine/tool/offered.ts";

function ruleText(rule: string, pattern: string, confidence: number): { file: string; text: string } {
  const example = `{ name: one, offered: [f], input: '<c f>{}</c>', calls: [{ tool: f }] }`;
  const text =
    `rule: ${rule}\npattern: '${pattern}'\nbody: json\nconfidence: ${confidence}\nexamples: [${example}]\n`;
  return { file: `${rule}.yaml`, text };
}

function overlaps(...texts: { file: string; text: string }[]) {
  return findOverlaps(readRules([texts], noSettings), { only: ({ rule }) => rule === "mine" });
}

Deno.test("findOverlaps names the other rule, the text that both read, and which one wins", () => {
  const [found, ...more] = overlaps(
    ruleText("mine", "<c {tool}>(?<body>…)</c>", 0.9),
    ruleText("theirs", "<c\\s{tool}>(?<body>…)</c>", 0.95),
    ruleText("other", "<x {tool}>(?<body>…)</x>", 0.95),
  );
  assert.deepEqual([found?.code, found?.severity, more], ["rules_overlap", "warning", []]);
  assert.match(found?.message ?? "", /"theirs" reads what rule "mine"/);
  assert.match(found?.help ?? "", /"<c f>\{\}<\/c>"; `theirs` wins: it is more confident/);
});

Deno.test("findOverlaps finds nothing where no other rule reads the examples", () => {
  assert.deepEqual(overlaps(ruleText("mine", "<c {tool}>(?<body>…)</c>", 0.9)), []);
});

/** Copies of one rule under other names. */
function copies(count: number, prefix: string) {
  return Array.from(
    { length: count },
    (_, index) => ruleText(`${prefix}${10 + index}`, "<c {tool}>(?<body>…)</c>", 0.9),
  );
}

/** All overlaps of rules, and how often an example was read. */
function allOverlaps(texts: { file: string; text: string }[]) {
  let readings = 0;
  const found = findOverlaps(readRules([texts], noSettings), {
    only: () => true,
    read: (...input) => {
      readings++;
      return readAnswer(...input);
    },
  });
  return { found, readings };
}

Deno.test("findOverlaps counts rules that read alike as one, and names the first of them", () => {
  const { found, readings } = allOverlaps(copies(40, "copy"));
  assert.deepEqual(found.map(({ message }) => message), [
    'Rules "copy11", "copy12", "copy13" and 36 more read what rule "copy10" reads',
  ]);
  assert.match(
    found[0]?.help ?? "",
    /^all read a call in .*; the one with the longer opener wins: all are equally confident$/,
  );
  assert.equal(readings, 1);
});

Deno.test("findOverlaps reads an example only with rules that have an opener in it", () => {
  const distinct = Array.from({ length: 50 }, (_, index) => {
    const { file, text } = ruleText(`rule${index}`, `<c${index} {tool}>(?<body>…)</c>`, 0.9);
    return { file, text: text.replace("<c f>", `<c${index} f>`) };
  });
  const { found, readings } = allOverlaps(distinct);
  assert.deepEqual(found, []);
  assert.equal(readings, 0);
});

Deno.test("findOverlaps gives one warning for each rule, however many rules overlap, and stops reading at its limit", () => {
  const similar = Array.from(
    { length: 110 },
    (_, index) => ruleText(`rule${index}`, `<c\\s{1,${index + 1}}{tool}>(?<body>…)</c>`, 0.9),
  ).map(({ file, text }, index) => ({ file, text: text.replace("'<c f>", `'${" ".repeat(index)}<c f>`) }));
  const { found, readings } = allOverlaps(similar);
  assert.equal(readings, 10_000);
  assert.equal(found.length, 111);
  assert.match(found.at(-1)?.message ?? "", /^More than 10000 examples/);
});

const { program } = readRules([[
  { file: "a.yaml", text: "rule: a\npattern: '<c {tool}>(?<body>…)</c>'\nbody: json\n" },
  { file: "b.yaml", text: "rule: b\npattern: '<c\\s(?={tool}>\\{)(?<body>…)</c>'\nbody: json\n" },
  { file: "line.yaml", text: "rule: line\npattern: '^call {tool}:(?<body>…);'\nbody: json\n" },
]], noSettings);
const openers = (text: string) => [...rulesWithOpener(program, text, offer([{ name: "f" }]))].sort();

Deno.test("rulesWithOpener finds every rule whose opener matches somewhere, also one that another rule beats", () => {
  assert.deepEqual(openers("text <c f>{}</c>"), ["a", "b"]);
  assert.deepEqual(openers("<c f>[]"), ["a"]);
  assert.deepEqual(openers("  call f: {};"), ["line"]);
  assert.deepEqual(openers("<c f and no more"), []);
});
