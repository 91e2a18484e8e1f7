import assert from "node:assert/strict";
import { upstreamSchema } from "../../../src/proxy/config/schema.ts";
import type { ProbeResult } from "../../../src/proxy/upstream/probe.ts";
import { PROFILES } from "../../../src/proxy/upstream/profiles/profiles.ts";
import { bareUrl, learnedToolsLine, probeLine } from "../../../src/cli/service/upstream_lines.ts";

const DATE = new Date(2026, 4, 1, 9, 5, 7);
const upstream = upstreamSchema.parse({ name: "local", url: "http://me:secret@h/v1", key_env: "UP_KEY" });

Deno.test("probeLine shows whether an upstream answers, and warns without its password", () => {
  const table: [ProbeResult, RegExp][] = [
    [{ kind: "answers", models: 3 }, /^09:05:07 {2}local answers: 3 models\n$/],
    [{ kind: "answers", models: 1 }, /^09:05:07 {2}local answers: 1 model\n$/],
    [{ kind: "answers", models: undefined }, /^09:05:07 {2}local answers\n$/],
    [
      { kind: "refuses_key", status: 401 },
      /warning: local at http:\/\/h\/v1 .* the key in UP_KEY \(status 401\)/,
    ],
    [{ kind: "web_page", status: 200 }, /warning: .* a web page \(status 200\)/],
    [{ kind: "unavailable", status: 503 }, /warning: .* is not ready \(status 503\)/],
    [{ kind: "silent", cause: "refused\x1b" }, /warning: .* does not answer: refused\\u001b\. Requests fail/],
  ];
  for (const [result, expected] of table) {
    const { text, isWarning } = probeLine({ upstream, result }, DATE);
    assert.match(text, expected);
    assert.equal(isWarning, result.kind !== "answers");
    assert.ok(!text.includes("secret"), text);
  }
});

Deno.test("probeLine names the server, and warns if it can't be read raw", () => {
  const lineOf = (tools: string, server?: string, version?: string) => {
    const known = server === undefined ? undefined : { server, version, profile: PROFILES[server]! };
    const own = upstreamSchema.parse({ ...upstream, tools });
    return probeLine({ upstream: own, result: { kind: "answers", models: 1 }, server: known }, DATE);
  };
  assert.match(lineOf("raw", "vllm", "0.28.0").text, / {2}local answers: 1 model, vllm 0\.28\.0\n$/);
  assert.match(lineOf("auto", "tgi").text, / {2}local answers: 1 model, tgi\n$/);
  for (const server of ["tgi", undefined]) {
    const { text, isWarning } = lineOf("raw", server);
    assert.match(
      text,
      /warning: local answers: 1 model, .*which doesn't support `tools: raw`, so requests stay in native mode/,
    );
    assert.equal(isWarning, true);
  }
});

Deno.test("probeLine names the dialect that a server leaves alone, unless the configuration has one", () => {
  const lineOf = (server: string, settings: Record<string, unknown>) => {
    const known = { server, version: undefined, profile: PROFILES[server]! };
    const own = upstreamSchema.parse({ ...upstream, ...settings });
    return probeLine({ upstream: own, result: { kind: "answers", models: 1 }, server: known }, DATE).text;
  };
  const named = / tools are in the prompt in the dialect of rule "json_block"/;
  assert.match(lineOf("ollama", { tools: "prompted" }), named);
  for (const settings of [{ tools: "auto" }, { tools: "prompted", dialect: "hermes" }]) {
    assert.doesNotMatch(lineOf("ollama", settings), named);
  }
  assert.doesNotMatch(lineOf("tgi", { tools: "prompted" }), named);
});

Deno.test("probeLine states how requests begin and why, and warns if both routes of a server are closed", () => {
  const lineOf = (tools: string, server: string, more = {}) => {
    const known = { server, version: "1", profile: PROFILES[server]!, ...more };
    const own = upstreamSchema.parse({ ...upstream, tools });
    return probeLine({ upstream: own, result: { kind: "answers", models: 1 }, server: known }, DATE);
  };
  assert.match(
    lineOf("auto", "vllm", { opensRoute: true }).text,
    /vllm 1, raw mode from the first request \(`tools: auto`\): 20 of 20 test answers arrive/,
  );
  assert.match(
    lineOf("auto", "llama-cpp-python").text,
    /tools in the prompt from the first request \(`tools: auto`\): its templates refuse/,
  );
  assert.match(lineOf("auto", "mlx").text, /begin natively .* loses text in another dialect/);
  for (const tools of ["auto", "raw", "prompted", "native"]) {
    const { text, isWarning } = lineOf(tools, "vllm", { closesRoutes: true });
    assert.equal(isWarning, tools !== "native", tools);
    assert.equal(/start it with --enable-scale-out/.test(text), tools !== "native");
  }
});

Deno.test("bareUrl leaves out a user name and a password, and changes nothing else", () => {
  assert.equal(bareUrl("http://me:secret@h/v1"), "http://h/v1");
  assert.equal(bareUrl("http://h"), "http://h");
  assert.equal(bareUrl("no url"), "no url");
});

Deno.test("learnedToolsLine names the upstream, the model and the dialect", () => {
  const date = new Date(2026, 0, 1, 12, 30, 5);
  const line = learnedToolsLine(
    { upstream: "local", model: "m\u001b", reason: "refused", dialect: "hermes" },
    date,
  );
  assert.match(
    line,
    /^12:30:05 {2}Upstream "local" with the model "m.+" refuses `tools`\. From now on, .*"hermes" \(tools: auto\)\n$/,
  );
  assert(!line.includes("\u001b"));
  const other = learnedToolsLine({ upstream: "local", model: "", reason: "unparsed", dialect: "" }, date);
  assert.match(other, /Upstream "local" has calls or tools that the server's own parser can't read/);
});
