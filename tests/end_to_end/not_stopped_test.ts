/**
 * What `threats.md` states as not stopped, tried on one server: a statement that isn't so any more has to leave the page.
 *
 * @module
 */
import assert from "node:assert/strict";
import { join } from "node:path";
import { startProgram } from "../support/program.ts";
import { askChat } from "../support/proxy.ts";
import { type Script, startUpstream } from "../support/scripted_upstream.ts";
import { freePort } from "../support/server_process.ts";
import { temporaryFolder } from "../support/temporary_folder.ts";

const [KEY, OTHER_KEY] = ["a".repeat(32), "b".repeat(32)];

/** A plugin that reads what it can, remembers outside the store, and changes what all code uses. */
const WIDE = `let count = 0;
export default {
  name: "wide",
  onRequest(body) {
    const { messages } = body;
    const text = JSON.stringify(messages);
    if (text.includes("break all")) globalThis.Response = undefined;
    const seen = Deno.readTextFileSync("secret.txt") + Deno.env.get("A_KEY") + " " + ++count;
    return text.includes("look") ? { body: { ...body, messages: [...messages, { role: "user", content: seen }] } } : undefined;
  },
};`;

const call = (name: string, args: unknown) =>
  `<tool_call>\n${JSON.stringify({ name, arguments: args })}\n</tool_call>`;

const TOOLS = [{
  type: "function",
  function: { name: "run", parameters: { type: "object", properties: { command: { type: "string" } } } },
}];

interface World {
  readonly url: string;
  readonly folder: string;
  readonly requests: readonly {
    readonly body: string;
    readonly headers: Headers;
    readonly left: Promise<void>;
  }[];
  play(script: Script): void;
  ask(
    content: string,
    more?: { readonly headers?: Record<string, string>; readonly stream?: boolean },
  ): Promise<Response>;
}

