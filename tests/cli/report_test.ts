import assert from "node:assert/strict";
import { join } from "node:path";
import { report } from "../../src/cli/report.ts";
import { auditLog } from "../support/audit_lines.ts";
import { createTestWorld } from "../support/world.ts";

async function run(values: Record<string, string | boolean>, positionals = ["audit.jsonl"]) {
  const workingDirectory = await Deno.makeTempDir();
  try {
    await Deno.writeTextFile(join(workingDirectory, "audit.jsonl"), auditLog());
    const world = createTestWorld({ workingDirectory });
    const code = await report.run({ values, positionals }, world);
    const page = await Deno.readTextFile(join(workingDirectory, "report.html")).catch(() => "");
    return { code, page, ...world.printed };
  } finally {
    await Deno.remove(workingDirectory, { recursive: true });
  }
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
    /\ncanary +answers +errors[^\n]*\nlive +10 [^]*Converted: 66\.7 % of answers\. No difference/,
  );
});

Deno.test("report says what is wrong with its files", async () => {
  assert.equal((await run({}, [])).code, 2);
  const missing = await run({}, ["none.jsonl"]);
  assert.equal(missing.code, 1);
  assert.match(missing.stderr, /Cannot read none\.jsonl/);
  assert.equal((await run({ html: "no/such/folder.html" })).code, 1);
});
