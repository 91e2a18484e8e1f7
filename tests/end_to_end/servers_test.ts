/**
 * Which server an upstream is, with a real process: the start line, `/health/ready` and the status page name it, every worker
 * knows it, and what the server's parser lost is recovered and logged.
 *
 * @module
 */
import assert from "node:assert/strict";
import { join } from "node:path";
import { startProgram } from "../support/program.ts";
import { type Arrived, type Script, startUpstream } from "../support/scripted_upstream.ts";
import { temporaryFolder } from "../support/temporary_folder.ts";
import { askChat } from "../support/proxy.ts";

const CALL = '<tool_call>\n{"name": "dig", "arguments": {"depth": 3}}\n</tool_call>';
const LOST =
  '{"error":{"code":500,"message":"The model produced output that does not match the expected peg-native format","type":"server_error"}}';

/** A server whose parser always fails. */
function answer({ path, body }: Arrived, template?: string): Script {
  const json = (value: unknown) => ({ error: { status: 200, body: JSON.stringify(value) } });
  if (path === "/v1/models") return json({ data: [{ id: "m", owned_by: "llamacpp" }] });
  if (path === "/props") return json({ build_info: "b10547-749f688fc", chat_template: template });
  if (!path.endsWith("/chat/completions")) return { error: { status: 404, body: "{}" } };
  return JSON.parse(body).tool_choice === "none" ? { text: CALL } : { error: { status: 500, body: LOST } };
}

async function serve(settings: string, args: readonly string[] = [], template?: string) {
  const folder = await temporaryFolder();
  const upstream = startUpstream((arrived) => answer(arrived, template));
  await Deno.writeTextFile(
    join(folder, "dragoman.yaml"),
    `upstreams: [{ name: local, url: "${upstream.url}", tools: auto, rules: [hermes], ${settings} }]`,
  );
  const program = startProgram(folder, ["serve", "--port", "0", ...args]);
  const url = await program.until(/http:\S+\/v1(?=\n)/);
  return {
    program,
    upstream,
    read: async (path: string) => await (await fetch(new URL(path, url))).json(),
    ask: async () => {
      const response = await askChat(url, {
        path: "/chat/completions",
        body: { tools: [{ type: "function", function: { name: "dig" } }] },
      });
      const { choices, error } = await response.json();
      return error?.message ?? choices[0].message.tool_calls?.[0].function.name;
    },
    async [Symbol.asyncDispose]() {
      program.interrupt();
      await program.end();
      await upstream[Symbol.asyncDispose]();
    },
  };
}

Deno.test("a server is recognized after the start, and what its parser lost is recovered from then on", async () => {
  await using served = await serve("dry_run: false");
  await served.program.until(/local answers: 1 model, llama\.cpp b10547-749f688fc\n/);
  const named = { server: "llama.cpp", version: "b10547-749f688fc" };
  const { upstreams: [state] } = await served.read("/health/ready");
  assert.deepEqual([state.name, state.server, state.version], ["local", named.server, named.version]);
  assert.deepEqual((await served.read("/_dragoman/status")).servers, [
    { upstream: "local", ...named, begins: "native" },
  ]);
  assert.deepEqual(served.upstream.requests.map(({ path }) => path), ["/v1/models", "/props"]);
  assert.equal(await served.ask(), "dig");
  await served.program.until(
    /Upstream "local" with the model "m" has calls or tools that the server's own parser can't read\. From now on, that parser is off/,
  );
  assert.equal(await served.ask(), "dig");
  assert.deepEqual((await served.read("/_dragoman/status")).learnedTools, [
    { upstream: "local", model: "m", dialect: "", reason: "unparsed" },
  ]);
  const chats = served.upstream.requests.filter(({ path }) => path.endsWith("completions"));
  assert.deepEqual(chats.map(({ body }) => JSON.parse(body).tool_choice), [undefined, "none", "none"]);
});

