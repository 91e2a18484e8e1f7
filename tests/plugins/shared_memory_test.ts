import assert from "node:assert/strict";
import type { Sessions } from "../../src/proxy/store/session.ts";
import { SharedSessions } from "../../src/proxy/store/shared.ts";
import { hear } from "../support/chunks.ts";
import { FakeBackend, FakeTime } from "../support/fake_backend.ts";
import { pluginService } from "../support/plugins.ts";
import { rooPrompt } from "../support/prompts.ts";
import { askChat, startProxy } from "../support/proxy.ts";
import { startUpstream } from "../support/scripted_upstream.ts";

function sharedSessions(backend: FakeBackend): SharedSessions {
  const { now, wait } = new FakeTime();
  return new SharedSessions({
    backend,
    limitMs: 50,
    now,
    wait,
    newId: () => crypto.randomUUID(),
    report: () => {},
  });
}

const READ = (path: string) => `<read_file>\n<path>${path}</path>\n</read_file>`;

const GROUP = `<multi_tool_use mode="sequential">\n${
  ["a", "b", "c"].map(READ).join("\n")
}\n</multi_tool_use>`;

/** The messages of an agent that reads one file after the other. */
function readingMessages(): { role: string; content: string }[] {
  return [
    { role: "system", content: rooPrompt({ hasArgs: false, hasLineCount: false }) },
    { role: "user", content: "<task>\nRead\n</task>" },
  ];
}

/** Asks, and adds the answer and its result to the messages; the file that the answer reads. */
async function readNext(origin: string, messages: { role: string; content: string }[]): Promise<string> {
  const response = await fetch(`${origin}/v1/chat/completions`, {
    method: "POST",
    headers: { "user-agent": "RooCode/3.30.0" },
    body: JSON.stringify({ model: "m", stream: true, messages }),
  });
  const content = hear(await response.text()).choices[0]?.content ?? "";
  const path = /<path>(.*?)<\/path>/.exec(content)?.[1] ?? "none";
  messages.push({ role: "assistant", content }, {
    role: "user",
    content: `[read_file for '${path}'] Result:\n\n1 | text`,
  });
  return path;
}

async function startReplica(url: string, sessions: Sessions) {
  const config = "plugins: [dependency_chain]";
  return await startProxy(await pluginService(url, { config, sessions, timeoutMs: 60_000 }));
}

Deno.test("queued calls reach the client whichever replica its requests reach", async () => {
  await using upstream = startUpstream(() => ({ text: GROUP }));
  const backend = new FakeBackend();
  await using one = await startReplica(upstream.url, sharedSessions(backend));
  await using other = await startReplica(upstream.url, sharedSessions(backend));
  const messages = readingMessages();
  const executed: string[] = [];
  for (const { origin } of [one, other, one]) executed.push(await readNext(origin, messages));
  assert.deepEqual([executed, upstream.requests.length], [["a", "b", "c"], 1]);
});

Deno.test("a call that other requests take each time is not made twice: the model is asked", async () => {
  await using upstream = startUpstream(() => ({ text: upstream.requests.length > 1 ? "done" : GROUP }));
  const sessions = sharedSessions(new FakeBackend());
  await using one = await startReplica(upstream.url, sessions);
  const messages = readingMessages();
  assert.equal(await readNext(one.origin, messages), "a");
  await using beaten = await startReplica(upstream.url, {
    open: async (conversation) => ({
      ...await sessions.open(conversation),
      claim: () => Promise.resolve(false),
    }),
    begin: () => sessions.begin(),
    entries: () => sessions.entries(),
    remove: (key) => sessions.remove(key),
  });
  assert.equal(await readNext(beaten.origin, messages), "none");
  assert.equal(upstream.requests.length, 2);
});

for (const stream of [true, false]) {
  Deno.test(`nothing that follows a strike leaves before the strike is saved: stream ${stream}`, async () => {
    const wrong = '<tool_call>\n{"name": "t", "arguments": {"n": "not a number"}}\n</tool_call>';
    await using upstream = startUpstream(() => ({ text: wrong }));
    const backend = new FakeBackend();
    await using proxy = await startProxy(
      await pluginService(upstream.url, {
        config: "plugins: [{ use: strict_validation, mode: observe }]",
        sessions: sharedSessions(backend),
      }),
    );
    const parameters = { type: "object", properties: { n: { type: "integer" } } };
    const tools = [{ type: "function", function: { name: "t", parameters } }];
    const entered = backend.nextBatch();
    let isOver = false;
    const asking = askChat(proxy.origin, { body: { stream, tools } })
      .then((response) => response.text()).finally(() => isOver = true);
    await entered;
    // What was sent would have arrived by now.
    for (let round = 0; round < 5; round++) await (await fetch(`${proxy.origin}/health`)).text();
    assert.equal(isOver, false);
    backend.thaw();
    assert.match(await asking, /"tool_calls"/);
    assert.equal((await sharedSessions(backend).entries())[0]?.value, 1);
  });
}
