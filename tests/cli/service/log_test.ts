import assert from "node:assert/strict";
import { openLog, RequestLines } from "../../../src/cli/service/log.ts";
import { requestLine } from "../../support/audit_lines.ts";
import { createTestContext } from "../../support/context.ts";
import { type RequestSummary, summarize, summarizeUnwatched } from "../../../src/admin/audit/summary.ts";
import { visible } from "../../../src/engine/diagnostic/visible.ts";

const REFUSED = { beganAt: 0, method: "GET", path: "/x", status: 404, error: "not_found", durationMs: 1 };

Deno.test("openLog prints one line for each request, and a quiet log none", () => {
  for (const isQuiet of [false, true]) {
    const context = createTestContext();
    const log = openLog(context, { format: "text", isQuiet });
    log.add([requestLine()]);
    log.addUnwatched(REFUSED);
    log.requestContext.stdout("about one request\n");
    log.context.stdout("Reloaded\n");
    const lines = context.printed.stdout.trimEnd().split("\n");
    assert.equal(lines.length, isQuiet ? 1 : 4, context.printed.stdout);
    assert.equal(lines.at(-1), "Reloaded");
  }
});

Deno.test("openLog writes requests, messages and errors as JSON objects", () => {
  const context = createTestContext();
  const log = openLog(context, { format: "json", isQuiet: false });
  log.add([requestLine({ model: "a\x1b[2J" })]);
  log.addUnwatched(REFUSED);
  log.context.stdout("two\nlines\n");
  log.context.stdout("\n");
  log.context.stderr("wrong\n");
  const [request, refused, message, ...rest] = context.printed.stdout.trimEnd().split("\n").map((line) =>
    JSON.parse(line)
  );
  assert.deepEqual(
    [request.kind, request.model, request.status, request.calls],
    ["request", "a\x1b[2J", 200, 1],
  );
  assert.deepEqual([request.level, refused.level, message.level], ["info", "error", "info"]);
  assert.deepEqual([request.time, request.firstMs], ["2026-05-01T10:00:00.000Z", 30]);
  assert.deepEqual([refused.route, refused.error], ["GET /x", "not_found"]);
  assert.deepEqual([message.kind, message.text, rest], ["message", "two\nlines", []]);
  const error = JSON.parse(context.printed.stderr);
  assert.deepEqual([error.kind, error.level, error.text], ["message", "error", "wrong"]);
  // One time: programs that read logs take the first field that looks like one.
  assert.deepEqual(Object.keys(request).filter((name) => /time|beganAt|timestamp/i.test(name)), ["time"]);
  assert.ok(!context.printed.stdout.includes("\x1b"));
});

const BEGAN_AT = new Date(2026, 4, 1, 9, 5, 7).getTime();
const PLAIN = { isAligned: false, hasColors: false };

function summary(more: Partial<RequestSummary> = {}): RequestSummary {
  const found = summarize([requestLine({ time: new Date(BEGAN_AT).toISOString() })]);
  assert.ok(found);
  return { ...found, calls: 0, ...more };
}

Deno.test("RequestLines shows who asked, how it ended, and what became of the calls", () => {
  const head = "09:05:07  openai  small  local";
  const table: [Partial<RequestSummary>, string][] = [
    [{}, `${head}  200  30 ms  100 ms`],
    [{ calls: 1, durationMs: 2311 }, `${head}  200  30 ms  2.31 s  1 call`],
    [{ calls: 2, mode: "dry_run" }, `${head}  200  30 ms  100 ms  2 calls (not converted: dry run)`],
    [{ calls: 1, mode: "excluded" }, `${head}  200  30 ms  100 ms  1 call (not converted: canary)`],
    [
      { leftAsText: { quoted: 2, unknown_tool: 1 }, nearMisses: 1, failed: 1, repaired: 2 },
      `${head}  200  30 ms  100 ms  1 broke off, 1 near miss, 3 left as text (2 quoted, unknown_tool), 2 repairs`,
    ],
    [
      { status: 502, error: "upstream_unreachable", firstMs: null, durationMs: 75_200 },
      `${head}  502  -  75.2 s  upstream_unreachable`,
    ],
    [
      { error: "upstream_error", message: `out of\nmemory ${"x".repeat(200)}`, firstMs: null },
      `${head}  200 error  -  100 ms  upstream_error: ${
        visible(`out of\nmemory ${"x".repeat(200)}`, { lengthMax: 160 })
      }`,
    ],
    [{ wire: "gemini", calls: 1 }, "09:05:07  openai on gemini  small  local  200  30 ms  100 ms  1 call"],
    [{ key: "alice" }, "09:05:07  openai as alice  small  local  200  30 ms  100 ms"],
    [{ model: null, client: null }, "09:05:07  -  -  local  200  30 ms  100 ms"],
  ];
  for (const [more, line] of table) assert.equal(new RequestLines(PLAIN).format(summary(more)), `${line}\n`);
});

Deno.test("RequestLines shows the route of a request that isn't a chat", () => {
  const refused = { beganAt: BEGAN_AT, method: "GET", path: "/v1/models", status: 401, durationMs: 1 };
  assert.equal(
    new RequestLines(PLAIN).format(summarizeUnwatched({ ...refused, error: "invalid_api_key" })),
    "09:05:07  -  -  -  401  -  1 ms  invalid_api_key: GET /v1/models\n",
  );
});

Deno.test("RequestLines aligns columns, also after a wider name, and cuts a name that is too long", () => {
  const lines = new RequestLines({ isAligned: true, hasColors: false });
  const texts = [
    lines.format(summary({ calls: 1 })),
    lines.format(summary({ model: "a-model-with-a-longer-name", calls: 1 })),
    lines.format(summary({ calls: 1 })),
    lines.format(summary({ model: "x".repeat(90), calls: 1 })),
  ];
  const at = texts.map((text) => text.indexOf("1 call"));
  assert.ok(at[0]! < at[1]! && at[1] === at[2], texts.join(""));
  assert.match(texts[3]!, /…/);
});

Deno.test("RequestLines colors errors, ambiguities and calls, and lets no control character through", () => {
  const lines = new RequestLines({ isAligned: false, hasColors: true });
  const table: [Partial<RequestSummary>, number][] = [
    [{ status: 502 }, 31],
    [{ error: "unreadable_type" }, 31],
    [{ nearMisses: 1 }, 33],
    [{ leftAsText: { quoted: 1 } }, 33],
    [{ failed: 1 }, 31],
    [{ error: "client_left" }, 90],
    [{ calls: 1 }, 32],
    [{}, 90],
  ];
  for (const [more, color] of table) {
    assert.match(lines.format(summary(more)), new RegExp(`^\\x1b\\[${color}m.*\\x1b\\[0m\\n$`));
  }
  const text = new RequestLines(PLAIN).format(summary({ model: "a\x1b[2J", upstream: "b\nc" }));
  assert.ok(!text.includes("\x1b") && text.split("\n").length === 2, text);
});
