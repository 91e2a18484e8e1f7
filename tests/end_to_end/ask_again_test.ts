/**
 * Printed calls that no rule can read, with `policy.unreadable_call: ask_again`, on every wire, streamed and whole: the client
 * gets the good answer only, with the tokens of all of them.
 */
import assert from "node:assert/strict";
import { createKeyLimits } from "../../src/proxy/server/key_limits.ts";
import { MemoryQuotas, type QuotaUse } from "../../src/proxy/store/quota.ts";
import { builtInService } from "../support/built_in.ts";
import { askChat, startProxy, testConfig } from "../support/proxy.ts";
import { type Arrived, type Script, startUpstream, USAGE } from "../support/scripted_upstream.ts";
import { askRow, WIRE_TABLE, type WireTool } from "../support/wire_table.ts";
import { startWireProxy } from "../support/wire_proxy.ts";

const TOOL: WireTool = {
  name: "read_file",
  schema: { type: "object", properties: { path: { type: "string" } }, required: ["path"] },
};
const QUESTION = { task: "Read it", tool: TOOL };
const GOOD = 'Now.\n<tool_call>\n{"name": "read_file", "arguments": {"path": "a.txt"}}\n</tool_call>';
const CALLS = [["read_file", { path: "a.txt" }]];

/** Kind → an answer that no rule can read. */
const UNREADABLE: Readonly<Record<string, string>> = {
  "no JSON": 'Ok.\n<tool_call>\n{"name": "read_file", "arguments": {path a}}\n</tool_call>',
  "an open string": 'Ok.\n<tool_call>\n{"name": "read_file", "arguments": {"path": "a\n</tool_call>',
  "an unknown tool": 'Ok.\n<tool_call>\n{"name": "reed", "arguments": {"path": "a"}}\n</tool_call>',
  "a likeness": "@@invoke read_file\n@arg path = a.txt",
};

interface Setting {
  readonly policy?: Record<string, unknown>;
  readonly upstream?: Record<string, unknown>;
}

/** A model that gives its answers in order, the last one again and again. */
async function connect(
  answers: readonly (string | Script)[],
  { policy, upstream: settings = {} }: Setting = {},
) {
  let count = 0;
  const script = ({ path }: Arrived): Script => {
    if (!path.endsWith("/chat/completions")) return { text: "" };
    const answer = answers[Math.min(count++, answers.length - 1)]!;
    return typeof answer === "string" ? { text: answer, reasoning: `thought ${count}` } : answer;
  };
  const config = { policy: { unreadable_call: "ask_again", ...policy } };
  const pair = await startWireProxy(script, { settings, config });
  return {
    origin: pair.origin,
    /** The bodies of the questions. */
    get asked() {
      return pair.upstream.requests.filter(({ path }) => path.endsWith("/chat/completions"))
        .map(({ body }) => JSON.parse(body));
    },
    upstream: pair.upstream,
    [Symbol.asyncDispose]: () => pair[Symbol.asyncDispose](),
  };
}

