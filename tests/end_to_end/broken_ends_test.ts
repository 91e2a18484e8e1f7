/**
 * Broken ends are reported as broken, on every wire: connections that break anywhere, answers that end without their end,
 * pauses, errors inside a stream, answers of another shape or coding than their head promises, and a server that stops.
 * Through real sockets.
 *
 * @module
 */
import assert from "node:assert/strict";
import { brotliCompressSync, gzipSync, zstdCompressSync } from "node:zlib";
import { IS_THOROUGH } from "../support/fuzz.ts";
import { startProcessStage, WORKERS } from "../support/process_stage.ts";
import { askChat } from "../support/proxy.ts";
import { connectRaw, postText } from "../support/raw_client.ts";
import { chunked, type RawRequest, STREAM_HEAD, textEvent } from "../support/raw_upstream.ts";
import {
  answerText,
  LAST_CHUNK,
  startStage,
  STREAM_END,
  wantsStream,
  wholeBody,
  wholeHead,
} from "../support/wire_stage.ts";
import {
  onRows,
  readRaw,
  STREAMED_ROWS,
  TOOL,
  WIRE_TABLE,
  type WireRow,
  type WireTool,
} from "../support/wire_table.ts";

const WHOLE_ROWS = WIRE_TABLE.filter(({ isStreamed }) => !isStreamed);
const TOOLS = [["with tools", TOOL], ["without tools", null]] as const;

let turn = 0;

/** Runs a check on rows with tools and without, all at the same time; in a short run, in turn. */
async function onEither(
  rows: readonly WireRow[],
  check: (row: WireRow, tool: WireTool | null, title: string) => Promise<void>,
): Promise<void> {
  const tools = IS_THOROUGH ? TOOLS : [TOOLS[turn++ % 2]!];
  await Promise.all(tools.map(([title, tool]) => onRows(rows, (row) => check(row, tool, title))));
}

/** A piece of a call that the upstream makes itself. */
function callEvent(json: string, head?: { readonly id: string; readonly name: string }): string {
  const called = { ...(head && { name: head.name }), arguments: json };
  const call = { index: 0, ...(head && { id: head.id, type: "function" }), function: called };
  return textEvent("", { delta: { role: "assistant", tool_calls: [call] } });
}

const WORDS = textEvent("words");
const HEAD = callEvent("", { id: "call_1", name: "t" });

/** Where a stream ends. */
const PLACES: Readonly<Record<string, string>> = {
  "in text": WORDS,
  "in a call in the text": WORDS + textEvent('[[t {"a":"he'),
  "after a call in the text": WORDS + textEvent('[[t {"a":1}]]'),
  "after the name of a call of its own": WORDS + HEAD,
  "in a call of its own": WORDS + HEAD + callEvent('{"a":"he'),
  "after a call of its own": WORDS + HEAD + callEvent('{"a":1}'),
};

const HALF = chunked('data: {"id":"c1","choices":[{"index":0,"delta":{"content":"half');
const BREAKS: Readonly<Record<string, (request: RawRequest) => void>> = {
  "resets": (request) => request.reset(),
  "closes": (request) => request.end(),
  "resets inside an event": (request) => (request.write(HALF), soon(() => request.reset())),
  "closes inside an event": (request) => (request.write(HALF), request.end()),
  "ends cleanly inside an event": (request) => request.write(HALF + LAST_CHUNK),
  "ends cleanly without its end": (request) => request.write(LAST_CHUNK),
};

/** Lets bytes arrive before a reset, which drops what is on its way. */
function soon(act: () => void): void {
  setTimeout(act, 30);
}

for (const [place, sent] of Object.entries(PLACES)) {
  for (const [how, end] of Object.entries(BREAKS)) {
    const isAfterCall = place.startsWith("after a call");
    // A whole call and then the end is an answer whose server leaves out the reason.
    if (isAfterCall && how === "ends cleanly without its end") continue;
    Deno.test(`a stream whose upstream ${how} ${place} is a broken connection on every wire, without half a call`, async () => {
      await using stage = await startStage((request) => {
        request.write(STREAM_HEAD + chunked(sent));
        soon(() => end(request));
      });
      await onEither(STREAMED_ROWS, async (row, tool, title) => {
        const { end, error, calls, text, logged } = await stage.ask(row, { tool });
        assert.equal(logged, "upstream_broke_off", title);
        // Chat completions has an error event for this; the others have nothing after which every agent asks again.
        assert.equal(end, row.wire === "chat" ? "error" : "broken", String(error));
        assert.ok(text.startsWith("words") && !text.includes("half"), text);
        if (!isAfterCall) assert.deepEqual(calls, [], title);
      });
    });
  }
}

