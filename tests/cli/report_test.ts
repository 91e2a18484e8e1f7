import assert from "node:assert/strict";
import { join } from "node:path";
import { callLine, report } from "../../src/cli/report.ts";
import { auditLog, decisionLine, requestLine } from "../support/audit_lines.ts";
import { runVerb } from "../support/run_verb.ts";

async function run(values: Record<string, string | boolean>, positionals = ["audit.jsonl"]) {
  const ran = await runVerb(report, { values, positionals, files: { "audit.jsonl": auditLog() } });
  const page = await Deno.readTextFile(join(ran.workingDirectory, "report.html")).catch(() => "");
  return { ...ran, page };
}

Deno.test("report prints tables, JSON or a page", async () => {
  const tables = await run({});
  assert.equal(tables.code, 0);
  assert.match(tables.stdout, /requests +candidates +attempts/);
  assert.match(tables.stdout, /\nqwen_xml +– +16 +8 +8 /);
  assert.match(tables.stdout, /\ndry_run +5 +5 +0 +4 /);
  const json = await run({ json: true });
  assert.equal(JSON.parse(json.stdout).all.requests, 20);
  const { page, stdout } = await run({ html: "report.html" });
  assert.ok(page.startsWith("<!doctype html>") && stdout.includes("Wrote report.html"));
});

Deno.test("report lists the calls of a log, and compares the sides of the canary", async () => {
  const { stdout } = await run({}, ["calls", "audit.jsonl"]);
  const lines = stdout.trimEnd().split("\n");
  assert.equal(lines.length, 20);
  assert.match(lines[0]!, /^2026-05-01T10:00:00\.000Z {2}hermes {2}rm_rf {2}unknown_tool$/);
  const json = await run({ json: true }, ["calls", "audit.jsonl"]);
  assert.equal(JSON.parse(json.stdout.split("\n")[1]!).tool, "read_file");
  assert.equal((await run({}, ["calls"])).code, 2);
  const tables = await run({});
  assert.match(
    tables.stdout,
    /\ncanary +answers +errors[^\n]*\nlive +10 [^]*Converted: 66\.7% of answers\. No significant difference/,
  );
});

Deno.test("report says what is wrong with its files", async () => {
  assert.equal((await run({}, [])).code, 2);
  const missing = await run({}, ["none.jsonl"]);
  assert.equal(missing.code, 1);
  assert.match(missing.stderr, /Cannot read none\.jsonl/);
  assert.equal((await run({ html: "no/such/folder.html" })).code, 1);
});

const text = { isJson: false };

Deno.test("callLine shows a call with what became of it, and its arguments if the log has them", () => {
  const line = decisionLine("transformed", { rendered: '{"path":"a"}', written: "\n<read_file>\n" });
  assert.equal(
    callLine(JSON.stringify(line), text),
    '2026-05-01T10:00:00.000Z  qwen_xml  read_file  transformed  {"path":"a"}  <read_file>\n',
  );
  assert.equal(
    callLine(JSON.stringify(decisionLine("malformed", { tool: "a\x1b" })), text),
    "2026-05-01T10:00:00.000Z  qwen_xml  a\\u001b  malformed\n",
  );
  const object = JSON.parse(callLine(JSON.stringify(line), { isJson: true })!);
  assert.deepEqual([object.tool, object.arguments], ["read_file", '{"path":"a"}']);
});

Deno.test("callLine skips what isn't a call", () => {
  const lines = [requestLine(), decisionLine("quoted"), decisionLine("json_repaired")];
  const texts = [...lines.map((line) => JSON.stringify(line)), "", "{cut"];
  assert.deepEqual(texts.map((line) => callLine(line, text)).filter((line) => line !== undefined), []);
});
