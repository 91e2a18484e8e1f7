import assert from "node:assert/strict";
import { answerPlayground } from "../../../src/admin/routes/pages.ts";
import type { SaveResult } from "../../../src/admin/routes/playground.ts";

const SAVED: SaveResult = { isSaved: true, file: "my_rules/a.yaml", exampleCount: 2, diagnostics: [] };

async function post(headers: Record<string, string>, body: string, result = SAVED) {
  const saved: string[] = [];
  const request = new Request("http://127.0.0.1:1/_dragoman/rules", { method: "POST", headers, body });
  const answer = await answerPlayground(request, "/rules", {
    setup: () => Promise.reject(new Error("not asked for")),
    save: (text) => Promise.resolve((saved.push(text), result)),
  });
  return { ...answer, saved };
}

const YAML = { "content-type": "application/yaml; charset=utf-8" };

Deno.test("answerPlayground hands the text of a rule on and gives the result", async () => {
  for (const site of [{}, { "sec-fetch-site": "same-origin" }, { "sec-fetch-site": "none" }]) {
    assert.deepEqual(await post({ ...YAML, ...site }, "rule: a"), {
      status: 200,
      body: SAVED,
      saved: ["rule: a"],
    });
  }
});

Deno.test("answerPlayground refuses other sites, other types and long texts before anything is saved", async () => {
  const refused: readonly (readonly [Record<string, string>, string, number])[] = [
    [{ ...YAML, "sec-fetch-site": "same-site" }, "rule: a", 403],
    [{ ...YAML, "sec-fetch-site": "cross-site" }, "rule: a", 403],
    [{ "content-type": "text/plain" }, "rule: a", 415],
    [{ "content-type": "application/x-www-form-urlencoded" }, "rule: a", 415],
    [YAML, `rule: a\n#${" ".repeat(64 * 1024)}`, 413],
  ];
  for (const [headers, body, status] of refused) {
    const answer = await post(headers, body);
    assert.deepEqual([answer.status, answer.saved], [status, []], JSON.stringify(headers));
  }
});

Deno.test("answerPlayground passes a refusal on with its help and diagnostics", async () => {
  const diagnostics = [{ code: "unknown_field", severity: "error", message: "m" } as const];
  const result = {
    isSaved: false,
    status: 422,
    message: "The rule has an error",
    help: "fix it",
    diagnostics,
  } as const;
  const { status, body } = await post(YAML, "rule: a", result);
  const error = { message: "The rule has an error: fix it", type: "admin_error", code: "422" };
  assert.deepEqual([status, body], [422, { error, diagnostics }]);
});

Deno.test("answerPlayground leaves other addresses alone", async () => {
  const playground = { setup: () => Promise.reject(new Error()), save: () => Promise.reject(new Error()) };
  for (const [method, path] of [["GET", "/rules"], ["POST", "/playground"], ["GET", "/status"]] as const) {
    const request = new Request(`http://127.0.0.1:1/_dragoman${path}`, { method });
    assert.equal(await answerPlayground(request, path, playground), undefined);
  }
});
