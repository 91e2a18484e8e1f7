import assert from "node:assert/strict";
import { openLog } from "../../../src/cli/service/log.ts";
import { requestLine } from "../../support/audit_lines.ts";
import { createTestWorld } from "../../support/world.ts";

const REFUSED = { beganAt: 0, method: "GET", path: "/x", status: 404, error: "not_found", durationMs: 1 };

Deno.test("openLog prints one line for each request, and a quiet log none", () => {
  for (const isQuiet of [false, true]) {
    const world = createTestWorld();
    const log = openLog(world, { format: "text", isQuiet });
    log.add([requestLine()]);
    log.addUnwatched(REFUSED);
    log.requestWorld.stdout("about one request\n");
    log.world.stdout("Reloaded\n");
    const lines = world.printed.stdout.trimEnd().split("\n");
    assert.equal(lines.length, isQuiet ? 1 : 4, world.printed.stdout);
    assert.equal(lines.at(-1), "Reloaded");
  }
});

Deno.test("openLog writes requests, messages and errors as JSON objects", () => {
  const world = createTestWorld();
  const log = openLog(world, { format: "json", isQuiet: false });
  log.add([requestLine({ model: "a\x1b[2J" })]);
  log.addUnwatched(REFUSED);
  log.world.stdout("two\nlines\n");
  log.world.stdout("\n");
  log.world.stderr("wrong\n");
  const [request, refused, message, ...rest] = world.printed.stdout.trimEnd().split("\n").map((line) =>
    JSON.parse(line)
  );
  assert.deepEqual([request.kind, request.model, request.status, request.calls], [
    "request",
    "a\x1b[2J",
    200,
    1,
  ]);
  assert.deepEqual([request.time, request.firstMs], ["2026-05-01T10:00:00.000Z", 30]);
  assert.deepEqual([refused.route, refused.error], ["GET /x", "not_found"]);
  assert.deepEqual([message.kind, message.text, rest], ["message", "two\nlines", []]);
  const error = JSON.parse(world.printed.stderr);
  assert.deepEqual([error.kind, error.text], ["error", "wrong"]);
  assert.ok(!world.printed.stdout.includes("\x1b"));
});
