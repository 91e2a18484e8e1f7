/**
 * `serve --workers 2` as a person starts it: one port, one memory, one log, one set of counters.
 *
 * @module
 */
import assert from "node:assert/strict";
import { join } from "node:path";
import { runCommandLine } from "../../src/cli/cli.ts";
import type { LiveDetail } from "../../src/admin/live/request.ts";
import { readLiveBatch } from "../support/live.ts";
import { freePort } from "../support/server_process.ts";
import { startProgram } from "../support/program.ts";
import { startUpstream } from "../support/scripted_upstream.ts";
import { createTestContext } from "../support/context.ts";
import { temporaryFolder } from "../support/temporary_folder.ts";

const PARAMETERS = { type: "object", properties: { n: { type: "integer" } } };
const TOOLS = [{ type: "function", function: { name: "count", parameters: PARAMETERS } }];
const WRONG = '<tool_call>\n{"name": "count", "arguments": {"n": "not a number"}}\n</tool_call>';

/** A plugin that ends its worker: what it throws reaches no one who could catch it. */
const CRASHING = `export default {
  name: "crashing",
  onRequest(request) {
    if (!JSON.stringify(request.messages).includes("crash")) return;
    globalThis.dispatchEvent = () => { throw new Error("boom"); };
    setTimeout(() => { throw new Error("boom"); });
  },
};`;

/** Asks on a connection of its own, so that the system chooses a worker. */
async function ask(url: string, content: string): Promise<string> {
  using client = Deno.createHttpClient({ poolMaxIdlePerHost: 0 });
  const response = await fetch(`${url}/v1/chat/completions`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ model: "m", stream: true, messages: [{ role: "user", content }], tools: TOOLS }),
    client,
  });
  return await response.text();
}

/** Refers to an item of one worker's answer, on both workers. */
async function referToItem(url: string): Promise<void> {
  const respond = async (input: unknown) => {
    using client = Deno.createHttpClient({ poolMaxIdlePerHost: 0 });
    const body = JSON.stringify({ model: "m", input });
    const response = await fetch(`${url}/v1/responses`, { method: "POST", body, client });
    const answer = await response.json();
    assert.equal(response.status, 200, JSON.stringify(answer));
    return answer;
  };
  const { output: [{ id }] } = await respond("Hi");
  for (let count = 0; count < 12; count++) {
    await respond([{ type: "item_reference", id }, { role: "user", content: "Hi" }]);
  }
}

async function until<T>(read: () => Promise<T>, isSo: (value: T) => boolean): Promise<T> {
  for (let attempt = 0; attempt < 1000; attempt++) {
    const value = await read().catch(() => undefined);
    if (value !== undefined && isSo(value)) return value;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error(`It never becomes so: ${await read()}`);
}

/** Everything about the latest request on the page. */
async function readLatest(url: string): Promise<LiveDetail> {
  const { requests } = await readLiveBatch(url);
  return await (await fetch(`${url}/_dragoman/live/${requests.at(-1)?.id}`)).json();
}

Deno.test({
  name:
    "two workers share a port, a memory, a log and counters, follow an edit, and are replaced if they fail",
  ignore: Deno.build.os !== "linux",
  async fn() {
    await using upstream = startUpstream({ text: WRONG });
    const folder = await temporaryFolder();
    const file = join(folder, "dragoman.yaml");
    const config = (more: string) =>
      Deno.writeTextFile(
        file,
        `upstreams: [{ name: local, url: "${upstream.url}" }]
plugins: [{ use: strict_validation, mode: observe }, ./crashing.ts]
${more}`,
      );
    await config("");
    await Deno.writeTextFile(join(folder, "crashing.ts"), CRASHING);
    const port = freePort();
    const url = `http://127.0.0.1:${port}`;
    const program = startProgram(folder, ["serve", "--workers", "2", "--port", `${port}`]);
    try {
      await program.until(/is ready/);
      const read = async (path: string) => await (await fetch(url + path)).text();
      for (let count = 0; count < 12; count++) assert.match(await ask(url, "strikes"), /"name":"count"/);
      const memory = await read("/_dragoman/sections/store");
      assert.match(memory, /"value": 12/);
      await until(() => read("/metrics"), (page) => /dragoman_requests_total\{[^}]*\} 12/.test(page));
      await referToItem(url);
      await config("policy: { minimum_confidence: 1 }\n");
      await program.until(/Reloaded: policy/);
      for (let count = 0; count < 6; count++) {
        await until(() => ask(url, "edited"), (answer) => answer.includes("<tool_call>"));
      }
      // What cannot start while the file has an error starts when it is fixed.
      await config("policy: { minimum_confidence: many }\n");
      await program.until(/minimum_confidence: many/);
      let haveFailed = false;
      const failed = program.until(/(?:A worker failed: .*boom[^]*){2}/).finally(() => haveFailed = true);
      while (!haveFailed) await ask(url, "crash").catch(() => {});
      await failed;
      await program.until(/A worker cannot start: /);
      await config("");
      for (let count = 0; count < 6; count++) {
        await until(() => ask(url, "again"), (answer) => answer.includes('"name":"count"'));
      }
      // The page has the texts of both sides.
      await config("admin: { contents: true }\n");
      await program.until(/Reloaded: admin/);
      await until(
        async () => (await ask(url, "texts"), await readLatest(url)),
        ({ contents }) =>
          contents !== null && contents.before.length > 0 &&
          contents.after.some(({ tool }) => tool === "count"),
      );
    } finally {
      program.interrupt();
      const { code, stderr } = await program.end();
      assert.equal(code, 0, stderr);
    }
  },
});

