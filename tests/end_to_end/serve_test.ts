/**
 * The program as a person runs it: the real binary with main.ts, its output, its signals, its files.
 *
 * @module
 */
import assert from "node:assert/strict";
import { join } from "node:path";
import { startProgram } from "../support/program.ts";
import { temporaryFolder } from "../support/temporary_folder.ts";
import { askChat } from "../support/proxy.ts";

/** A rule for a dialect that no model has. */
const RULE = `rule: mine
pattern: '\\[\\[do {tool}: (?<body>…)\\]\\]'
body: json
confidence: 0.95
`;

/** A model server that prints one text, then waits for `release` before it ends its stream. */
function startModel(text: string, release: Promise<void> = Promise.resolve()) {
  const chunk = (delta: unknown, reason: string | null) =>
    `data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason: reason }] })}\n\n`;
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, () => {
    const body = new ReadableStream<string>({
      async start(controller) {
        controller.enqueue(chunk({ role: "assistant", content: text }, null));
        await release;
        controller.enqueue(chunk({}, "stop") + "data: [DONE]\n\n");
        controller.close();
      },
    });
    return new Response(body.pipeThrough(new TextEncoderStream()), {
      headers: { "content-type": "text/event-stream" },
    });
  });
  return { url: `http://127.0.0.1:${server.addr.port}/v1`, stop: () => server.shutdown() };
}

function ask(origin: string): Promise<Response> {
  const tools = [{ type: "function", function: { name: "dig" } }];
  return askChat(origin, { path: "/chat/completions", body: { stream: true, tools } });
}

Deno.test("serve applies a copied rule without a restart, and keeps it when a bad edit follows", async () => {
  const folder = await temporaryFolder();
  const model = startModel('Now [[do dig: {"depth": 3}]]');
  const program = startProgram(folder, ["serve", "--port", "0", "--upstream", model.url, "--verbose"]);
  const origin = await program.until(/http:\S+\/v1(?=\n)/);
  try {
    assert.ok((await (await ask(origin)).text()).includes("[[do dig"), "without the rule it is text");

    await Deno.mkdir(join(folder, "rules"));
    await Deno.writeTextFile(join(folder, "rules", "mine.yaml"), RULE);
    await program.until(/Reloaded: rule mine added/);
    assert.ok((await (await ask(origin)).text()).includes('"name":"dig"'));
    await program.until(/\d\d:\d\d:\d\d {2}openai +mine +dig +transformed\n/);

    await Deno.writeTextFile(join(folder, "rules", "mine.yaml"), RULE.replace("body:", "boddy:"));
    await program.until(/Not reloaded \(\d+ error/);
    assert.ok((await (await ask(origin)).text()).includes('"name":"dig"'), "the old rule keeps running");
  } finally {
    program.interrupt();
    const { code, stderr } = await program.end();
    await model.stop();
    assert.equal(code, 0);
    assert.ok(stderr.includes("rules/mine.yaml:3:1") && stderr.includes("did you mean `body`?"), stderr);
  }
});

Deno.test({
  name: "serve lets a running stream end after SIGINT and ends with 0",
  ignore: Deno.build.os === "windows",
  async fn() {
    const folder = await temporaryFolder();
    const release = Promise.withResolvers<void>();
    const model = startModel("Hello", release.promise);
    const program = startProgram(folder, ["--port", "0", "-u", model.url]);
    const origin = await program.until(/http:\S+\/v1(?=\n)/);
    const reader = (await ask(origin)).body?.pipeThrough(new TextDecoderStream()).getReader();
    assert.ok((await reader?.read())?.value?.includes("Hello"));
    program.interrupt();
    await program.until(/Stopping/);
    release.resolve();
    let rest = "";
    for (let next = await reader?.read(); next?.value !== undefined; next = await reader?.read()) {
      rest += next.value;
    }
    assert.ok(rest.endsWith("data: [DONE]\n\n"), rest);
    assert.equal((await program.end()).code, 0);
    await model.stop();
  },
});

Deno.test("serve says that its port is taken and ends with 1", async () => {
  const folder = await temporaryFolder();
  const other = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const { code, stdout, stderr } = await startProgram(folder, ["serve", "-p", String(other.addr.port)])
    .end();
  other.close();
  assert.deepEqual([code, stdout], [1, ""]);
  assert.match(stderr, /^error\[cannot_listen\]: Cannot listen on 127\.0\.0\.1:\d+: another program/);
  assert.match(stderr, /= help: Stop it, or choose another port: `--port \d+`/);
});

Deno.test("the program ends with 2 on a wrong command line", async () => {
  const folder = await temporaryFolder();
  const { code, stderr } = await startProgram(folder, ["--prot", "1"]).end();
  assert.equal(code, 2);
  assert.ok(stderr.includes("did you mean `--port`?"), stderr);
});
