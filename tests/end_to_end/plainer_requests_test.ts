/**
 * Servers that no one described, and that check requests against a schema of their own: a request that is refused because of
 * its form goes once more in a plainer one, what was needed is learned, and a refusal that stays is a 400.
 *
 * @module
 */
import assert from "node:assert/strict";
import { Servers } from "../../src/proxy/upstream/servers.ts";
import { readCall, readFile, result, user } from "../support/chat_messages.ts";
import { askChat } from "../support/proxy.ts";
import type { Arrived, Script } from "../support/scripted_upstream.ts";
import { askRow, onRows, WIRE_TABLE } from "../support/wire_table.ts";
import { startWireProxy } from "../support/wire_proxy.ts";

// deno-lint-ignore no-explicit-any
type Body = any;

const CALL = '<tool_call>\n{"name": "read_file", "arguments": {"path": "a.txt"}}\n</tool_call>';
const TOOL = readFile({ type: "object", properties: { path: { type: "string" } } });
const KNOWN = [
  "model",
  "messages",
  "tools",
  "tool_choice",
  "stream",
  "stream_options",
  "max_tokens",
  "temperature",
];

/** What a server with typed messages finds wrong, one thing after the other. */
function wrongIn(body: Body): string | undefined {
  for (const { role, content, tool_calls: calls } of body.messages) {
    if (!["system", "user", "assistant", "tool"].includes(role)) return `messages: role ${role}`;
    if (typeof content !== "string") return `messages: content of ${role}`;
    if (calls?.length === 0) return "messages: tool_calls";
  }
  if (body.tools?.some((tool: Body) => tool.function.parameters?.type !== "object")) {
    return "tools: parameters";
  }
  const field = Object.keys(body).find((name) => !KNOWN.includes(name));
  return field === undefined ? undefined : `unknown field ${field}`;
}

function refusal(status: number, message: string): Script {
  return {
    error: {
      status,
      body: JSON.stringify({ error: { message, type: "internal_server_error", param: null, code: null } }),
    },
  };
}

const strict = (status: number) => ({ path, body }: Arrived): Script => {
  if (!path.endsWith("/chat/completions")) return { text: "" };
  const wrong = wrongIn(JSON.parse(body));
  return wrong === undefined
    ? { text: CALL }
    : refusal(status, `1 validation error: ${wrong}: Input should be another`);
};

const PAST = [
  { role: "assistant", content: null, tool_calls: [readCall("call_1", '{"path":"b"}')] },
  { ...result("call_1"), content: [{ type: "text", text: "found" }] },
];

/** What requests have, and the changes that they need. */
const KINDS: Readonly<Record<string, { body: Body; learned: readonly string[] }>> = {
  "the role developer": {
    body: { messages: [{ role: "developer", content: "Be brief." }, user("Go.")] },
    learned: ["no_developer"],
  },
  "content that is null": {
    body: { messages: [user("Go."), PAST[0], result("call_1")] },
    learned: ["content_text"],
  },
  "a result in parts": {
    body: { messages: [user("Go."), { ...PAST[0], content: "" }, PAST[1]] },
    learned: ["text_parts"],
  },
  "a tool without parameters": {
    body: { messages: [user("Go.")], tools: [{ type: "function", function: { name: "read_file" } }] },
    learned: ["objects"],
  },
  "a field that it doesn't know": {
    body: { messages: [user("Go.")], store: false, prompt_cache_key: "k" },
    learned: ["only"],
  },
  "all of that": {
    body: {
      messages: [{ role: "developer", content: "Be brief." }, user([{ type: "text", text: "Go." }]), ...PAST],
      tools: [TOOL, { type: "function", function: { name: "list", parameters: {} } }],
      verbosity: "low",
    },
    learned: ["no_developer", "text_parts", "content_text", "objects", "only"],
  },
};

for (const [name, { body, learned }] of Object.entries(KINDS)) {
  for (const stream of [false, true]) {
    Deno.test(`${name}: a server that refuses it gets it plainer, ${stream ? "streamed" : "whole"}, and at once the next time`, async () => {
      for (const status of [400, 422, 500]) {
        await using pair = await startWireProxy(strict(status), { settings: { rules: ["hermes"] } });
        const request = { model: "m", tools: [TOOL], stream, ...body };
        let before = 0;
        for (const isFirst of [true, false]) {
          const got = await askChat(pair.origin, { body: request });
          const text = await got.text();
          assert.equal(got.status, 200, text);
          assert.match(text, /"name":\s*"read_file"/);
          const asked = pair.upstream.requests.length - before;
          before = pair.upstream.requests.length;
          assert(isFirst ? asked > 1 && asked <= 3 : asked === 1, `${status}: asked ${asked} times`);
        }
        const sent = JSON.parse(pair.upstream.requests.at(-1)!.body);
        assert.equal(wrongIn(sent), undefined);
        if (!learned.includes("only")) {
          assert.deepEqual(Object.keys(sent).sort(), Object.keys(request).sort());
        }
      }
    });
  }
}

