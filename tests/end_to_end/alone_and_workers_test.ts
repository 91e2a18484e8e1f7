/**
 * What may not pass doesn't, whether one process answers or several workers do: the program as a person starts it.
 *
 * @module
 */
import assert from "node:assert/strict";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { WORKERS } from "../support/process_stage.ts";
import { BEATS } from "../support/beats.ts";
import { startProgram } from "../support/program.ts";
import { connectRaw } from "../support/raw_client.ts";
import { type Arrived, type Script, startUpstream } from "../support/scripted_upstream.ts";
import { freePort } from "../support/server_process.ts";
import { temporaryFolder } from "../support/temporary_folder.ts";
import { parallelCalls, parallelDeltas, streamOf } from "../support/native_answers.ts";
import { TOOLS } from "../support/proxy.ts";
import { onRows, TOOL, WIRE_TABLE, type WireRow, withCallId } from "../support/wire_table.ts";

const KEY = "a-client-key-that-is-long";

/** A proxy with a client key in front of a server that shows itself after a while. */
function startFolder(limits = "") {
  const json = (value: unknown): Script => ({ error: { status: 200, body: JSON.stringify(value) } });
  return startBefore(({ path }) => {
    if (path === "/v1/models") return json({ data: [{ id: "m", owned_by: "llamacpp" }] });
    if (path === "/props") return json({ build_info: "b10547-1" });
    if (path.endsWith(".html")) {
      return { error: { status: 200, body: "<script>", headers: { refresh: "0" } } };
    }
    return { text: "hello" };
  }, { settings: "tools: raw", limits });
}

/** A proxy with a client key in front of a server. */
async function startBefore(
  script: (request: Arrived) => Script,
  { settings, limits }: { readonly settings: string; readonly limits: string },
) {
  const upstream = startUpstream(script);
  const folder = await temporaryFolder();
  await Deno.writeTextFile(
    join(folder, "dragoman.yaml"),
    `upstreams: [{ name: local, url: "${upstream.url}", ${settings} }]\nlisten: { key_env: CLIENT_KEY }\n${limits}`,
  );
  return { upstream, folder };
}

/** Asks on a connection of its own, so that the system chooses a worker. */
async function ask(url: string, path: string, init: RequestInit = {}): Promise<Response> {
  const client = Deno.createHttpClient({ poolMaxIdlePerHost: 0 });
  const headers = { authorization: `Bearer ${KEY}`, ...init.headers as Record<string, string> };
  const response = await fetch(url + path, { ...init, headers, client });
  const text = await response.text();
  client.close();
  return new Response(text, { status: response.status, headers: response.headers });
}

const chat = JSON.stringify({
  model: "m",
  stream: true,
  messages: [{ role: "user", content: "word ".repeat(8000) }],
  tools: TOOLS,
});

const AGAIN = /call a tool, or answer the user|Now act on them/;

/** Text of a server that is too long for the prompt. */
const LONG = JSON.stringify({
  error: { message: "prompt (length 40123) is longer than the maximum model length of 32768" },
});

/** What a turn can die of → what the model answers to a request; it answers "Done." once the turn lives. */
const DEATHS: Readonly<Record<string, (body: string) => Script>> = {
  silence: () => ({ text: "Done.", delayMs: 500 }),
  empty: (body) => ({ text: AGAIN.test(body) ? "Done." : "" }),
  thoughts: (body) => AGAIN.test(body) ? { text: "Done." } : { text: "", reasoning: "I see." },
  repeated: (body) =>
    AGAIN.test(body)
      ? { text: "Done." }
      : { text: "", reasoning: "Wait, I have to read it again. ".repeat(60) },
  loop: (body) => ({ text: body.includes("You have made this call 4 times") ? "Done." : "Again." }),
  long: () => ({ error: { status: 400, body: LONG } }),
  dropped(body) {
    if (body.includes('"role":"tool"')) return { text: body.includes("I have to look") ? "Done." : "Lost." };
    const deltas = parallelDeltas([{ name: TOOL.name, arguments: {} }]);
    const thoughts = { role: "assistant", reasoning_content: "I have to look" };
    const { body: whole } = parallelCalls([{ name: TOOL.name, arguments: {} }]);
    const withThoughts = whole.replace('"role":"assistant"', `$&,"reasoning_content":"I have to look"`);
    return { raw: { stream: streamOf([thoughts, ...deltas]), body: withThoughts } };
  },
};

const PAST = { name: TOOL.name, args: {}, result: "r" };

/** What is asked before, and how often the call was made. */
const ROUNDS: Readonly<Record<string, number>> = { loop: 4 };

/** How often each is asked, so that every worker is. */
const TIMES = 8;

