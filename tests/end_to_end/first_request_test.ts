/**
 * What a person set explicitly holds from the first request on, also where it depends on which server the upstream is, and
 * the server takes its time to show that.
 *
 * @module
 */
import assert from "node:assert/strict";
import { parse } from "yaml";
import { configSchema } from "../../src/proxy/config/schema.ts";
import { builtInService } from "../support/built_in.ts";
import { startProxy } from "../support/proxy.ts";
import { startServer } from "../support/serve.ts";
import { type Arrived, type Script, startUpstream } from "../support/scripted_upstream.ts";
import { askRow, onRows, TOOL, WIRE_TABLE } from "../support/wire_table.ts";

/** A server as llama.cpp and vLLM show themselves, after a while. */
function startSlow({ owner = "llamacpp", waitMs = 300 }: { owner?: string; waitMs?: number } = {}) {
  const json = (value: unknown): Script => ({ error: { status: 200, body: JSON.stringify(value) } });
  const upstream = startUpstream(({ path }) => {
    if (path === "/" && owner === "library") return { error: { status: 200, body: "Ollama is running" } };
    if (path === "/props" && owner === "llamacpp") return json({ build_info: "b10547-1", chat_template: "" });
    if (path === "/get_server_info" && owner === "sglang") return json({ tool_call_parser: "qwen" });
    if (path === "/version") return json({ version: "0.28.0" });
    return { text: "hello" };
  });
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, async (request) => {
    const { pathname } = new URL(request.url);
    if (pathname === "/v1/models") {
      await new Promise((resolve) => {
        const timer = setTimeout(resolve, waitMs);
        request.signal.addEventListener("abort", () => (clearTimeout(timer), resolve(undefined)));
      });
      return Response.json({ object: "list", data: [{ id: "m", owned_by: owner }] });
    }
    return await fetch(upstream.url.replace("/v1", pathname), {
      method: request.method,
      body: request.body && await request.text(),
    });
  });
  return {
    url: `http://127.0.0.1:${server.addr.port}/v1`,
    /** The chats that arrived; a route that shows a prompt runs no model. */
    chats: () => upstream.requests.filter(({ path }) => path.endsWith("completions")),
    async [Symbol.asyncDispose]() {
      await server.shutdown();
      await upstream[Symbol.asyncDispose]();
    },
  };
}

/** A proxy without what a server has besides: no line after the start has asked the upstream yet. */
async function startOwn(configuration: string) {
  const config = configSchema.parse({ listen: { port: 0 }, ...parse(configuration) });
  return await startProxy(await builtInService(config));
}

const sent = ({ body }: Arrived) => JSON.parse(body);

interface Setting {
  readonly owner?: string;
  /** Of the upstream, and of the rest of the configuration. */
  readonly own?: string;
  readonly more?: string;
  readonly holds: (chat: Record<string, unknown>) => boolean;
}

/** Every setting that depends on which server the upstream is, and how the first request shows that it holds. */
const SETTINGS: Readonly<Record<string, Setting>> = {
  "tools: raw": { own: "tools: raw", holds: ({ tool_choice: choice }) => choice === "none" },
  "models.*.tools: raw": {
    more: 'models: { "*": { tools: raw } }\n',
    holds: ({ tool_choice: choice }) => choice === "none",
  },
  "tools: prompted": {
    owner: "vllm",
    own: "tools: prompted",
    holds: (chat) => chat["skip_special_tokens"] === false && chat["tools"] === undefined,
  },
  "tools.strict: add": {
    owner: "vllm",
    more: "tools: { strict: add }\n",
    holds: ({ tools }) => JSON.stringify(tools).includes('"strict":true'),
  },
};

for (const [setting, { owner, own, more = "", holds }] of Object.entries(SETTINGS)) {
  Deno.test(`\`${setting}\` holds from the first request on, on every wire`, async () => {
    // Tools of the Responses API state that they aren't strict.
    const rows = WIRE_TABLE.filter(({ wire }) => wire !== "responses" || setting !== "tools.strict: add");
    await onRows(rows, async (row) => {
      await using upstream = startSlow(owner === undefined ? {} : { owner });
      await using server = await startOwn(
        `upstreams: [{ name: local, url: "${upstream.url}"${own === undefined ? "" : `, ${own}`} }]\n${more}`,
      );
      const answer = await askRow(server.origin, { row, question: { task: "hi", tool: TOOL } });
      assert.equal(answer.text, "hello");
      assert.deepEqual(
        upstream.chats().map(sent).map(holds),
        [true],
        `${row.name}: ${upstream.chats()[0]?.body}`,
      );
    });
  });
}