/** Sentence → what shows that it is so. In order: the last one breaks the server. */
const CASES: Readonly<Record<string, (world: World) => Promise<void>>> = {
  async "a harmful call of an offered tool"({ play, ask }) {
    play({ text: call("run", { command: "rm -rf /" }) });
    assert.match(await (await ask("Hi")).text(), /rm -rf \//);
  },
  async "a call in prose without a mark of a quotation"({ play, ask }) {
    play({ text: `One could run this:\n${call("run", { command: "ls" })}` });
    assert.match(await (await ask("Hi")).text(), /"tool_calls":\[/);
  },
  async "a native call of a tool that isn't offered"({ play, ask }) {
    const made = { id: "c", type: "function", function: { name: "other", arguments: "{}" } };
    const body = JSON.stringify({
      choices: [{
        index: 0,
        message: { role: "assistant", content: null, tool_calls: [made] },
        finish_reason: "tool_calls",
      }],
    });
    play({ raw: { stream: "", body } });
    assert.match(await (await ask("Hi")).text(), /"name":"other"/);
  },
  async "a plugin reads files and variables, and remembers"({ play, ask, requests }) {
    play({ text: "fine" });
    const seen = async () => {
      await (await ask("look")).text();
      return /secret-in-file(a+) (\d+)/.exec(requests.at(-1)!.body) ?? [];
    };
    const [first, second] = [await seen(), await seen()];
    assert.equal(first[1], KEY);
    assert.equal(Number(second[2]), Number(first[2]) + 1);
  },
  async "the upstream sees messages, tools and cookies"({ play, ask, requests }) {
    play({ text: "fine" });
    await (await ask("private", { headers: { cookie: "c=1" } })).text();
    const { body, headers } = requests.at(-1)!;
    assert.match(body, /private[^]*"run"/);
    assert.equal(headers.get("cookie"), "c=1");
  },
  async "headers such as Set-Cookie pass to the client"({ play, ask }) {
    play({ error: { status: 400, body: "{}", headers: { "set-cookie": "s=1" } } });
    const response = await ask("Hi");
    await response.text();
    assert.equal(response.headers.get("set-cookie"), "s=1");
  },
  async "a stream that never pauses has no limit, and ends when the client leaves"({ play, ask, requests }) {
    play({ text: "x".repeat(10_000), isEndless: true, pieceLength: 10_000 });
    let length = 0;
    for await (const bytes of (await ask("Hi", { stream: true })).body!) {
      length += bytes.length;
      if (length > 6 * 1024 * 1024) break;
    }
    assert.ok(length > 6 * 1024 * 1024);
    await requests.at(-1)!.left;
  },
  async "no limit on requests at a time and a minute"({ play, ask }) {
    play({ text: "fine", delayMs: 200 });
    const answers = await Promise.all(Array.from({ length: 150 }, async () => {
      const response = await ask("Hi");
      await response.text();
      return response.status;
    }));
    assert.deepEqual(new Set(answers), new Set([200]));
  },
  async "other routes are streamed without a limit in bytes"({ url, ask, play }) {
    play({ text: "fine" });
    const long = "x".repeat(30_000);
    const refused = await ask(long);
    assert.equal(refused.status, 413, await refused.text());
    const headers = { authorization: `Bearer ${KEY}` };
    const passed = await fetch(`${url}/v1/files`, { method: "POST", headers, body: long });
    assert.deepEqual([passed.status, (await passed.text()).includes(long)], [200, true]);
  },
  async "a header that names another machine changes nothing"({ url }) {
    const headers = {
      authorization: `Bearer ${KEY}`,
      "x-forwarded-for": "203.0.113.9",
      forwarded: "for=203.0.113.9",
    };
    const response = await fetch(`${url}/metrics`, { headers });
    await response.text();
    assert.equal(response.status, 200);
  },
  async "every client key gives the same rights, and wrong guesses have no limit"({ play, ask }) {
    play({ text: "fine" });
    const statusWith = async (key: string) => {
      const response = await ask("Hi", { headers: { authorization: `Bearer ${key}` } });
      await response.text();
      return response.status;
    };
    for (let guess = 0; guess < 50; guess++) assert.equal(await statusWith(`guess ${guess}`), 401);
    assert.deepEqual([await statusWith(KEY), await statusWith(OTHER_KEY)], [200, 200]);
  },
  async "it speaks without encryption"({ url }) {
    const { hostname, port } = new URL(url);
    const connection = await Deno.connect({ hostname, port: Number(port) });
    await connection.write(
      new TextEncoder().encode(`GET /health HTTP/1.1\r\nhost: ${hostname}\r\nconnection: close\r\n\r\n`),
    );
    assert.match(await new Response(connection.readable).text(), /^HTTP\/1.1 200 /);
  },
  async "it asks nothing but the upstream, through the proxy of the environment"({ requests }) {
    assert.deepEqual(new Set(requests.map(({ headers }) => headers.get("host"))), new Set(["model.invalid"]));
    return await Promise.resolve();
  },
  async "it writes nothing into its folder"({ folder }) {
    const names = (await Array.fromAsync(Deno.readDir(folder))).map(({ name }) => name);
    assert.deepEqual(names.sort(), ["dragoman.yaml", "secret.txt", "wide.ts"]);
  },
  async "a plugin changes what all code uses"({ play, ask }) {
    play({ text: "fine" });
    await ask("break all").then((response) => response.text(), () => {});
    const after = await ask("Hi").then((response) => response.text(), String);
    assert.doesNotMatch(after, /"content":"fine"/);
  },
};

Deno.test("what threats.md states as not stopped is so", async () => {
  let script: Script = {};
  await using upstream = startUpstream(() => script);
  const folder = await temporaryFolder({ "wide.ts": WIDE, "secret.txt": "secret-in-file" });
  await Deno.writeTextFile(
    join(folder, "dragoman.yaml"),
    `upstreams: [{ name: local, url: "http://model.invalid/v1" }]
plugins: [./wide.ts]
listen: { key_env: [A_KEY, OTHER_KEY] }
limits: { request_bytes_max: 20000 }
`,
  );
  const port = freePort();
  const url = `http://127.0.0.1:${port}`;
  // A host that doesn't exist is reached by the proxy only.
  const env = { A_KEY: KEY, OTHER_KEY, HTTP_PROXY: new URL(upstream.url).origin, NO_PROXY: "" };
  await using program = startProgram(folder, ["serve", "--port", `${port}`], [], env);
  await program.until(/is ready/);
  const ask: World["ask"] = (content, { headers = {}, stream = false } = {}) =>
    askChat(url, {
      body: { stream, tools: TOOLS, messages: [{ role: "user", content }] },
      headers: { authorization: `Bearer ${KEY}`, ...headers },
    });
  const world: World = { url, folder, requests: upstream.requests, play: (next) => script = next, ask };
  for (const [name, check] of Object.entries(CASES)) {
    await check(world).catch((cause) => {
      throw new Error(name, { cause });
    });
  }
  // What the last one did would also delay the end.
  program.kill();
});