for (const workers of WORKERS) {
  Deno.test(`breaks are reported on every wire by the process, workers: ${workers}`, async () => {
    const ends = Object.entries(BREAKS);
    await using stage = await startProcessStage((request) => {
      const at = /break (\d)/.exec(request.text)?.[1];
      if (at === undefined) return;
      request.write(STREAM_HEAD + chunked(WORDS));
      soon(() => ends[Number(at)]![1](request));
    }, { workers });
    for (const [at, [how]] of ends.entries()) {
      await onRows(STREAMED_ROWS, async (row) => {
        const model = `m${at}${row.wire}`;
        const { path, body } = row.request({ task: `break ${at}`, tool: TOOL, model });
        const response = await fetch(stage.server.url + path, { method: "POST", body: JSON.stringify(body) });
        const { text, isBroken } = await readRaw(response);
        const outcome = row.read({ status: 200, text: text.replaceAll(model, "m"), isBroken });
        assert.equal(outcome.end, row.wire === "chat" ? "error" : "broken", how);
        const { error, wire } = await stage.lineOf(model);
        assert.deepEqual([error, wire], ["upstream_broke_off", row.wire], how);
      });
    }
    await stage.assertIdle();
    assert.equal(await stage.server.stop(), 0);
  });
}

const PART = '{"choices":[{"index":0,"delta":{"content":"build"';

/** Messages that can't be read, as they are in the middle of a stream. */
const UNREADABLE: Readonly<Record<string, string>> = {
  "is cut": `data: ${PART}\n\n`,
  "has a line break in a text": `data: ${PART.slice(0, -3)}\nld"}}]}\n\n`,
  "is nested too deeply": `data: {"x":${"[".repeat(300)}${"]".repeat(300)},${PART.slice(1)}}}]}\n\n`,
};

Deno.test("a message that can't be read ends a stream with an error on every wire: no call is made without it", async () => {
  let sent = "";
  await using stage = await startStage((request) => request.write(STREAM_HEAD + chunked(sent) + LAST_CHUNK));
  for (const [what, message] of Object.entries(UNREADABLE)) {
    const places = {
      "in text": `${WORDS}${message}${textEvent("more")}`,
      "in a call in the text": textEvent('[[t {"a":"rm /tmp/') + message + textEvent('"}]]'),
      "in a call of its own": HEAD + callEvent('{"a":"rm /tmp/') + message + callEvent('"}'),
    };
    for (const [place, stream] of Object.entries(places)) {
      sent = stream + STREAM_END;
      await onRows(STREAMED_ROWS, async (row) => {
        const { end, calls, logged } = await stage.ask(row);
        assert.deepEqual([calls, logged], [[], "upstream_unreadable"], `${what} ${place}`);
        assert.ok(end === "error" || end === "broken", `${what} ${place}: ${end}`);
      });
    }
  }
});

/** Streams without `[DONE]`, or without a blank line, that are whole. */
const FINISHED: Readonly<Record<string, { readonly sent: string; readonly calls?: readonly unknown[] }>> = {
  "with a finish reason": { sent: WORDS + textEvent("", { finish_reason: "stop" }) },
  "with a whole call": { sent: HEAD + callEvent('{"a":1}'), calls: [["t", { a: 1 }]] },
  "with a whole call in the text": { sent: textEvent('[[t {"a":1}]]'), calls: [["t", { a: 1 }]] },
  "without a last blank line": { sent: WORDS + STREAM_END.trimEnd() },
};

for (const [how, { sent, calls = [] }] of Object.entries(FINISHED)) {
  Deno.test(`a stream that ends ${how} is whole on every wire`, async () => {
    await using stage = await startStage((request) =>
      request.write(STREAM_HEAD + chunked(sent) + LAST_CHUNK)
    );
    await onRows(STREAMED_ROWS, async (row) => {
      // The chat route passes the bytes as they are.
      if (row.wire === "chat" && how === "without a last blank line") return;
      const outcome = await stage.ask(row);
      const isOpen = row.wire === "chat" && how === "with a finish reason";
      assert.deepEqual([outcome.end, outcome.calls], [isOpen ? "open" : "whole", calls]);
      assert.equal(outcome.logged, undefined);
    });
  });
}