Deno.test("a prompt of `chat_template` keeps the marks of calls from the first request on", async () => {
  const template = await Deno.makeTempFile({ suffix: ".jinja" });
  await Deno.writeTextFile(template, "{{ messages[0].content }}");
  await using upstream = startSlow();
  await using server = await startServer(
    `upstreams: [{ name: local, url: "${upstream.url}", chat_template: "${template}" }]\n`,
  );
  const { path, body } = WIRE_TABLE[0]!.request({ task: "hi", tool: TOOL });
  await (await fetch(server.origin + path, { method: "POST", body: JSON.stringify(body) })).text();
  await Deno.remove(template);
  assert.ok(Array.isArray(sent(upstream.chats()[0]!).preserved_tokens), String(upstream.chats()[0]?.body));
});

Deno.test("a setting holds for an upstream that a reload brings", async () => {
  await using first = startSlow({ waitMs: 0 });
  await using second = startSlow({ waitMs: 300 });
  await using server = await startServer(`upstreams: [{ name: local, url: "${first.url}", tools: raw }]\n`);
  const row = WIRE_TABLE[0]!;
  await askRow(server.origin, { row, question: { task: "hi", tool: TOOL } });
  await server.write(`upstreams: [{ name: local, url: "${second.url}", tools: raw }]\n`);
  while (second.chats().length === 0) {
    await askRow(server.origin, { row, question: { task: "hi", tool: TOOL } });
  }
  assert.equal(sent(second.chats()[0]!).tool_choice, "none");
});

Deno.test("`tools: prompted` begins in the dialect that the recognized server leaves alone", async () => {
  await using upstream = startSlow({ owner: "library" });
  await using server = await startServer(
    `upstreams: [{ name: local, url: "${upstream.url}", tools: prompted }]\n`,
  );
  const row = WIRE_TABLE[0]!;
  const question = { task: "hi", tool: TOOL };
  await askRow(server.origin, { row, question });
  await askRow(server.origin, { row, question });
  const [first, second] = upstream.chats().map(sent);
  assert.deepEqual(first, second);
});

Deno.test("`tools: raw` is refused while its server doesn't answer which one it is, and needs no answer if it is named", async () => {
  await onRows(WIRE_TABLE, async (row) => {
    await using upstream = startSlow({ waitMs: 60_000 });
    const own = `name: local, url: "${upstream.url}", tools: raw`;
    await using server = await startOwn(`upstreams: [{ ${own} }]\n`);
    const began = performance.now();
    const refused = await askRow(server.origin, { row, question: { task: "hi", tool: TOOL } });
    const waited = performance.now() - began;
    assert.equal(refused.status, 503);
    assert.match(refused.error ?? "", /`server`/);
    assert.ok(waited > 1900 && waited < 10_000, `${waited} ms`);
    assert.equal(upstream.chats().length, 0);
    await using named = await startOwn(`upstreams: [{ ${own}, server: llama.cpp }]\n`);
    const answer = await askRow(named.origin, { row, question: { task: "hi", tool: TOOL } });
    assert.equal(answer.text, "hello");
    assert.equal(sent(upstream.chats()[0]!).tool_choice, "none");
  });
});

Deno.test("a server without `raw`, or an unknown one, is asked natively as the line after the start states", async () => {
  for (const owner of ["someone", "sglang"]) {
    await using upstream = startSlow({ owner });
    await using server = await startServer(
      `upstreams: [{ name: local, url: "${upstream.url}", tools: raw }]\n`,
    );
    const answer = await askRow(server.origin, { row: WIRE_TABLE[0]!, question: { task: "hi", tool: TOOL } });
    assert.equal(answer.text, "hello");
    assert.equal(sent(upstream.chats()[0]!).tool_choice, "auto");
  }
});
