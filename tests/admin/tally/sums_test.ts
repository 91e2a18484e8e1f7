import assert from "node:assert/strict";
import { ruleOf, Sums } from "../../../src/admin/tally/sums.ts";
import { decisionLine, requestLine, resultLine } from "../../support/audit_lines.ts";

Deno.test("Sums adds each line to all sums that it is about", () => {
  const sums = new Sums();
  const lines = [
    decisionLine("transformed"),
    decisionLine("near_miss", { rule: "" }),
    // Only repeats another rule's candidate, so it has no row.
    decisionLine("malformed", { rule: "json_block", repeats: true }),
    requestLine(),
    requestLine({ model: "large", mode: "excluded", client: null, wire: "gemini" }),
    resultLine("accepted", { rule: "hermes" }),
    { v: 1, kind: "gap", lost: 3 } as const,
  ];
  for (const line of lines) sums.add(line);
  const { all, rules, models, clients, wires, modes, canary } = sums.figures;
  assert.deepEqual([all.requests, all.transformed, all.nearMisses, all.accepted], [2, 1, 1, 1]);
  assert.deepEqual(rules.map(({ name, candidates, accepted }) => [name, candidates, accepted]), [
    ["qwen_xml", 1, 0],
    ["hermes", 0, 1],
  ]);
  assert.deepEqual(models.map(({ name, requests }) => [name, requests]), [["small", 1], ["large", 1]]);
  assert.deepEqual(clients.map(({ name }) => name), ["openai", "none"]);
  assert.deepEqual(wires.map(({ name }) => name), ["chat", "gemini"]);
  assert.deepEqual(modes.map(({ name }) => name).sort(), ["excluded", "live"]);
  assert.equal(canary?.share, 1);
});

Deno.test("ruleOf gives the rule of a decision and of a result, but of no near miss, remark and request", () => {
  assert.equal(ruleOf(decisionLine("quoted")), "qwen_xml");
  assert.equal(ruleOf(resultLine("rejected")), "qwen_xml");
  assert.equal(ruleOf(decisionLine("near_miss")), undefined);
  assert.equal(ruleOf(decisionLine("next_upstream", { rule: "routing" })), undefined);
  assert.equal(ruleOf(decisionLine("json_repaired")), "qwen_xml");
  assert.equal(ruleOf(requestLine()), undefined);
});