Deno.test("a call in the text of a request without tools stays text on every wire", async () => {
  await using stage = await startStage((request) => answerText(request, "[[t {}]]"));
  await onRows(WIRE_TABLE, async (row) => {
    const { end, text, calls } = await stage.ask(row, { tool: null });
    assert.deepEqual([end, text, calls], ["whole", "[[t {}]]", []]);
  });
});

const PARTS: Readonly<Record<string, (request: RawRequest) => void>> = {
  "resets": (request) => (request.write(`${wholeHead(1000)}{`), soon(() => request.reset())),
  "closes": (request) => (request.write(`${wholeHead(1000)}{`), request.end()),
};

for (const [title, tool] of TOOLS) {
  for (const [how, end] of Object.entries(PARTS)) {
    Deno.test(`a whole answer whose upstream ${how} inside it, ${title}, is an error with a status`, async () => {
      await using stage = await startStage(end);
      await onRows(WHOLE_ROWS, async (row) => {
        const { status, end, logged } = await stage.ask(row, { tool });
        // On the chat route, what isn't read passes, and has begun when it breaks.
        if (row.wire === "chat" && tool === null) return assert.equal(end, "broken");
        assert.deepEqual([status, end], [502, "error"]);
        assert.equal(logged, "upstream_broke_off");
      });
    });
  }
}

Deno.test("a whole answer that ends inside its JSON is an error with a status", async () => {
  await using stage = await startStage((request) =>
    request.write(`${wholeHead(30)}${wholeBody("words").slice(0, 30)}`)
  );
  // On the chat route, what can't be read passes.
  await onEither(WHOLE_ROWS.filter(({ wire }) => wire !== "chat"), async (row, tool) => {
    const { status, logged } = await stage.ask(row, { tool });
    assert.deepEqual([status, logged], [502, "upstream_unreadable"]);
  });
});

Deno.test("an upstream that answers too late is an error with a status, in the wire's form", async () => {
  await using stage = await startStage(() => {}, { config: { limits: { first_byte_timeout_ms: 50 } } });
  await onEither(WIRE_TABLE, async (row, tool) => {
    const { status, error, logged } = await stage.ask(row, { tool });
    assert.deepEqual([status, logged], [504, "first_byte_timeout"]);
    assert.match(error ?? "", /first_byte_timeout_ms/);
  });
});

for (const [place, sent] of Object.entries(PLACES)) {
  Deno.test(`an answer that pauses for too long ${place} ends with an error in the wire's form`, async () => {
    await using stage = await startStage((request) => {
      if (wantsStream(request)) request.write(STREAM_HEAD + chunked(sent));
      else request.write(`${wholeHead(1000)}{`);
    }, { config: { limits: { silence_timeout_ms: 50 } } });
    await onEither(WIRE_TABLE, async (row, tool, title) => {
      const { status, end, error, logged, calls } = await stage.ask(row, { tool });
      assert.equal(logged, "silence_timeout", title);
      if (row.name === "chat, whole" && tool === null) return assert.equal(end, "broken");
      assert.deepEqual([status, end], [row.isStreamed ? 200 : 504, "error"], title);
      assert.match(error ?? "", /silence_timeout_ms/);
      if (!place.startsWith("after a call")) assert.deepEqual(calls, []);
    });
  });
}

Deno.test("bytes that are no answer break when they pause for too long", async () => {
  const file =
    "HTTP/1.1 200 OK\r\ncontent-type: application/octet-stream\r\ntransfer-encoding: chunked\r\n\r\n";
  await using stage = await startStage((request) => request.write(file + chunked("bytes")), {
    config: { limits: { silence_timeout_ms: 50 } },
  });
  const asked = fetch(`${stage.origin}/v1/files`, { method: "POST", body: "x" });
  await assert.rejects(asked.then((response) => response.text()));
});