Deno.test("every wire gets an answer from such a server", async () => {
  const tool = { name: "read_file", schema: { type: "object", properties: { path: { type: "string" } } } };
  const past = { name: "read_file", args: { path: "b" }, result: "found" };
  await onRows(WIRE_TABLE, async (row) => {
    await using pair = await startWireProxy(strict(500), { settings: { rules: ["hermes"] } });
    const got = await askRow(pair.origin, {
      row,
      question: { system: "Be brief.", task: "Go.", tool, past },
    });
    assert.deepEqual(got.calls, [["read_file", { path: "a.txt" }]], `${row.name}: ${got.error}`);
  });
});

Deno.test("a refusal that stays is the first one, and a 400", async () => {
  for (const stream of [false, true]) {
    const script = ({ body }: Arrived) =>
      refusal(500, `1 validation error: ${JSON.parse(body).messages[0].role} is wrong`);
    await using pair = await startWireProxy(script);
    const body = {
      model: "m",
      stream,
      messages: [{ role: "developer", content: "A" }, user("Go.")],
      tools: [TOOL],
    };
    const got = await askChat(pair.origin, { body });
    assert.equal(got.status, 400);
    assert.match(await got.text(), /validation error: developer is wrong/);
  }
});

Deno.test("an error about something else isn't asked again in another form", async () => {
  const others: readonly [number, string][] = [[500, "CUDA out of memory"], [429, "too many"], [
    401,
    "no key",
  ]];
  for (const [status, message] of others) {
    await using pair = await startWireProxy(() => refusal(status, message));
    const body = { model: "m", messages: [{ role: "developer", content: "A" }, user("Go.")], tools: [TOOL] };
    const got = await askChat(pair.origin, { body });
    assert.deepEqual([got.status, pair.upstream.requests.length], [status, 1]);
    await got.body?.cancel();
  }
});

Deno.test("a server that lists one model is asked for it, unless the name is mapped or the key is off", async () => {
  for (
    const [settings, sent] of [[{}, "real"], [{ model_names: { haiku: "big" } }, "big"], [{
      one_model: false,
    }, "haiku"]] as const
  ) {
    await using pair = await startWireProxy({ text: "Fine." }, { settings });
    const servers = pair.service.servers ?? new Servers();
    servers.learn({
      upstream: "local",
      url: pair.upstream.url,
      server: "vllm",
      version: "0.32.0",
      model: "real",
    });
    for (const model of ["haiku", "real"]) {
      await (await askChat(pair.origin, { body: { model, messages: [user("Hi.")] } })).body?.cancel();
      assert.equal(JSON.parse(pair.upstream.requests.at(-1)!.body).model, model === "real" ? model : sent);
    }
  }
});

Deno.test("a prompt that is too long is an error in words that agents know", async () => {
  await using pair = await startWireProxy(() => refusal(500, "index out of range in self"), {
    settings: { server: "transformers" },
  });
  const got = await askChat(pair.origin, { body: { model: "m", messages: [user("Hi.")], tools: [TOOL] } });
  const { error } = await got.json();
  assert.deepEqual([got.status, error.code], [400, "context_length_exceeded"]);
  assert.match(error.message, /maximum context length/);
});

