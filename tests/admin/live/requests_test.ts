import assert from "node:assert/strict";
import { chatText, LIVE_LIMITS, LiveRequests, shownChat } from "../../../src/admin/live/requests.ts";
import { decisionLine, requestLine, resultLine } from "../../support/audit_lines.ts";
import { requestFacts } from "../../support/request_facts.ts";

const OUTCOME = { status: 200, durationMs: 10, addedMs: 1, pieces: 1 };
const HERE = { choice: 0, isSent: false };
const CALL = { kind: "call_start", call: 0, tool: "read_file", rule: "r", confidence: 1 } as const;

function open(hasContents = false, limits = LIVE_LIMITS) {
  const changed: string[] = [];
  const requests = new LiveRequests({
    hasContents: () => hasContents,
    now: () => 7,
    changed: (id) => void changed.push(id),
    limits,
  });
  return { requests, changed };
}

Deno.test("LiveRequests shows how far a request is, from its arrival to what the agent made of its calls", () => {
  const { requests, changed } = open();
  const watch = requests.watch(requestFacts());
  const state = () => requests.get("r")?.state;
  assert.deepEqual([state(), requests.get("r")?.status], ["waiting", null]);
  watch.begin?.();
  assert.equal(state(), "streaming");
  watch.observe(CALL, HERE);
  assert.deepEqual([requests.get("r")?.calls, requests.get("r")?.called], [1, ["read_file"]]);
  requests.add([
    decisionLine("transformed"),
    decisionLine("quoted"),
    requestLine({ durationMs: 10, called: ["read_file"] }),
  ]);
  watch.end(OUTCOME);
  const request = requests.get("r");
  assert.deepEqual(
    [request?.state, request?.durationMs, request?.leftAsText, request?.called],
    ["done", 10, { quoted: 1 }, ["read_file"]],
  );
  requests.add([resultLine("accepted", { answer: "r" }), resultLine("rejected", { answer: "unknown" })]);
  assert.deepEqual([requests.get("r")?.accepted, requests.get("r")?.rejected], [1, 0]);
  assert.deepEqual(new Set(changed), new Set(["r"]));
});

Deno.test("LiveRequests shows errors, clients that left, and requests that no watch gets", () => {
  const { requests } = open();
  for (const [id, error, status] of [["a", "upstream_status", 502], ["b", "client_left", 200]] as const) {
    requests.watch(requestFacts({ id }));
    requests.add([requestLine({ request: id, error, status })]);
    assert.match(requests.detailOf(id)?.errorMeaning ?? "", /^The (?:model server answered|agent closed)/);
  }
  requests.addUnwatched({
    beganAt: 1,
    method: "GET",
    path: "/v2",
    status: 404,
    error: "not_found",
    durationMs: 1,
  });
  assert.deepEqual(
    requests.all.map(({ state, route }) => [state, route]),
    [["error", null], ["left", null], ["error", "GET /v2"]],
  );
});

Deno.test("LiveRequests sums up the prompts of a conversation, in the one change with which a request ends", () => {
  const { requests, changed } = open();
  const ended = (id: string, conversation: string, more: Parameters<typeof requestLine>[0] = {}) => {
    requests.watch(requestFacts({ id, conversation }));
    const before = changed.length;
    requests.add([requestLine({ request: id, conversation, ...more })]);
    assert.equal(changed.length, before + 1);
    return requests.get(id)?.conversationPrompts;
  };
  const prompt = { promptTokens: 100, cachedTokens: 80 };
  assert.equal(ended("a", "one"), undefined);
  assert.deepEqual(ended("b", "one", prompt), { requests: 1, tokens: 100, cached: 80 });
  assert.deepEqual(ended("c", "other", prompt), { requests: 1, tokens: 100, cached: 80 });
  assert.deepEqual(ended("d", "one", { promptTokens: 7, cachedTokens: 0 }), {
    requests: 2,
    tokens: 107,
    cached: 80,
  });
  assert.equal(ended("e", "", prompt), undefined);
  assert.deepEqual(requests.get("b")?.conversationPrompts, { requests: 1, tokens: 100, cached: 80 });
});