/** How servers tell of an error: with a status, or with 200, in a stream or as JSON. */
const FAILED = '{"error":{"message":"out of memory","type":"server_error","code":null}}';
const ERRORS: Readonly<Record<string, (request: RawRequest) => void>> = {
  "with a status": (request) =>
    request.write(wholeHead(FAILED.length).replace("200 OK", "500 Oh No") + FAILED),
  "as JSON with status 200": (request) => request.write(wholeHead(FAILED.length) + FAILED),
  "as JSON that claims to be events": (request) =>
    request.write(wholeHead(FAILED.length, "text/event-stream") + FAILED),
  "as an event": (request) => request.write(STREAM_HEAD + chunked(`data: ${FAILED}\n\n`) + LAST_CHUNK),
  "as an event after text": (request) =>
    request.write(STREAM_HEAD + chunked(textEvent("words") + `data: ${FAILED}\n\n`) + LAST_CHUNK),
  "as an event before [DONE]": (request) =>
    request.write(STREAM_HEAD + chunked(`data: ${FAILED}\n\ndata: [DONE]\n\n`) + LAST_CHUNK),
};

for (const [how, answer] of Object.entries(ERRORS)) {
  Deno.test(`an error of the upstream, ${how}, arrives as one and is logged as one`, async () => {
    await using stage = await startStage(answer);
    const rows = how.includes("event ") || how.endsWith("event") ? STREAMED_ROWS : WIRE_TABLE;
    await onEither(rows, async (row, tool, title) => {
      const { end, error, logged } = await stage.ask(row, { tool });
      assert.deepEqual([end, error], ["error", "out of memory"], title);
      assert.ok(logged !== undefined, `${title}: nothing is logged`);
    });
  });
}

Deno.test("events that are no chunks are skipped on every wire but chat, where they pass", async () => {
  const garbage = [
    "data: words\n\n",
    'data: "words"\n\ndata: 1\n\ndata: null\n\ndata: []\n\ndata: {}\n\n',
    'data: {"choices":1}\n\ndata: {"choices":[null]}\n\ndata: {"choices":[{"delta":1}]}\n\n',
    'data: {"choices":[{"index":0,"delta":{"content":{"a":1},"tool_calls":{"a":1}}}]}\n\n',
    "event: unknown\ndata: x\n\n: comment\n\nid: 1\n\nretry: 1\n\n\0\n\n",
    "data: \xff\xfe\n\n",
  ].join("");
  await using stage = await startStage((request) =>
    request.write(
      STREAM_HEAD +
        [garbage, WORDS, garbage, STREAM_END].map((text) => `${text.length.toString(16)}\r\n${text}\r\n`)
          .join("") +
        LAST_CHUNK,
    )
  );
  await onEither(STREAMED_ROWS.filter(({ wire }) => wire !== "chat"), async (row, tool) => {
    const { end, text, calls, logged } = await stage.ask(row, { tool });
    assert.deepEqual([end, text, calls, logged], ["whole", "words", [], undefined]);
  });
});

Deno.test("a web page instead of an answer is an error on every wire, with tools and without", async () => {
  const page = "<html><body>Sign in</body></html>";
  await using stage = await startStage((request) =>
    request.write(wholeHead(page.length, "text/html") + page)
  );
  await onRows(WIRE_TABLE, async (row) => {
    for (const [title, tool] of TOOLS) {
      const { end, logged } = await stage.ask(row, { tool });
      assert.notEqual(end, "whole", title);
      assert.ok(logged !== undefined, `${title}: nothing is logged`);
    }
  });
});

function respond(type: string, body: string | Uint8Array, more = "") {
  const bytes = typeof body === "string" ? new TextEncoder().encode(body) : body;
  const text = Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
  return (request: RawRequest) =>
    request.write(wholeHead(bytes.length, type).replace("\r\n\r\n", `\r\n${more}\r\n`) + text);
}

const CALLED = { status: 200, end: "whole", text: "", calls: [["t", {}]] };
const CALL = wholeBody("[[t {}]]");

/** Asks on rows; they all get the call. */
async function assertCalled(answer: (request: RawRequest) => void, rows: readonly WireRow[]): Promise<void> {
  await using stage = await startStage(answer);
  await onRows(rows, async (row) => {
    const { status, end, text, calls } = await stage.ask(row);
    assert.deepEqual({ status, end, text, calls }, CALLED);
  });
}

Deno.test("events under another content type are read as events", async () => {
  for (const type of ["application/json", "text/plain", "application/octet-stream"]) {
    await assertCalled(respond(type, textEvent("[[t {}]]") + STREAM_END), STREAMED_ROWS);
  }
});

