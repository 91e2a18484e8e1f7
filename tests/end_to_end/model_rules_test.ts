/**
 * Rules for models and upstreams, and the whitelist of tools, through the configuration and real sockets.
 *
 * @module
 */
import assert from "node:assert/strict";
import { join } from "node:path";
import { startProgram } from "../support/program.ts";
import { startUpstream } from "../support/scripted_upstream.ts";
import { temporaryFolder } from "../support/temporary_folder.ts";
import { askChat } from "../support/proxy.ts";

const RULE = `rule: mine
enabled: false
pattern: '\\[\\[do {tool}: (?<body>…)\\]\\]'
body: json
confidence: 0.95
`;
const XML = "<tool_call>\n<function=dig>\n<parameter=depth>\n3\n</parameter>\n</function>\n</tool_call>";

async function withConfig(
  config: (url: string) => string,
  test: (ask: Ask, folder: string) => Promise<void>,
) {
  const folder = await temporaryFolder();
  let text = "";
  await using upstream = startUpstream(() => ({ text }));
  await Deno.mkdir(join(folder, "rules"));
  await Deno.writeTextFile(join(folder, "rules", "mine.yaml"), RULE);
  await Deno.writeTextFile(join(folder, "dragoman.yaml"), config(upstream.url));
  await using program = startProgram(folder, ["serve", "--port", "0", "--verbose"]);
  const url = await program.until(/http:\S+\/v1(?=\n)/);
  const ask: Ask = async ({ model, says, path = "" }) => {
    text = says;
    const response = await askChat(url.replace("/v1", `${path}/v1`), {
      path: "/chat/completions",
      body: { model, tools: [{ type: "function", function: { name: "dig" } }] },
    });
    return (await response.json()).choices[0].message.tool_calls?.length ?? 0;
  };
  await test(ask, folder);
}

type Ask = (about: { model: string; says: string; path?: string }) => Promise<number>;

Deno.test("serve reads the answers of a model and of an upstream with their own rules only", () =>
  withConfig((url) => `
models:
  "odd-*": { rules: [mine] }
upstreams:
  - { name: plain, url: ${url} }
  - { name: odd, url: ${url}, rules: [mine] }
`, async (ask) => {
    const mine = '[[do dig: {"depth": 3}]]';
    assert.equal(await ask({ model: "odd-7b", says: mine }), 1);
    assert.equal(await ask({ model: "odd-7b", says: XML }), 0);
    assert.equal(await ask({ model: "other", says: mine }), 0);
    assert.equal(await ask({ model: "other", says: XML }), 1);
    assert.equal(await ask({ model: "other", says: mine, path: "/upstream/odd" }), 1);
  }));

Deno.test("serve makes no call of a tool that tools.whitelist leaves out", () =>
  withConfig((url) => `
tools: { whitelist: ["mcp_*"] }
upstreams: [{ name: plain, url: ${url} }]
`, async (ask) => assert.equal(await ask({ model: "m", says: XML }), 0)));