Deno.test("an error without a reason is a prompt that is too long, or a model of which the server states why it can't load it", async () => {
  for (const stream of [false, true]) {
    let fails = true;
    let loads = '{"status": "error", "message": "m is no folder"}';
    const script = ({ path, body }: Arrived): Script => {
      if (path.endsWith("/load_model")) {
        return { error: { status: 200, body: `data: {"status": "loading"}\n\ndata: ${loads}\n\n` } };
      }
      if (!path.endsWith("/chat/completions") || !fails) return { text: "Fine." };
      const isLong = body.length > 16_000;
      const role = { index: 0, delta: { role: "assistant" } };
      const begun = `data: ${
        JSON.stringify({ choices: [role] })
      }\n\ndata: {"error": "index out of range in self"}\n\n`;
      // A stream fails after the role if the prompt is too long, and at once if the model is unknown.
      if (isLong && JSON.parse(body).stream === true) return { raw: { stream: begun, body: "" } };
      return {
        error: { status: 500, body: "Internal Server Error", headers: { "content-type": "text/plain" } },
      };
    };
    await using pair = await startWireProxy(script, { settings: { server: "transformers" } });
    const ask = async (content: string) => {
      const got = await askChat(pair.origin, { body: { model: "m", stream, messages: [user(content)] } });
      const text = await got.text();
      const { code = "", message = "" } = got.status < 500 && !got.ok ? JSON.parse(text).error : {};
      if (got.status === 404) assert.match(message, /can't load the model "m": m is no folder/);
      return [got.status, code];
    };
    assert.deepEqual(await ask("Hi."), [404, "model_not_found"]);
    loads = '{"status": "ready"}';
    assert.equal((await ask("Hi."))[0], 500, "no words of the server are about the model");
    assert.deepEqual(await ask("word ".repeat(4000)), [400, "context_length_exceeded"]);
    fails = false;
    assert.deepEqual(await ask("Hi."), [200, ""]);
    fails = true;
    assert.equal((await ask("Hi."))[0], 500, "the model has answered before");
    assert.deepEqual(await ask("word ".repeat(4000)), [400, "context_length_exceeded"]);
  }
});

Deno.test("a server whose templates fail at calls in the conversation gets them in the prompt with tools: auto", async () => {
  for (const stream of [false, true]) {
    await using pair = await startWireProxy({ text: CALL }, {
      settings: { server: "llama-cpp-python", dialect: "hermes" },
    });
    const body = { model: "m", stream, messages: [user("Go."), ...PAST], tools: [TOOL] };
    const got = await askChat(pair.origin, { body });
    assert.match(await got.text(), /"name":\s*"read_file"/);
    const sent = JSON.parse(pair.upstream.requests.at(-1)!.body);
    assert.equal(sent.tools, undefined);
    assert(
      sent.messages.every((message: Body) => message.tool_calls === undefined && message.role !== "tool"),
    );
  }
});

/** A server that takes tools, but no calls in the conversation, and states no reason that is known. */
const refusesCalls = (how: (isStreamed: boolean) => Script) => ({ path, body }: Arrived): Script => {
  if (!path.endsWith("/chat/completions")) return { text: "" };
  const { messages, stream } = JSON.parse(body);
  const hasCalls = messages.some((message: Body) => message.tool_calls || message.role === "tool");
  return hasCalls ? how(stream === true) : { text: CALL };
};

const MAPPING = "Can only get item pairs from a mapping.";

const ERROR = `{"error":{"message":"${MAPPING}"}}`;

/** How such a refusal arrives. */
const HOWS: Readonly<Record<string, (isStreamed: boolean) => Script>> = {
  "a 400": () => refusal(400, "something is wrong"),
  "a 500 of its template": () => refusal(500, MAPPING),
  "a stream that ends at once": (isStreamed) =>
    isStreamed ? { raw: { stream: "", body: "" } } : refusal(500, MAPPING),
  "a stream that only ends": (isStreamed) =>
    isStreamed ? { raw: { stream: ": ping\n\ndata: [DONE]\n\n", body: "" } } : refusal(400, "wrong"),
  "a stream that begins with an error": (isStreamed) =>
    isStreamed ? { raw: { stream: `data: ${ERROR}\n\n`, body: "" } } : refusal(500, MAPPING),
};

for (const [name, how] of Object.entries(HOWS)) {
  Deno.test(`calls in the conversation that are refused by ${name} go into the prompt, and at once the next time`, async () => {
    for (const stream of [false, true]) {
      const settings = { rules: ["hermes"] };
      await using pair = await startWireProxy(refusesCalls(how), { settings });
      const ask = async (messages: Body) => {
        const before = pair.upstream.requests.length;
        const got = await askChat(pair.origin, { body: { model: "m", stream, messages, tools: [TOOL] } });
        const text = await got.text();
        assert.equal(got.status, 200, text);
        assert.match(text, /"name":\s*"read_file"/);
        const asked = pair.upstream.requests.slice(before).map(({ body }) => JSON.parse(body));
        return asked.map(({ tools }) => tools === undefined ? "prompted" : "native");
      };
      assert.deepEqual(await ask([user("Go.")]), ["native"]);
      const conversation = [user("Go."), PAST[0], result("call_1")];
      const first = await ask(conversation);
      assert.equal(first.at(-1), "prompted", name);
      assert.deepEqual(await ask(conversation), ["prompted"]);
      pair.service.servers?.lose("local");
    }
  });
}

Deno.test("a stream that ends before its answer is the whole answer, as a stream, or the error that the server then states", async () => {
  for (const isAnswered of [true, false]) {
    const script = ({ path, body }: Arrived): Script =>
      !path.endsWith("/chat/completions")
        ? { text: "" }
        : JSON.parse(body).stream === true
        ? { raw: { stream: "", body: "" } }
        : isAnswered
        ? { text: CALL }
        : refusal(400, "This model's maximum context length is 32 tokens");
    await onRows(WIRE_TABLE, async (row) => {
      await using pair = await startWireProxy(script, { settings: { rules: ["hermes"] } });
      const tool = {
        name: "read_file",
        schema: { type: "object", properties: { path: { type: "string" } } },
      };
      const got = await askRow(pair.origin, { row, question: { task: "Go.", tool } });
      if (isAnswered) assert.deepEqual(got.calls, [["read_file", { path: "a.txt" }]], row.name);
      else assert.match(String(got.error), /maximum context length/, row.name);
    });
  }
});

Deno.test("a tool that isn't offered is chosen in vain: the first refusal stays", async () => {
  await using pair = await startWireProxy(() => refusal(400, "no such tool"), {
    settings: { rules: ["hermes"] },
  });
  const choice = { type: "function", function: { name: "launch" } };
  const body = { model: "m", messages: [user("Go.")], tools: [TOOL], tool_choice: choice };
  const got = await askChat(pair.origin, { body });
  assert.deepEqual([got.status, pair.upstream.requests.length], [400, 1]);
  await got.body?.cancel();
});
