/**
 * Traces as a person gets them: the real program with Deno's own exporter, which prints to the standard error.
 *
 * @module
 */
import assert from "node:assert/strict";
import { askChat } from "../support/proxy.ts";

const MAIN = new URL("../../main.ts", import.meta.url).pathname;

const TOOLS = [{
  type: "function",
  function: {
    name: "read_file",
    parameters: { type: "object", properties: { path: { type: "string" } }, required: ["path"] },
  },
}];

Deno.test({
  name: "serve gives Deno's exporter a span with rule, tool and decision",
  ignore: Deno.build.os === "windows",
  async fn() {
    const program = new Deno.Command(Deno.execPath(), {
      args: ["run", "--frozen", "--allow-net", "--allow-read", "--allow-env", MAIN, "serve", "--port", "0"],
      env: { OTEL_DENO: "true", OTEL_EXPORTER_OTLP_PROTOCOL: "console", NO_COLOR: "1" },
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
    await (await askChat(origin, { body: { model: "sample-qwen-xml", tools: TOOLS }, headers })).text();
    await (await askChat(origin, { body: { model: "odd\u001b[2J\u009b\u202e\r", tools: TOOLS }, headers }))
      .text();
    program.kill("SIGINT");
    while ((await reader.read()).value !== undefined);
    assert.equal((await program.status).code, 0);
    const traces = await stderr;
    for (
      const line of [
        "SPAN dragoman.answer",
        "dragoman.rule: qwen_xml",
        "dragoman.tool: read_file",
        "dragoman.decision: transformed",
        "dragoman.model: odd\\u001b[2J\\u009b\\u202e\\u000d",
      ]
    ) assert.ok(traces.includes(line), `${line} is not in ${traces}`);
    assert.ok(!traces.includes("secret-bearer-0001"));
  },
});
