/**
 * Errors that no one catches: the server stays, names the plugin that they come from, and counts them.
 *
 * @module
 */
import assert from "node:assert/strict";
import { createServer, type Socket } from "node:net";
import { join } from "node:path";
import { WORKERS } from "../support/process_stage.ts";
import { startProgram } from "../support/program.ts";
import { freePort } from "../support/server_process.ts";
import { startUpstream } from "../support/scripted_upstream.ts";
import { temporaryFolder } from "../support/temporary_folder.ts";
import { askChat } from "../support/proxy.ts";
import { testTogether } from "../support/together.ts";

/** A plugin that fails where nothing can catch it, in the way that the request's text names. */
const STRAY = `import { fail } from "./stray_part.ts";
const ways = {
  rejected: () => void Promise.reject(new Error("stray rejection")),
  text: () => void Promise.reject("a stray text"),
  nothing: () => void Promise.reject(),
  timer: () => void setTimeout(() => { throw new TypeError("stray timer"); }),
  async: () => void (async () => { await 1; throw new Error("stray async"); })(),
  microtask: () => queueMicrotask(() => { throw new Error("stray microtask"); }),
  part: () => void setTimeout(fail),
  evil: () => void Promise.reject(new Proxy({}, {
    get() { throw new Error("evil"); },
    getPrototypeOf() { throw new Error("evil"); },
  })),
  stack: () => void Promise.reject(Object.defineProperty(new Error("evil stack"), "stack", { get() { throw 1; } })),
};
export default {
  name: "stray",
  onRequest(request) {
    for (const [name, run] of Object.entries(ways)) {
      if (JSON.stringify(request.messages).includes("way " + name)) run();
    }
  },
};`;
/** A plugin whose top level never finishes. */
const NEVER = 'await new Promise(() => {});\nexport default { name: "never", onCall() {} };\n';
const PART = `export function fail() { throw new RangeError("stray part"); }`;
const WAYS: Readonly<Record<string, RegExp>> = {
  rejected: /unhandled_error: plugin stray: Error at stray\.ts:3: stray rejection/,
  timer: /unhandled_error: plugin stray: TypeError at stray\.ts:6: stray timer/,
  async: /unhandled_error: plugin stray: Error at stray\.ts:7: stray async/,
  microtask: /unhandled_error: plugin stray: Error at stray\.ts:8: stray microtask/,
  part: /unhandled_error: plugin stray: RangeError at stray_part\.ts:1: stray part/,
  text: /unhandled_error: unknown: string/,
  nothing: /unhandled_error: unknown: undefined/,
  evil: /unhandled_error: unknown: /,
  stack: /unhandled_error: unknown: /,
};

const TOOLS = [{ type: "function", function: { name: "t", parameters: { type: "object" } } }];

async function ask(url: string, content: string): Promise<string> {
  const response = await askChat(url, { body: { messages: [{ role: "user", content }], tools: TOOLS } });
  return await response.text();
}

async function straysEndNothing(workers: number): Promise<void> {
  await using upstream = startUpstream({ text: "fine" });
  const folder = await temporaryFolder({ "stray.ts": STRAY, "stray_part.ts": PART, "never.ts": NEVER });
  const write = (more: string) =>
    Deno.writeTextFile(
      join(folder, "dragoman.yaml"),
      `upstreams: [{ name: local, url: "${upstream.url}" }]\n${more}`,
    );
  await write("plugins: [./stray.ts]\n");
  const port = freePort();
  const url = `http://127.0.0.1:${port}`;
  const program = startProgram(folder, ["serve", "--workers", `${workers}`, "--port", `${port}`]);
  try {
    await program.until(/is ready/);
    for (const [way, line] of Object.entries(WAYS)) {
      assert.match(await ask(url, `way ${way}`), /fine/, way);
      await program.until(line);
    }
    const metrics = await (await fetch(`${url}/metrics`)).text();
    assert.match(metrics, /dragoman_unhandled_errors_total\{source="plugin stray"\} 5/);
    assert.match(metrics, /dragoman_unhandled_errors_total\{source="unknown"\} 4/);
    assert.match(await ask(url, "still"), /fine/);
    await write("plugins: [./stray.ts, ./never.ts]\n");
    await program.until(/Cannot load plugin never\.ts: its top level did not finish within 5000 ms/);
    await program.until(/Not reloaded/);
    assert.match(await ask(url, "still there"), /fine/);
    await write("policy: { minimum_confidence: 1 }\n");
    await program.until(/Reloaded: /);
    assert.match(await ask(url, "and after it"), /fine/);
  } finally {
    program.interrupt();
    const { code, stderr } = await program.end();
    assert.equal(code, 0, stderr);
  }
}

