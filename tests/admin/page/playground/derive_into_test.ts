import assert from "node:assert/strict";
import type { Derivation } from "../../../../src/analysis/derive/derive.ts";
import { deriveInto } from "../../../../src/admin/page/playground/derive_into.ts";
import { EMPTY } from "../../../../src/admin/page/playground/state.ts";

const RULE = {
  kind: "rule",
  name: "mine",
  text: "rule: mine\n",
  exampleCount: 2,
  isOff: false,
  variants: [],
  reads: [],
  isQuoted: false,
} as const;

async function derived(answer: { derivations: Derivation[] } | { problem: string; help: string } | Error) {
  const client = {
    answer: () => answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer as never),
  };
  return await deriveInto(client, { ...EMPTY, name: "mine" });
}

Deno.test("deriveInto gives the rule and a sentence", async () => {
  assert.deepEqual(await derived({ derivations: [RULE] }), {
    message: "Derived the rule mine; its 2 examples pass.",
    rule: "rule: mine\n",
  });
  const { message } = await derived({ derivations: [{ ...RULE, isOff: true }, RULE] });
  assert.match(message, /It is off.*another notation/);
  const reads = [{ tool: "go", arguments: { path: "a" } }];
  const proved = await derived({ derivations: [{ ...RULE, reads, isQuoted: true }] });
  assert.match(proved.message, /From this answer, the rule reads: go \{"path":"a"\}\. Compare.*in a fence/);
});

Deno.test("deriveInto states why there is no rule", async () => {
  for (
    const [answer, message] of [
      [{ derivations: [] }, "Nothing in the answer looks like a call."],
      [{ derivations: [{ kind: "known", rule: "hermes" }] }, "The rule hermes already reads this."],
      [
        { derivations: [{ kind: "refused", why: "No mark", diagnostics: [] }] },
        "No rule can be derived. No mark.",
      ],
      [{ problem: "Unknown client", help: "choose one" }, "Unknown client: choose one."],
      [new Error("broken"), "broken: change the answer."],
    ] as const
  ) assert.deepEqual(await derived(answer as never), { message });
});
