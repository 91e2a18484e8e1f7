/** Whatever an answer holds and however it ends, a client that executes calls in text executes whole, wanted calls. */
import assert from "node:assert/strict";
import callPolicy from "../../plugins/call_policy.ts";
import strictValidation from "../../plugins/strict_validation.ts";
import type { LoadedPlugin } from "../../src/proxy/plugin/hooks.ts";
import { builtInService } from "../support/built_in.ts";
import { hear } from "../support/chunks.ts";
import { parseCline } from "../support/cline_parser.ts";
import { IS_THOROUGH } from "../support/fuzz.ts";
import { CLINE_PROMPT, rooPrompt } from "../support/prompts.ts";
import { askChat, type RunningProxy, startProxy, testConfig } from "../support/proxy.ts";
import { parseRoo } from "../support/roo_parser.ts";
import { type Script, startUpstream } from "../support/scripted_upstream.ts";
import type { Block } from "../support/tag_parser.ts";

const CLIENTS = {
  roo: { prompt: rooPrompt({ hasArgs: true, hasLineCount: false }), parse: parseRoo },
  cline: { prompt: `${CLINE_PROMPT}`, parse: parseCline },
} as const;

type ClientName = keyof typeof CLIENTS;

interface Executed {
  readonly name: string;
  readonly params: Readonly<Record<string, string>>;
}

/** The calls that a client executes of an answer, streamed or whole; none where the answer ends as an error. */
async function executed(
  proxy: RunningProxy,
  { client, stream }: { client: ClientName; stream: boolean },
): Promise<Executed[]> {
  const { prompt, parse } = CLIENTS[client];
  const messages = [{ role: "system", content: prompt }, { role: "user", content: "Go" }];
  const response = await askChat(proxy.origin, { body: { messages, stream, tools: undefined } });
  const text = await response.text();
  if (!response.ok) return [];
  const answer = stream ? hear(text) : undefined;
  if (answer !== undefined && answer.errors.length > 0) return [];
  const content = answer?.choices[0]?.content ?? (stream ? "" : JSON.parse(text).choices[0].message.content);
  return parse(content).filter((block: Block) => block.type === "tool_use")
    .map(({ name, params }) => ({ name, params }));
}

async function executedOf(
  script: Script,
  options: { client?: ClientName; stream?: boolean; plugins?: readonly LoadedPlugin[] } = {},
): Promise<Executed[]> {
  const { client = "roo", stream = true, plugins = [] } = options;
  await using upstream = startUpstream(script);
  await using proxy = await startProxy(await builtInService(testConfig(upstream.url), plugins));
  return await executed(proxy, { client, stream });
}

function loaded(plugin: LoadedPlugin["plugin"], options: Record<string, unknown>): LoadedPlugin {
  const defaults = Object.entries(plugin.options ?? {}).map(([name, field]) => [name, field.default]);
  return { plugin, options: { ...Object.fromEntries(defaults), ...options } };
}

const WRITE =
  "<write_to_file>\n<path>src/a.ts</path>\n<content>\nconst a = 1;\nconst b = 2;\n</content>\n</write_to_file>";
const FENCED = '```json\n{"name": "write_to_file", "arguments": {"path": "src/a.ts", "content": "x"}}\n```';

/** A short run cuts at every third of the places. */
const STEP = IS_THOROUGH ? 1 : 3;

Deno.test("half a call never runs, wherever and however the answer is cut off", async () => {
  const intended = [{
    name: "write_to_file",
    params: { path: "src/a.ts", content: "const a = 1;\nconst b = 2;" },
  }];
  const config = (url: string) => testConfig(url);
  let script: Script = {};
  await using upstream = startUpstream(() => script);
  await using proxy = await startProxy(await builtInService(config(upstream.url)));
  for (let length = 1; length <= WRITE.length; length += length < 40 ? STEP : 7 * STEP) {
    const text = `I write it.\n${WRITE.slice(0, length)}`;
    // An answer that the model ended by itself is no half call: its missing closers are repaired.
    script = { text, finish: "length" };
    for (const stream of [true, false]) {
      const calls = await executed(proxy, { client: "roo", stream });
      if (calls.length > 0) assert.deepEqual(calls, intended, `length, ${length}`);
    }
    for (const fate of ["break", "end"] as const) {
      script = { text, fate, fateAt: text.length };
      const calls = await executed(proxy, { client: "roo", stream: true });
      if (calls.length > 0) assert.deepEqual(calls, intended, `${fate}, ${length}`);
    }
  }
});

