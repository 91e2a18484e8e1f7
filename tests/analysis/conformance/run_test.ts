import assert from "node:assert/strict";
import { type ConformanceCase, readCases } from "../../../src/analysis/conformance/case.ts";
import { partsByDialect, runCase, unofferedTools } from "../../../src/analysis/conformance/run.ts";
import { readCut } from "../../../src/analysis/conformance/cut.ts";
import { loadSetup, serviceParts } from "../../../src/cli/service/setup.ts";
import { rooPrompt } from "../../support/prompts.ts";
import { shippedClient } from "../../support/client_files.ts";
import { createTestContext } from "../../support/context.ts";

const setup = await loadSetup({}, createTestContext());
const parts = { base: serviceParts(setup), rules: setup.rules.rules };
const partsFor = partsByDialect({ ...parts, which: "dialect" });
const CALL = '<tool_call>{"name": "f", "arguments": {"a": 5.0}}</tool_call>';

function createCase(fields: Record<string, unknown>): ConformanceCase {
  const one = { id: "1", dialect: "hermes-json", text: CALL, tools: null, ...fields };
  const [read] = readCases({ file: "", text: JSON.stringify(one) }).cases;
  assert.ok(read);
  return read;
}

function run(fields: Record<string, unknown>, { client = "openai", cut = "whole" } = {}) {
  return runCase(createCase(fields), { partsFor, client: shippedClient(client), cut: readCut(cut)?.cut });
}

const CALLS = [{ name: "f", arguments: { a: 5 } }];

for (
  const [title, fields, why] of [
    ["equal calls", { expect: { calls: CALLS } }, ""],
    ["another argument", { expect: { calls: [{ name: "f", arguments: { a: 6 } }] } }, "call 0 (f) has "],
    ["another name", { expect: { calls: [{ name: "g", arguments: {} }] } }, "call 0 is f instead of g"],
    ["more calls", { expect: { calls: [...CALLS, ...CALLS] } }, "1 call (f) instead of 2 calls (f, f)"],
    ["calls that the engine does not assert", { calls_exact: false, expect: { calls: [] } }, ""],
    ["content that is trimmed", { text: ` A \n${CALL}`, content_exact: true, expect: { content: "A" } }, ""],
    [
      "other content",
      { text: `A${CALL}`, content_exact: true, expect: { content: null } },
      'content "A" instead of null',
    ],
    ["content that the engine does not assert", { text: `A${CALL}`, expect: { content: null } }, ""],
    ["a tool that is not offered", { tools: [], expect: { calls: CALLS } }, "no call instead of 1 call (f)"],
    [
      "an unknown dialect",
      { dialect: "martian", expect: { calls: CALLS } },
      "no call instead of 1 call (f) [no rule",
    ],
  ] as const
) {
  Deno.test(`runCase with ${title} ${why === "" ? "passes" : "says why it fails"}`, () => {
    for (const cut of ["whole", "chars", "pieces:3"]) {
      const result = run(fields, { cut });
      assert.equal(result.pass, why === "", result.why);
      assert.ok(result.why.startsWith(why), result.why);
    }
  });
}

Deno.test("runCase shows a call that broke off as far as it came", () => {
  const text = '<tool_call>{"name": "f", "arguments": {"a": "x y';
  const calls = [{ name: "f", arguments: { a: "x y" }, truncated: true }];
  const ends = { content: null, finish_reason: "length" };
  assert.deepEqual(run({ text, expect: {} }, { cut: "chars" }).got, { ...ends, calls });
  // A whole answer has no part of a call.
  assert.deepEqual(run({ text, expect: {} }).got, { ...ends, calls: [] });
});

