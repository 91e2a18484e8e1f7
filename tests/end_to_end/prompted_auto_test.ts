/**
 * `tools: auto` with a real process: the first request of an upstream that refuses tools already works, later ones aren't
 * refused, and the log and the status page show what was learned.
 *
 * @module
 */
import assert from "node:assert/strict";
import { join } from "node:path";
import { startProgram } from "../support/program.ts";
import { type Script, startUpstream } from "../support/scripted_upstream.ts";
import { refusalOf } from "../support/toolless_upstream.ts";
import { temporaryFolder } from "../support/temporary_folder.ts";
import { askChat } from "../support/proxy.ts";

const PRINTED = '<tool_call>\n{"name": "dig", "arguments": {"depth": 3}}\n</tool_call>';

Deno.test("tools: auto repeats a refused request with the tools in the prompt, and remembers it", async () => {
  const folder = await temporaryFolder();
  const answered: number[] = [];
  let isMoody = false;
  await using upstream = startUpstream((request): Script => {
    if (!request.path.endsWith("/chat/completions")) return { text: "" };
    const { model } = JSON.parse(request.body);
    // One model takes tools and prints its calls, one refuses some requests only, some fail for another reason (`FAILURES`), all others have no tools.
    const takesTools = model === "leaky" || (model === "moody" && answered.length === 0 && !isMoody);
    const refusal = takesTools ? undefined : FAILURES[model] ?? refusalOf(request);
    answered.push(refusal === undefined ? 200 : 400);
    return refusal ?? { text: PRINTED };
  });
  await Deno.writeTextFile(
    join(folder, "dragoman.yaml"),
    `upstreams: [{ name: local, url: "${upstream.url}", tools: auto, dialect: hermes }]`,
  );
  await using program = startProgram(folder, ["serve", "--port", "0"]);
  const url = await program.until(/http:\S+\/v1(?=\n)/);
  const ask = async (model: string, tools: unknown = TOOLS) => {
    answered.splice(0);
    const response = await askChat(url, { path: "/chat/completions", body: { model, tools } });
    const body = await response.json();
    return {
      status: response.status,
      calls: body.choices?.[0].message.tool_calls?.length,
      asked: [...answered],
    };
  };
  assert.deepEqual(await ask("old"), { status: 200, calls: 1, asked: [400, 200] });
  assert.deepEqual(await ask("old"), { status: 200, calls: 1, asked: [200] });
  for (const asked of [[200], [400, 200], [200]]) {
    isMoody = asked.length === 2;
    assert.deepEqual(await ask("moody"), { status: 200, calls: 1, asked });
  }
  assert("tools" in JSON.parse(upstream.requests.at(-1)!.body), "it has taken tools before");
  for (const model of Object.keys(FAILURES)) {
    // A request that has no plainer form isn't asked again, a tool without parameters once, and one that is too long never.
    assert.deepEqual(await ask(model), { status: 400, calls: undefined, asked: [400] });
    const bare = [{ type: "function", function: { name: "dig" } }];
    assert.deepEqual(await ask(model, bare), {
      status: 400,
      calls: undefined,
      asked: model === "picky" ? [400, 400] : [400],
    });
  }
  for (let count = 0; count < 6; count++) {
    assert.deepEqual(await ask("leaky"), { status: 200, calls: 1, asked: [200] });
    assert("tools" in JSON.parse(upstream.requests.at(-1)!.body), "what answers natively stays native");
  }
  const status = await (await fetch(new URL("/_dragoman/status", url))).json();
  assert.deepEqual(status.learnedTools, [
    { upstream: "local", model: "old", dialect: "hermes", reason: "refused" },
  ]);
  await program.until(/Upstream "local" with the model "old" refuses `tools`/);
});

const TOOLS = [{ type: "function", function: { name: "dig", parameters: { type: "object" } } }];

/** Model → what its server answers for another reason than the tools. */
const FAILURES: Readonly<Record<string, Script>> = {
  broken: { error: { status: 400, body: '{"error":{"message":"The context is too long"}}' } },
  picky: {
    error: {
      status: 400,
      body: `{"error":"Invalid tool_choice type: 'object'. Supported string values: none, auto, required"}`,
    },
  },
};