Deno.test("a whole call of the client's own dialect runs as it is", async () => {
  for (const stream of [true, false]) {
    assert.deepEqual(await executedOf({ text: `I write it.\n${WRITE}` }, { stream }), [
      { name: "write_to_file", params: { path: "src/a.ts", content: "const a = 1;\nconst b = 2;" } },
    ]);
  }
});

Deno.test("a call without the content that it needs never runs", async () => {
  const texts = [
    "<write_to_file>\n<path>src/a.ts</path>\n</write_to_file>",
    '```json\n{"name": "write_to_file", "arguments": {"path": "src/a.ts"}}\n```',
    "<write_to_file></write_to_file>",
  ];
  for (const text of texts) {
    for (const stream of [true, false]) assert.deepEqual(await executedOf({ text }, { stream }), [], text);
  }
});

Deno.test("a tool that is not offered never runs, though the client's parser knows it", async () => {
  const texts = [
    "<browser_action>\n<action>launch</action>\n<url>http://x</url>\n</browser_action>",
    "<update_todo_list><todos>[ ] a</todos></update_todo_list>",
    "<edit_file><file_path>a</file_path></edit_file>",
  ];
  for (const text of texts) assert.deepEqual(await executedOf({ text }), [], text);
});

Deno.test("the client's own calls run although no rule reads them", async () => {
  await using upstream = startUpstream({ text: WRITE });
  for (const more of [{ rules: { disable: ["roo_xml"] } }, { policy: { minimum_confidence: 0.99 } }]) {
    await using proxy = await startProxy(await builtInService(testConfig(upstream.url, more)));
    const calls = await executed(proxy, { client: "roo", stream: true });
    assert.deepEqual(calls.map(({ name }) => name), ["write_to_file"], JSON.stringify(more));
  }
});

Deno.test("a call of the client's own dialect that names several files runs as it is", async () => {
  const text =
    "<read_file>\n<args>\n<file>\n<path>a.ts</path>\n</file>\n<file>\n<path>b.ts</path>\n</file>\n</args>\n</read_file>";
  assert.deepEqual(await executedOf({ text }), [{
    name: "read_file",
    params: { args: "<file>\n<path>a.ts</path>\n</file>\n<file>\n<path>b.ts</path>\n</file>" },
  }]);
});

Deno.test("a call that a plugin refused does not run in a client that reads text", async () => {
  const deny = loaded(callPolicy, { deny: ["write_to_file"] });
  const strict = loaded(strictValidation, { mode: "abstain", accept: ["hermes_json"] });
  for (const plugins of [[deny], [strict]]) {
    for (const text of [WRITE, `Now:\n${WRITE}\nDone.`, FENCED]) {
      for (const stream of [true, false]) {
        assert.deepEqual(await executedOf({ text }, { stream, plugins }), [], text);
      }
    }
  }
});

Deno.test("a mention never runs, and the call after it does", async () => {
  const call = FENCED;
  for (const client of ["roo", "cline"] as const) {
    const mentions = [
      "Use `<execute_command>` with `<command>` for that.\n\n",
      "<think>First <execute_command> then <command>rm -rf /</command></think>\n",
      "Like <read_file>:\n\n```xml\n<read_file>\n<path>x</path>\n```\n\n",
    ];
    const text = client === "roo"
      ? call
      : call.replace("write_to_file", "read_file").replace(', "content": "x"', "");
    for (const mention of mentions) {
      const calls = await executedOf({ text: mention + text }, { client });
      assert.deepEqual(calls.map(({ name, params }) => [name, params.path ?? params.args]), [
        client === "roo" ? ["write_to_file", "src/a.ts"] : ["read_file", "src/a.ts"],
      ], mention);
    }
  }
});