Deno.test("what an unknown server needed is in the log and in the status, and forgotten when it stops answering", async () => {
  const folder = await temporaryFolder();
  const upstream = startUpstream(({ path, body }) => {
    if (!path.endsWith("/chat/completions")) return { error: { status: 404, body: "{}" } };
    const { messages, tools } = JSON.parse(body);
    const wrong = messages.some(({ role }: { role: string }) => role === "developer")
      ? "1 validation error: Input should be 'system', 'user', 'assistant' or 'tool'"
      : tools?.length > 0
      ? "this model does not support tools"
      : undefined;
    return wrong === undefined
      ? { text: CALL }
      : { error: { status: 400, body: JSON.stringify({ error: { message: wrong } }) } };
  });
  await Deno.writeTextFile(
    join(folder, "dragoman.yaml"),
    `upstreams: [{ name: local, url: "${upstream.url}", rules: [hermes] }]`,
  );
  await using program = startProgram(folder, ["serve", "--port", "0"]);
  const url = await program.until(/http:\S+\/v1(?=\n)/);
  const ask = async () => {
    const messages = [{ role: "developer", content: "Be brief." }, { role: "user", content: "Go." }];
    const body = { messages, tools: [{ type: "function", function: { name: "dig" } }] };
    const response = await askChat(url, { path: "/chat/completions", body });
    await response.body?.cancel();
    return response.status;
  };
  const ready = async () => {
    const { upstreams: [local] } = await (await fetch(new URL("/health/ready", url))).json();
    return local.learned;
  };
  const learned = async () => {
    const { learnedChanges, learnedTools } = await (await fetch(new URL("/_dragoman/status", url))).json();
    return [learnedChanges, learnedTools].map((all) =>
      all.map(({ upstream }: { upstream: string }) => upstream)
    );
  };
  assert.equal(await ask(), 200);
  assert.deepEqual(await learned(), [["local"], ["local"]]);
  assert.deepEqual(await ready(), [{
    model: "m",
    tools: "refused",
    changes: ["the role `developer` became `system`"],
  }]);
  await program.until(
    /"local" with the model "m" refused a request, and accepted it after a change: .*system/,
  );
  await upstream[Symbol.asyncDispose]();
  assert.equal(await ask(), 502);
  assert.deepEqual([await learned(), await ready()], [[[], []], undefined]);
});

/** More than one, where there can be. */
const WORKERS = Deno.build.os === "linux" ? ["--workers", "2"] : [];

Deno.test("a server that is raw mode from the first request is named so wherever it is named, and every worker knows it", async () => {
  await using served = await serve("dry_run: false", WORKERS, "{{ '<tool_call>' }}");
  await served.program.until(
    /llama\.cpp b10547-749f688fc, raw mode from the first request \(`tools: auto`\): 20 of 20 test answers arrive/,
  );
  const { upstreams: [state] } = await served.read("/health/ready");
  const { servers: [shown] } = await served.read("/_dragoman/status");
  assert.deepEqual([state.begins, shown.begins], ["raw", "raw"]);
  for (let count = 0; count < 6; count++) assert.equal(await served.ask(), "dig");
  const chats = served.upstream.requests.filter(({ path }) => path.endsWith("completions"));
  assert.deepEqual(chats.map(({ body }) => JSON.parse(body).tool_choice), Array(6).fill("none"));
});

Deno.test("a server that the configuration names is asked for its version and where answers begin, and one that is none for nothing", async () => {
  for (
    const [server, answered, asked] of [
      ["llama.cpp", "dig", ["/props", "/apply-template"]],
      ["none", JSON.parse(LOST).error.message, []],
    ]
  ) {
    await using served = await serve(`server: ${server}`);
    await served.program.until(/local answers: 1 model/);
    assert.equal(await served.ask(), answered);
    const paths = new Set(served.upstream.requests.map(({ path }) => path));
    assert.deepEqual([...paths].filter((path) => !path.startsWith("/v1/")), asked);
  }
});
