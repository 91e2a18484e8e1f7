import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import type { AuditLine, DecisionLine } from "../../../src/admin/audit/line.ts";
import { recordRequest } from "../../../src/admin/audit/record.ts";
import { readOffer } from "../../../src/engine/rule/offer.ts";
import { builtInService, shippedParts } from "../../support/built_in.ts";
import { askChat, startProxy, testConfig } from "../../support/proxy.ts";
import { startUpstream } from "../../support/scripted_upstream.ts";

const SETTINGS = { enable: [], disable: [], confidence: {}, minimumConfidence: 0 };

Deno.test("a dry run logs the hash and the original of a call of every body kind", async () => {
  const { rules } = await shippedParts(SETTINGS, { withExamples: true });
  const withCalls = rules.flatMap(({ rule, body, examples }) =>
    examples.filter(({ calls }) => calls.length > 0).slice(0, 1).map((example) => ({
      rule,
      body,
      ...example,
    }))
  );
  const kinds = Map.groupBy(withCalls, ({ body }) => body);
  assert.ok(kinds.size >= 8, [...kinds.keys()].join());
  for (const [body, [example]] of kinds) {
    const { rule, input, offered: written } = example!;
    await using upstream = startUpstream({ text: input });
    const lines: AuditLine[] = [];
    const config = testConfig(upstream.url, {
      policy: { dry_run: true, minimum_confidence: 0 },
      rules: { enable: [rule] },
    });
    const write = (all: readonly AuditLine[]) => void lines.push(...all);
    await using proxy = await startProxy(await builtInService(config), {
      watches: [(facts) => recordRequest(facts, { contents: true, write })],
    });
    const { offered } = readOffer(written);
    const tools = offered.names.map((name) => {
      const parameters = offered.resolve(name)?.schema ?? { type: "object" };
      return { type: "function", function: { name, parameters } };
    });
    for (const stream of [true, false]) {
      await (await askChat(proxy.origin, { body: { stream, tools } })).text();
    }
    const would = lines.filter((line): line is DecisionLine =>
      line.kind === "decision" && line.outcome === "would_transform"
    );
    assert.ok(would.length >= 2, `${body}: ${rule}`);
    for (const { original = "", hash } of would) {
      assert.ok(original !== "" && input.includes(original), `${body}: ${rule}`);
      assert.equal(hash, createHash("sha256").update(original).digest("hex").slice(0, 16));
    }
  }
});
