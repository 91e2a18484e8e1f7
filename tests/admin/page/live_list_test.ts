import assert from "node:assert/strict";
import type { LiveRequest } from "../../../src/admin/live/request.ts";
import { choicesOf, filterRequests, LiveList } from "../../../src/admin/page/live_list.ts";

const REQUEST: LiveRequest = {
  ...{
    id: "a",
    beganAt: 0,
    state: "done",
    wire: "chat",
    client: "openai",
    model: "small",
    upstream: "local",
    key: null,
    mode: "live",
  },
  ...{
    status: 200,
    error: null,
    message: null,
    conversation: "",
    firstMs: 1,
    durationMs: 2,
    addedMs: 0,
    isStreamed: true,
    choices: 1,
    tools: 1,
    route: null,
  },
  ...{
    calls: 0,
    called: [],
    command: null,
    leftAsText: {},
    tried: [],
    failed: 0,
    lost: 0,
    refused: 0,
    dropped: 0,
    repaired: 0,
    nearMisses: 0,
    remarks: [],
    accepted: 0,
    rejected: 0,
  },
};
const request = (id: string, more: Partial<LiveRequest> = {}): LiveRequest => ({ ...REQUEST, id, ...more });
const ANYTHING = { text: "", client: "", model: "", upstream: "", wire: "", key: "", state: "" };

Deno.test("LiveList shows the latest request first, replaces what changed, and starts again with a whole list", () => {
  const list = new LiveList();
  list.apply({ isWhole: true, requests: [request("a"), request("b")] });
  list.apply({ isWhole: false, requests: [request("a", { calls: 2 }), request("c")] });
  assert.deepEqual(list.latest.map(({ id, calls }) => [id, calls]), [["c", 0], ["b", 0], ["a", 2]]);
  assert.equal(list.get("a")?.calls, 2);
  list.apply({ isWhole: true, requests: [request("d")] });
  assert.deepEqual(list.latest.map(({ id }) => id), ["d"]);
  list.apply({ isWhole: false, requests: Array.from({ length: 600 }, (_, number) => request(`n${number}`)) });
  assert.deepEqual([list.latest.length, list.latest[0]?.id], [500, "n599"]);
});

Deno.test("filterRequests lets through what has every part of the filter", () => {
  const requests = [
    request("a", { called: ["read_file"], calls: 1 }),
    request("b", { client: "roo", model: "large", nearMisses: 1 }),
    request("c", { state: "streaming", status: null }),
    request("d", {
      client: null,
      model: null,
      upstream: null,
      route: "GET /v2",
      state: "error",
      error: "not_found",
    }),
    request("e", {
      leftAsText: { quoted: 1 },
      upstream: "other",
      mode: "dry_run",
      wire: "gemini",
      key: "alice",
    }),
  ];
  const table: [Partial<typeof ANYTHING>, string][] = [
    [{}, "abcde"],
    [{ client: "roo" }, "b"],
    [{ client: "none" }, "d"],
    [{ model: "small", upstream: "local" }, "ac"],
    [{ state: "running" }, "c"],
    [{ state: "error" }, "d"],
    [{ state: "noted" }, "be"],
    [{ text: "READ_file small" }, "a"],
    [{ text: "near miss" }, "b"],
    [{ text: "v2" }, "d"],
    [{ text: "quoted dry" }, "e"],
    [{ wire: "gemini" }, "e"],
    [{ key: "alice" }, "e"],
    [{ key: "none", model: "small" }, "ac"],
    [{ text: "nothing" }, ""],
  ];
  for (const [filter, ids] of table) {
    assert.equal(filterRequests(requests, { ...ANYTHING, ...filter }).map(({ id }) => id).join(""), ids);
  }
  assert.deepEqual(choicesOf(requests), {
    client: ["openai", "roo"],
    model: ["large", "small"],
    upstream: ["local", "other"],
    wire: ["chat", "gemini"],
    key: ["alice", "none"],
  });
});
