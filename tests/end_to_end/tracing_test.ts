/**
 * Traces as a person gets them: the real program with Deno's own exporter, and a receiver of OTLP.
 *
 * @module
 */
import assert from "node:assert/strict";
import { askChat } from "../support/proxy.ts";
import { functionTool } from "../support/chat_tools.ts";

const MAIN = new URL("../../main.ts", import.meta.url).pathname;

const TOOLS = [functionTool("read_file", { path: "string" }, { required: ["path"] })];

/** An attribute in OTLP's JSON. */
interface Attribute {
  readonly key: string;
  readonly value: Readonly<Record<string, unknown>>;
}

/** A span in OTLP's JSON. */
interface Span {
  readonly name: string;
  readonly attributes: readonly Attribute[];
  readonly events: readonly { readonly name: string; readonly attributes: readonly Attribute[] }[];
}

function valuesOf(attributes: readonly Attribute[]): Record<string, unknown> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));
}

/** Receives spans; `complete` resolves when there are this many of a name. */
function startReceiver(name: string, count: number) {
  const spans: Span[] = [];
  const bodies: string[] = [];
  const complete = Promise.withResolvers<void>();
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, async (request) => {
    const body = await request.text();
    bodies.push(body);
    if (new URL(request.url).pathname === "/v1/traces") {
      for (const { scopeSpans } of JSON.parse(body).resourceSpans) {
        for (const scope of scopeSpans) spans.push(...scope.spans);
      }
    }
    if (spans.filter((span) => span.name === name).length >= count) complete.resolve();
    return Response.json({});
  });
  return { url: `http://127.0.0.1:${server.addr.port}`, spans, bodies, complete: complete.promise, server };
}

Deno.test({
  name: "serve sends an OTLP receiver a span for each answer, with its decisions and attributes",
  ignore: Deno.build.os === "windows",
  async fn() {
    const receiver = startReceiver("dragoman.answer", 2);
    const program = new Deno.Command(Deno.execPath(), {
      args: ["run", "--frozen", "--allow-net", "--allow-read", "--allow-env", MAIN, "serve", "--port", "0"],
      // Not in the project's folder, where a person's dragoman.yaml may be.
      cwd: import.meta.dirname!,
      env: {
        OTEL_DENO: "true",
        OTEL_EXPORTER_OTLP_PROTOCOL: "http/json",
        OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
        OTEL_BSP_SCHEDULE_DELAY: "50",
        NO_COLOR: "1",
      },
      stdout: "piped",
      stderr: "piped",
    }).spawn();
    const stderr = new Response(program.stderr).text();
    let printed = "";
    const reader = program.stdout.pipeThrough(new TextDecoderStream()).getReader();
    while (!/http:\S+\/v1\n/.test(printed)) {
      const { value } = await reader.read();
      if (value === undefined) assert.fail(await stderr);
      printed += value;
    }
    const origin = /(http:\S+)\/v1\n/.exec(printed)?.[1] ?? "";
    const headers = { authorization: "Bearer secret-bearer-0001" };
    for (const model of ["sample-qwen-xml", "odd\u001b[2J\u009b\u202e\r"]) {
      await (await askChat(origin, { body: { model, tools: TOOLS }, headers })).text();
    }
    await receiver.complete;
    program.kill("SIGINT");
    while ((await reader.read()).value !== undefined);
    assert.equal((await program.status).code, 0, await stderr);
    await receiver.server.shutdown();

    const answers = receiver.spans.filter(({ name }) => name === "dragoman.answer");
    const [first, odd] = answers.map(({ attributes }) => valuesOf(attributes));
    const { "dragoman.request": id, "dragoman.conversation": conversation, ...rest } = first!;
    assert.match(`${id} ${conversation}`, /^\S+ [0-9a-f]{16}$/);
    const { "dragoman.duration_ms": duration, "dragoman.added_ms": added, ...fixed } = rest;
    assert.ok(Number(duration) > 0 && Number(added) > 0, `${duration} ${added}`);
    const decision = {
      "dragoman.rule": "qwen_xml",
      "dragoman.tool": "read_file",
      "dragoman.decision": "transformed",
    };
    assert.deepEqual(fixed, {
      "dragoman.client": "openai",
      "dragoman.model": "sample-qwen-xml",
      "dragoman.upstream": "sample",
      "dragoman.mode": "live",
      "http.response.status_code": 200,
      ...decision,
    });
    const [event] = answers[0]!.events;
    assert.deepEqual([event!.name, valuesOf(event!.attributes)], ["dragoman.decision", decision]);
    assert.equal(odd!["dragoman.model"], "odd\\u001b[2J\\u009b\\u202e\\u000d");
    assert.ok(!receiver.bodies.join().includes("secret-bearer-0001"));
  },
});