for (const row of WIRE_TABLE) {
  for (const [kind, unreadable] of Object.entries(UNREADABLE)) {
    Deno.test(`ask_again, ${row.name}: ${kind} is asked for again, and only the good answer is sent`, async () => {
      await using model = await connect([unreadable, GOOD]);
      const answer = await askRow(model.origin, { row, question: QUESTION });
      assert.deepEqual(answer.calls, CALLS);
      assert.equal(answer.text.trim(), "Now.");
      assert.doesNotMatch(answer.reasoning, /thought 1/);
      assert.equal(model.asked.length, 2);
      const [said, lesson] = model.asked[1].messages.slice(-2);
      assert.deepEqual([said.role, said.content, lesson.role], ["assistant", unreadable, "user"]);
      assert.match(lesson.content, /could not be read/);
      assert.match(
        lesson.content,
        kind === "a likeness" ? /read_file/ : /<tool_call>\n\{"name": "read_file"/,
      );
    });
  }

  Deno.test(`ask_again, ${row.name}: at most twice, then the last answer is sent`, async () => {
    const [first, second, third] = Object.values(UNREADABLE);
    await using model = await connect([first!, second!, third!]);
    const answer = await askRow(model.origin, { row, question: QUESTION });
    assert.equal(model.asked.length, 3);
    assert.deepEqual(answer.calls, []);
    assert.ok(answer.text.includes('"name": "reed"'), answer.text);
    assert.ok(!answer.text.includes("path a"), answer.text);
  });

  Deno.test(`ask_again, ${row.name}: if the question fails, the first answer is sent`, async () => {
    const failed = { error: { status: 500, body: '{"error":{"message":"no"}}' } };
    await using model = await connect([UNREADABLE["an unknown tool"]!, failed]);
    const answer = await askRow(model.origin, { row, question: QUESTION });
    assert.deepEqual([answer.status, answer.end, model.asked.length], [200, "whole", 2]);
    assert.ok(answer.text.includes('"name": "reed"'), answer.text);
  });
}

/** What isn't asked for again → the answer and the setting. */
const PASSED: Readonly<Record<string, { answer: string | Script; setting?: Setting }>> = {
  "by default": { answer: UNREADABLE["an unknown tool"]!, setting: { policy: { unreadable_call: "pass" } } },
  "after a whole call": { answer: `${GOOD}\n${UNREADABLE["an unknown tool"]}` },
  "before a whole call": { answer: `${UNREADABLE["an unknown tool"]}\n${GOOD}` },
  "in a fence": { answer: `Like this:\n\`\`\`xml\n${UNREADABLE["an unknown tool"]}\n\`\`\`\nIs that clear?` },
  "at the token limit": { answer: { text: UNREADABLE["an open string"]!, finish: "length" } },
  "in a dry run": { answer: UNREADABLE["an unknown tool"]!, setting: { policy: { dry_run: true } } },
  "in a long answer": { answer: `${"long ".repeat(20_000)}\n${UNREADABLE["an unknown tool"]}` },
  "without a call": { answer: "You can use read_file for that." },
};

for (const [what, { answer, setting }] of Object.entries(PASSED)) {
  for (const row of WIRE_TABLE.filter(({ wire }) => wire === "chat" || wire === "anthropic")) {
    Deno.test(`ask_again, ${row.name}: nothing is asked again ${what}`, async () => {
      await using model = await connect([answer, GOOD], setting);
      await askRow(model.origin, { row, question: QUESTION });
      assert.equal(model.asked.length, 1);
    });
  }
}

Deno.test("ask_again: the tokens of all answers are the answer's, streamed and whole", async () => {
  for (const stream of [true, false]) {
    await using model = await connect([UNREADABLE["a likeness"]!, UNREADABLE["no JSON"]!, GOOD]);
    const body = {
      model: "m",
      messages: [{ role: "user", content: "x" }],
      tools: [{ type: "function", function: { name: TOOL.name, parameters: TOOL.schema } }],
      stream,
      ...stream ? { stream_options: { include_usage: true } } : {},
    };
    const response = await askChat(model.origin, { body });
    const text = await response.text();
    const [, tokens] = /"total_tokens":(\d+)/.exec(text) ?? [];
    assert.equal(Number(tokens), USAGE.total_tokens * 3, text);
    assert.equal(text.match(/"role":"assistant"/g)?.length, 1, "one answer, with one role");
  }
});

Deno.test("ask_again: a tool is pinned where the server takes that, if a rule recognized the call", async () => {
  const chosen = async (server: string, answer: string, more: Setting["upstream"] = {}) => {
    await using model = await connect([answer, GOOD], { upstream: { server, ...more } });
    await askRow(model.origin, { row: WIRE_TABLE[0]!, question: QUESTION });
    return model.asked.map(({ tool_choice: choice }) => choice);
  };
  const pinned = { type: "function", function: { name: "read_file" } };
  assert.deepEqual(await chosen("vllm", UNREADABLE["no JSON"]!), ["auto", pinned]);
  // A call that was not meant must not be forced.
  assert.deepEqual(await chosen("vllm", UNREADABLE["a likeness"]!), ["auto", "auto"]);
  assert.deepEqual(await chosen("vllm", UNREADABLE["an unknown tool"]!), ["auto", "auto"]);
  assert.deepEqual(await chosen("llama.cpp", UNREADABLE["no JSON"]!), ["auto", "auto"]);
  assert.deepEqual(await chosen("vllm", UNREADABLE["no JSON"]!, { tools: "raw" }), ["none", "none"]);
});

/** When a client leaves → the model's answers. */
const LEAVING: Readonly<Record<string, readonly (string | Script)[]>> = {
  "while an answer is read ahead": [{ text: GOOD, fate: "pause", fateAt: 3 }],
  "while the model is asked again": [UNREADABLE["no JSON"]!, { fate: "silent" }],
};

for (const row of WIRE_TABLE) {
  Deno.test(`ask_again, ${row.name}: a client that leaves ends the question`, async () => {
    for (const [when, answers] of Object.entries(LEAVING)) {
      // A whole answer arrives at once.
      if (!row.isStreamed && answers.length === 1) continue;
      await using model = await connect(answers, { upstream: { server: "none" } });
      const { path, body } = row.request(QUESTION);
      const leaving = new AbortController();
      const arrivals = answers.map(() => model.upstream.next());
      const asking = fetch(model.origin + path, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(body),
        signal: leaving.signal,
      }).then((response) => response.text()).catch(() => "left");
      const last = (await Promise.all(arrivals)).at(-1)!;
      leaving.abort();
      assert.equal(await asking, "left", when);
      await last.left;
    }
  });
}