Deno.test("the first text of a stream reaches its client before the second one comes, under every content type", async () => {
  for (const type of ["text/event-stream", "application/json", "text/plain", "application/octet-stream"]) {
    const head = STREAM_HEAD.replace("text/event-stream", type);
    await using stage = await startStage((request) => {
      request.write(head + chunked(textEvent("", { delta: { role: "assistant" } })));
      // In a second piece, as models begin.
      setTimeout(() => request.write(chunked(textEvent("first "))), 10);
    });
    await onEither(STREAMED_ROWS, async (row, tool) => {
      const { path, body } = row.request({ task: "hi", tool: tool ?? undefined });
      using client = await connectRaw(stage.origin);
      client.send(postText(path, JSON.stringify(body)));
      const timer = setTimeout(() => client.close(), 5000);
      await client.until(/first/).finally(() => clearTimeout(timer));
    });
  }
});

Deno.test("JSON under another content type is read as JSON, also where a stream was asked for", async () => {
  for (const type of ["text/event-stream", "text/plain"]) await assertCalled(respond(type, CALL), WHOLE_ROWS);
  await assertCalled(respond("text/event-stream", CALL), STREAMED_ROWS);
  await assertCalled(
    respond("text/event-stream", gzipSync(CALL), "content-encoding: gzip\r\n"),
    STREAMED_ROWS,
  );
});

Deno.test("an answer that is coded is read, whatever the coding is called", async () => {
  const table: [string, Uint8Array][] = [
    ["GZIP, identity", gzipSync(CALL)],
    ["br", brotliCompressSync(CALL)],
    ["zstd", zstdCompressSync(CALL)],
  ];
  for (const [coding, bytes] of table) {
    await assertCalled(respond("application/json", bytes, `content-encoding: ${coding}\r\n`), WHOLE_ROWS);
  }
});

Deno.test("a rewritten whole answer keeps every number that it does not concern, to the last digit", async () => {
  const numbers = ['"big":12345678901234567890', '"huge":1e400', '"total_tokens":1.50'];
  const [big, huge, usage] = numbers;
  const call = JSON.stringify('before [[t {"a": 12345678901234567890}]]');
  const body =
    `{"id":"x",${big},${huge},"choices":[{"index":0,"message":{"role":"assistant","content":${call}},` +
    `"finish_reason":"stop"}],"usage":{${usage}}}`;
  await using stage = await startStage(respond("application/json", body));
  const text = await (await askChat(stage.origin)).text();
  assert.match(text, /"tool_calls"/);
  for (const part of numbers) assert.ok(text.includes(part), `${part} is not in ${text}`);
});

Deno.test("a request that is coded is read, and goes on plain", async () => {
  const seen: string[] = [];
  await using stage = await startStage((request) => {
    seen.push(request.text);
    answerText(request, "words");
  });
  await onRows(WIRE_TABLE, async (row) => {
    const { path, body } = row.request({ task: "in gzip", tool: TOOL });
    const headers = { "content-type": "application/json", "content-encoding": "gzip" };
    const coded = Uint8Array.from(gzipSync(JSON.stringify(body)));
    const response = await fetch(stage.origin + path, { method: "POST", headers, body: coded });
    assert.equal(row.read({ status: response.status, ...await readRaw(response) }).text, "words");
  });
  for (const text of seen) assert.ok(text.includes("in gzip") && !/content-encoding/i.test(text), text);
  assert.equal(seen.length, WIRE_TABLE.length);
});

Deno.test("40 kB that decode to 40 MB are an error", async () => {
  const layer = gzipSync(new Uint8Array(40_000_000).fill(32), { level: 9 });
  const starts = [["{", /answer_too_large/, WHOLE_ROWS], ["", /unreadable_answer/, WIRE_TABLE]] as const;
  // Each of these reads an answer ahead in another way.
  const policies = [{}, { empty_answer: "pass" }, { unreadable_call: "ask_again" }];
  for (const [start, code, rows] of starts) {
    const bomb = new Uint8Array([...gzipSync(start), ...layer]);
    for (const policy of policies) {
      await using stage = await startStage(respond("application/json", bomb, "content-encoding: gzip\r\n"), {
        config: { limits: { answer_bytes_max: 1_000_000 }, policy },
      });
      await onRows(rows, async (row) => {
        const { status, logged } = await stage.ask(row);
        assert.equal(status, 502);
        assert.match(logged ?? "", code);
      });
    }
  }
});

Deno.test("status 101 is never passed on", async () => {
  await using stage = await startStage((request) =>
    request.write("HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n")
  );
  await onRows(WIRE_TABLE, async (row) => assert.equal((await stage.ask(row)).status, 502));
});