/** A store that answers each command as told, and can send what no one asked for. */
async function startStore() {
  const sockets = new Set<Socket>();
  let isSilent = false;
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
    socket.on("error", () => {});
    socket.on("data", (bytes: Uint8Array) => {
      const text = new TextDecoder().decode(bytes);
      for (const [, name = ""] of text.matchAll(/\*\d+\r\n\$\d+\r\n(\w+)\r\n/g)) {
        const replies: Readonly<Record<string, string>> = {
          info: "$9\r\nloading:0\r\n",
          ping: "+PONG\r\n",
          evalsha: "*0\r\n",
          eval: "*0\r\n",
        };
        if (!isSilent) socket.write(replies[name.toLowerCase()] ?? "+OK\r\n");
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", () => resolve()));
  const address = server.address();
  return {
    port: typeof address === "object" ? address?.port ?? 0 : 0,
    silence: (isNow: boolean) => void (isSilent = isNow),
    say: (text: string) => sockets.forEach((socket) => socket.write(text)),
    close() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

async function strayRepliesEndNothing(): Promise<void> {
  const store = await startStore();
  await using upstream = startUpstream({ text: "fine" });
  const folder = await temporaryFolder();
  const config = `upstreams: [{ name: local, url: "${upstream.url}" }]\nplugins: [strict_validation]\n` +
    `store: { url: "valkey://127.0.0.1:${store.port}" }\n`;
  await Deno.writeTextFile(join(folder, "dragoman.yaml"), config);
  const port = freePort();
  const url = `http://127.0.0.1:${port}`;
  const program = startProgram(folder, ["serve", "--port", `${port}`]);
  const isUp = async () => /dragoman_store_up 1/.test(await (await fetch(`${url}/metrics`)).text());
  try {
    await program.until(/is ready/);
    assert.ok(await isUp());
    for (
      const reply of [
        "$-1\r\n",
        "*-1\r\n",
        ":1\r\n",
        "-ERR stray\r\n",
        "*1\r\n$-1\r\n",
        "nonsense\r\n",
        "\0\0",
      ]
    ) {
      store.say(reply);
      await new Promise((resolve) => setTimeout(resolve, 100));
      assert.match(await ask(url, "hi"), /fine/, reply);
      for (let left = 100; !await isUp(); left--) {
        assert.ok(left > 0, `the store stays away after ${JSON.stringify(reply)}`);
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
    }
    // What it never answers must not be answered by the replies to later calls.
    store.silence(true);
    assert.match(await ask(url, "hi"), /fine/);
    while (await isUp()) {
      await ask(url, "hi");
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    store.silence(false);
    for (let left = 100; !await isUp(); left--) {
      assert.ok(left > 0, "the store stays away after its silence");
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  } finally {
    program.interrupt();
    const { code, stderr } = await program.end();
    store.close();
    assert.equal(code, 0, stderr);
  }
}

testTogether(
  "what nothing catches ends nothing",
  Object.fromEntries([
    ["replies of a store that no one asked for, and the store is used again", strayRepliesEndNothing],
    ...WORKERS.map((workers) => [
      `a plugin's stray errors, and one whose top level never finishes, with ${workers} workers`,
      () => straysEndNothing(workers),
    ]),
  ]),
);