Deno.test("ask_again: to a key's limits, all answers are one request with the tokens of all", async () => {
  const key = "a-client-key-that-is-long";
  const uses: QuotaUse[] = [];
  let admitted = 0;
  const own = new MemoryQuotas(() => performance.now());
  const keyLimits = createKeyLimits({
    admit: (request) => (admitted++, own.admit(request)),
    renew: (request) => own.renew(request),
    release: (use) => (uses.push(use), own.release(use)),
  });
  const answers = [UNREADABLE["a likeness"]!, UNREADABLE["no JSON"]!, GOOD];
  let count = 0;
  await using upstream = startUpstream(() => ({ text: answers[count++]! }));
  const config = testConfig(undefined, {
    upstreams: [{ name: "local", url: upstream.url, server: "none" }],
    policy: { unreadable_call: "ask_again" },
    limits: { per_key: { tokens_per_minute: 1000, requests_per_minute: 1, streams: 1 } },
  });
  const service = { ...await builtInService(config), clientKeys: [key] };
  await using proxy = await startProxy(service, { keyLimits });
  const row = WIRE_TABLE.find(({ name }) => name === "anthropic, streamed")!;
  const headers = { authorization: `Bearer ${key}` };
  const answer = await askRow(proxy.origin, { row, question: QUESTION, headers });
  assert.deepEqual(answer.calls, CALLS);
  keyLimits.close();
  assert.deepEqual([admitted, uses.map(({ tokens }) => tokens)], [1, [USAGE.total_tokens * 3]]);
});

Deno.test("ask_again: a model with its tools in the prompt, and a client that reads calls in text, get examples of theirs", async () => {
  const row = WIRE_TABLE[0]!;
  await using prompted = await connect([UNREADABLE["no JSON"]!, GOOD], {
    upstream: { tools: "prompted", dialect: "qwen_xml" },
  });
  assert.deepEqual((await askRow(prompted.origin, { row, question: QUESTION })).calls, CALLS);
  assert.match(prompted.asked[1].messages.at(-1).content, /<function=read_file>\n<parameter=path>/);

  const system =
    "You are Roo, a coding agent.\n\n====\n\n# Tools\n\n## read_file\nDescription: Reads.\nParameters:\n" +
    "- path: (required) The file\nUsage:\n<read_file>\n<path>File path here</path>\n</read_file>\n\n# Tool Use Guidelines\n";
  await using xml = await connect([UNREADABLE["no JSON"]!, GOOD]);
  const question = { task: "Read it", system };
  const answer = await askRow(xml.origin, { row, question, headers: { "user-agent": "RooCode/3.30.0" } });
  assert.match(answer.text, /<read_file>\n<path>a\.txt<\/path>\n<\/read_file>/);
  assert.doesNotMatch(answer.text, /path a/);
  assert.match(xml.asked[1].messages.at(-1).content, /<read_file>\n<path>/);
});