Deno.test({
  name: "of several servers with workers that start at once, one gets the port",
  ignore: Deno.build.os !== "linux",
  async fn() {
    const folder = await temporaryFolder();
    const port = freePort();
    const words = ["serve", "--workers", "2", "--port", `${port}`];
    const programs = [1, 2].map(() => startProgram(folder, words));
    try {
      const starts = await Promise.all(programs.map((program) => program.until(/is ready|cannot_listen/)));
      assert.deepEqual(starts.toSorted(), ["cannot_listen", "is ready"]);
      const losers = programs.filter((_, index) => starts[index] === "cannot_listen");
      for (const { code, stderr } of await Promise.all(losers.map((program) => program.end()))) {
        assert.equal(code, 1);
        assert.match(stderr, new RegExp(`127\\.0\\.0\\.1:${port}: another program`));
      }
      // Whoever has the port keeps it while its workers run, also from a server without workers.
      const { code, stderr } = await startProgram(folder, ["serve", "--port", `${port}`]).end();
      assert.deepEqual([code, /cannot_listen/.test(stderr)], [1, true], stderr);
      const winner = programs[starts.indexOf("is ready")]!;
      winner.interrupt();
      assert.equal((await winner.end()).code, 0);
      const next = startProgram(folder, words);
      await next.until(/is ready/);
      next.interrupt();
      assert.equal((await next.end()).code, 0);
    } finally {
      for (const program of programs) program.kill();
    }
  },
});

Deno.test("--workers takes a number or auto", async () => {
  for (const value of ["0", "1.5", "many", "65"]) {
    const context = createTestContext();
    assert.equal(await runCommandLine(["serve", "--workers", value, "--port", "0"], context), 2, value);
    assert.match(context.printed.stderr, /--workers/);
  }
});

Deno.test({
  name: "a person's yes lets a call pass once, whichever worker has the question and the answer",
  ignore: Deno.build.os !== "linux",
  async fn() {
    const call = '<tool_call>\n{"name": "run", "arguments": {"command": "rm -rf build"}}\n</tool_call>';
    await using upstream = startUpstream({ text: call });
    const folder = await temporaryFolder();
    await Deno.writeTextFile(
      join(folder, "dragoman.yaml"),
      `upstreams: [{ name: local, url: "${upstream.url}" }]\nplugins: [{ use: call_policy, ask: ["run: rm *"] }]\n`,
    );
    const port = freePort();
    const program = startProgram(folder, ["serve", "--workers", "2", "--port", `${port}`]);
    try {
      await program.until(/is ready/);
      const talk = async (messages: unknown[]) => {
        using client = Deno.createHttpClient({ poolMaxIdlePerHost: 0 });
        const tools = ["run", "ask_followup_question"].map((name) => ({
          type: "function",
          function: { name },
        }));
        const response = await fetch(`http://127.0.0.1:${port}/v1/chat/completions`, {
          method: "POST",
          headers: { "content-type": "application/json" },
          body: JSON.stringify({ model: "m", messages, tools }),
          client,
        });
        return (await response.json()).choices[0].message;
      };
      for (const content of ["one", "two", "three", "four"]) {
        const task = { role: "user", content };
        const question = await talk([task]);
        const [{ id, function: { name } }] = question.tool_calls;
        assert.equal(name, "ask_followup_question");
        const answered = [task, question, { role: "tool", tool_call_id: id, content: "Yes, run it" }];
        const answers = await Promise.all(Array.from({ length: 4 }, () => talk(answered)));
        const names = answers.map(({ tool_calls: [call] }) => call.function.name);
        assert.deepEqual(names.sort(), [...Array(3).fill("ask_followup_question"), "run"]);
      }
    } finally {
      program.interrupt();
      await program.end();
    }
  },
});