Deno.test("runCase hands on the case's finish reason: closers are repaired only if the model ended by itself", () => {
  const text = '<tool_call>{"name": "f", "arguments": {"a": 5.0}}';
  const expect = { calls: CALLS };
  for (const cut of ["whole", "chars"]) {
    assert.equal(run({ text, expect }, { cut }).why, "");
    assert.equal(run({ text, expect, finish_reason: "stop" }, { cut }).why, "");
    const { got } = run({ text, expect, finish_reason: "length" }, { cut });
    assert.ok("calls" in got && got.calls.every(({ truncated }) => truncated));
    assert.equal(got.finish_reason, "length");
  }
});

Deno.test("runCase compares a text with the reasoning that came apart from it, and nothing else is missing", () => {
  const text = "<think>\nI see.\n</think>\n\nDone.";
  const tools = [{ type: "function", function: { name: "f" } }];
  const expected = (content: string) => ({
    text,
    tools,
    content_exact: true,
    expect: { content, calls: [] },
  });
  for (const cut of ["whole", "chars"]) {
    for (const content of [text, "Done."]) assert.equal(run(expected(content), { cut }).why, "", content);
    for (const content of ["I see. Done.", `Well, ${text}`, `${text} Or not.`, text.replace("see", "saw")]) {
      assert.match(run(expected(content), { cut }).why, /^content "Done\."/, content);
    }
  }
});

Deno.test("runCase for a client of XML reads the case's client and gives the text", () => {
  const text = '<tool_call>{"name": "read_file", "arguments": {"path": "a"}}</tool_call>';
  const client = { system: rooPrompt({ hasArgs: false, hasLineCount: true }), model: "m" };
  const expected = "<read_file>\n<path>a</path>\n</read_file>";
  for (const cut of ["whole", "chars"]) {
    const { got, pass } = run({ text, client }, { client: "roo", cut });
    assert.deepEqual([got, pass], [{ text: expected }, true]);
  }
  assert.equal(run({ text, client, expect: { text: "other" } }, { client: "roo" }).why, "the text differs");
  assert.match(run({ text }, { client: "roo" }).why, /^the case has no `client`/);
});

Deno.test("partsByDialect: dialect takes the dialect's rules and the opaque ones, all adds them to those that are on", () => {
  const names = (which: "dialect" | "all", dialect: string) =>
    partsByDialect({ ...parts, which })(dialect).rules.map(({ rule }) => rule);
  const opaque = parts.rules.filter(({ body }) => body === "opaque").map(({ rule }) => rule);
  assert.deepEqual(new Set(names("dialect", "shell-block")), new Set(["shell_block", ...opaque]));
  assert.deepEqual(names("dialect", "martian"), opaque);
  const all = names("all", "shell-block");
  assert.ok(all.includes("shell_block") && all.includes("hermes"));
  assert.ok(!names("all", "hermes-json").includes("shell_block"));
  assert.equal(partsByDialect({ ...parts, which: "dialect" })("d").config.policy.minimum_confidence, 0);
  assert.equal(partsByDialect({ ...parts, which: "all" })("d").config.policy.minimum_confidence, 0.9);
});

Deno.test("unofferedTools lists the tools that are called and not offered", () => {
  const calls = [{ name: "f", arguments: {} }, { name: "g", arguments: {} }, { name: "g", arguments: {} }];
  const tools = [{ type: "function", function: { name: "f" } }];
  assert.deepEqual(unofferedTools(createCase({ tools }), calls), ["g"]);
  assert.deepEqual(unofferedTools(createCase({ tools: null }), calls), []);
});

Deno.test("runCase with offersEveryName calls a tool that the request does not offer", () => {
  const options = { partsFor, client: shippedClient("openai") };
  for (const tools of [[], [{ type: "function", function: { name: "other" } }]]) {
    const one = createCase({ tools, expect: { calls: CALLS } });
    assert.equal(runCase(one, { ...options, offersEveryName: true }).pass, true);
    assert.equal(runCase(one, options).pass, false);
    assert.equal(runCase({ ...one, tags: ["edge"] }, { ...options, offersEveryName: true }).pass, false);
  }
});