Deno.test("LiveRequests keeps decisions without texts, and texts only if they are wanted", () => {
  for (const hasContents of [false, true]) {
    const { requests } = open(hasContents);
    const chat = { model: "m", messages: [{ role: "user", content: "key is topsecret1", password: "pw" }] };
    const watch = requests.watch(requestFacts({ secrets: ["topsecret1"], chat }));
    assert.equal(watch.text !== undefined, hasContents);
    const version = requests.versionOf("r");
    watch.text?.("a <call> topsecret1 ");
    watch.written?.({ kind: "text", text: "a " });
    watch.observe({ kind: "note", reason: "quoted", rule: "r", start: 2, end: 8, tool: "topsecret1" }, {
      ...HERE,
      source: "<call>",
    });
    assert.notEqual(requests.versionOf("r"), version);
    // Its second decision counts the same text.
    requests.add([
      decisionLine("quoted", { rule: "r", start: 2, end: 8, characters: 6, tool: "[redacted]" }),
      decisionLine("malformed", { rule: "s", start: 2, end: 8, repeats: true }),
      requestLine(),
    ]);
    watch.end(OUTCOME);
    const detail = requests.detailOf("r");
    assert.equal(detail?.errorMeaning, null);
    const shown = JSON.stringify(detail);
    assert.ok(!shown.includes("topsecret1") && !shown.includes('"pw"'), shown);
    assert.deepEqual(detail?.marks?.map(({ reason, characters, tool }) => [reason, characters, tool]), [
      ["quoted", 6, "[redacted]"],
    ]);
    assert.deepEqual(
      detail?.contents?.before.map(({ marks }) => marks),
      hasContents ? [[], [0], []] : undefined,
    );
    if (hasContents) assert.match(detail?.contents?.chat ?? "", /"content":"key is \[redacted\]"/);
    else assert.equal(detail?.contents, null);
  }
  assert.equal(open().requests.detailOf("x"), undefined);
  assert.equal(open().requests.versionOf("x"), undefined);
});

Deno.test("LiveRequests states which decisions it forgot, and how many answers a request asks for", () => {
  const { requests } = open(true, { ...LIVE_LIMITS, detailsMax: 1 });
  for (const [id, n] of [["a", undefined], ["b", 2]] as const) {
    requests.watch(requestFacts({ id, chat: { messages: [], ...(n === undefined ? {} : { n }) } }));
  }
  assert.deepEqual([requests.detailOf("a")?.marks, requests.detailOf("b")?.marks], [null, []]);
  assert.deepEqual(requests.all.map(({ choices }) => choices), [1, 2]);
});

Deno.test("LiveRequests keeps a limited number of requests and details, and drops the texts of the oldest", () => {
  const limits = { requestsMax: 4, detailsMax: 3, charactersMax: 30 };
  const { requests } = open(true, limits);
  for (let number = 0; number < 6; number++) {
    const watch = requests.watch(requestFacts({ id: `r${number}`, chat: { messages: [] } }));
    watch.text?.("0123456789");
    requests.add([requestLine({ request: `r${number}` })]);
    watch.end(OUTCOME);
  }
  assert.deepEqual(requests.all.map(({ id }) => id), ["r2", "r3", "r4", "r5"]);
  const kept = requests.all.map(({ id }) => requests.detailOf(id)?.contents !== null);
  assert.deepEqual(kept, [false, false, false, true]);
});

Deno.test("chatText keeps no request that is too long, whatever makes it long", () => {
  const chat = (content: unknown) => ({ messages: [{ role: "user", content }] });
  assert.equal(chatText(chat("short")), '{"messages":[{"role":"user","content":"short"}]}');
  assert.equal(chatText(chat("x".repeat(600_000))), undefined);
  // Escapes are longer than what they stand for.
  assert.equal(chatText(chat("\u0001".repeat(200_000))), undefined);
  assert.equal(chatText(chat(Array.from({ length: 600_000 }, () => 1))), undefined);
});

Deno.test("shownChat removes secrets from texts, and leaves a schema that only names one", () => {
  const schema = { properties: { password: { type: "string" } } };
  const text = JSON.stringify({ schema, password: "pw", content: "key is topsecret1" });
  assert.deepEqual(JSON.parse(shownChat(text, ["topsecret1"])), {
    schema,
    password: "[redacted]",
    content: "key is [redacted]",
  });
});