for (const workers of WORKERS) {
  Deno.test(`with --workers ${workers}, no page, key, host or path passes, and raw is raw from the start`, async () => {
    const { upstream, folder } = await startFolder();
    await using _upstream = upstream;
    const port = freePort();
    const url = `http://127.0.0.1:${port}`;
    const args = ["serve", "--workers", `${workers}`, "--port", `${port}`];
    const program = startProgram(folder, args, [], { CLIENT_KEY: KEY });
    try {
      await program.until(/is ready/);
      for (let count = 0; count < TIMES; count++) {
        assert.match(
          await (await ask(url, "/v1/chat/completions", { method: "POST", body: chat })).text(),
          /hel/,
        );
        const page = await ask(url, "/v1/evil.html");
        assert.equal(page.headers.get("content-security-policy"), "sandbox; default-src 'none'");
        assert.equal(page.headers.get("refresh"), null);
        using raw = await connectRaw(url);
        raw.send(
          `GET /v1/a HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${KEY}\r\nsec-fetch-dest: iframe\r\n\r\n`,
        );
        assert.match(await raw.until(/\r\n\r\n/), /^HTTP\/1\.1 403/);
        using user = await connectRaw(url);
        user.send("GET /v1/a HTTP/1.1\r\nhost: evil@127.0.0.1\r\n\r\n");
        assert.match(await user.until(/\r\n\r\n/), /^HTTP\/1\.1 400/);
        assert.equal((await ask(url, `/${KEY}/v1/models`)).status, 401);
        assert.equal((await ask(url, "/v1/..;/admin")).status, 404);
      }
    } finally {
      program.interrupt();
      const { code, stdout, stderr } = await program.end();
      assert.equal(code, 0, stderr);
      assert.doesNotMatch(stdout + stderr, new RegExp(KEY));
      assert.match(stdout, /\[redacted\]/);
    }
    const chats = upstream.requests.filter(({ path }) => path.includes("completions"));
    assert.deepEqual(chats.map(({ body }) => JSON.parse(body).tool_choice), Array(TIMES).fill("none"));
    assert.deepEqual(upstream.requests.filter(({ path }) => /admin|client-key|evil@|\/a$/.test(path)), []);
  });

  Deno.test(`with --workers ${workers}, no turn dies, on every wire, streamed and whole`, async () => {
    const { upstream, folder } = await startBefore(({ path, body }) => {
      const kind = /kind-(\w+)/.exec(body)?.[1];
      return path.endsWith("/chat/completions") ? DEATHS[kind ?? "empty"]!(body) : { text: "" };
    }, {
      settings: "server: vllm, tools: native, model_names: { m: deepseek-v4 }",
      limits: "limits: { keep_alive_ms: 150 }\n",
    });
    await using _upstream = upstream;
    const port = freePort();
    const url = `http://127.0.0.1:${port}`;
    const args = ["serve", "--workers", `${workers}`, "--port", `${port}`];
    const program = startProgram(folder, args, [], { CLIENT_KEY: KEY });
    const send = async (row: WireRow, task: string, count: number) => {
      const past = Array.from({ length: count }, () => PAST);
      const { path, body } = row.request({ task, tool: TOOL, past });
      const sent = JSON.stringify(count === 1 ? withCallId(body, "call_parallel_0") : body);
      const headers = { "content-type": "application/json" };
      const response = await ask(url, path, { method: "POST", headers, body: sent });
      return { status: response.status, text: await response.text(), isBroken: false };
    };
    try {
      await program.until(/is ready/);
      for (const kind of Object.keys(DEATHS)) {
        await onRows(WIRE_TABLE, async (row) => {
          const task = `kind-${kind} ${row.name}`;
          if (kind === "dropped") await send(row, task, 0);
          const raw = await send(row, task, kind === "dropped" ? 1 : ROUNDS[kind] ?? 0);
          const got = row.read(raw);
          if (kind === "long") {
            assert.match(got.error ?? "", /^prompt is too long: 40123|exceeds the maximum/);
          } else assert.deepEqual([got.end, got.text], ["whole", "Done."], kind);
          if (kind === "silence" && row.isStreamed) assert.match(raw.text, BEATS[row.wire]!, "a beat");
          const asked = upstream.requests.filter(({ body }) => body.includes(`"${task}"`)).length;
          const isTwice = ["empty", "thoughts", "repeated", "dropped"].includes(kind);
          assert.equal(asked, isTwice ? 2 : 1, kind);
        });
      }
    } finally {
      program.interrupt();
      await program.end();
    }
  });

  Deno.test(`with --workers ${workers}, no coding or framing of a body passes the limit of tokens`, async () => {
    for (const coding of ["identity", "gzip"]) {
      const { upstream, folder } = await startFolder("limits: { per_key: { tokens_per_minute: 1000 } }\n");
      await using _upstream = upstream;
      const port = freePort();
      const url = `http://127.0.0.1:${port}`;
      const args = ["serve", "--workers", `${workers}`, "--port", `${port}`];
      const program = startProgram(folder, args, [], { CLIENT_KEY: KEY });
      try {
        await program.until(/is ready/);
        const statuses: number[] = [];
        for (let count = 0; count < TIMES; count++) {
          const bytes = new TextEncoder().encode(JSON.stringify({ input: "word ".repeat(8000) }));
          const body = new Blob([coding === "gzip" ? new Uint8Array(gzipSync(bytes)) : bytes]).stream();
          const init = { method: "POST", body, headers: { "content-encoding": coding } };
          statuses.push((await ask(url, "/v1/embeddings", init)).status);
          await new Promise((resolve) => setTimeout(resolve, 50));
        }
        assert.deepEqual(statuses, [200, ...Array(TIMES - 1).fill(429)], coding);
      } finally {
        program.interrupt();
        await program.end();
      }
    }
  });
}
