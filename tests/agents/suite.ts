/**
 * Every agent writes the nasty file, once in each dialect, through the real proxy; and beside it the same agent
 * asks the same model without the proxy, and writes nothing. Run by `deno task test:agents`, which installs first.
 *
 * @module
 */
import assert from "node:assert/strict";
import { join } from "node:path";
import { builtInServing } from "../support/built_in.ts";
import { startProxy, testConfig } from "../support/proxy.ts";
import { startUpstream } from "../support/scripted_upstream.ts";
import type { Agent } from "./agent.ts";
import { CLAUDE_CODE } from "./claude_code.ts";
import { CODEX } from "./codex.ts";
import { CONTINUE } from "./continue.ts";
import { agentFolder, isInstalled, packagesOf, programOf } from "./folder.ts";
import { GEMINI_CLI } from "./gemini_cli.ts";
import { OPENCODES } from "./opencode.ts";
import { PIS } from "./pi.ts";
import { type Ran, runAgent } from "./process.ts";
import { QWEN_CODES } from "./qwen_code.ts";
import { DIALECTS, FILE_CONTENT, filePath, playModel, PROMPT } from "./scenario.ts";
import { SDKS } from "./sdk.ts";

/** What one run came to. */
interface Outcome extends Ran {
  /** The file, if it was written. */
  readonly file: string | undefined;
  /** How often the model printed the call. */
  readonly calls: number;
  /** How often the model was asked. */
  readonly requests: number;
}

for (
  const agent of [...SDKS, ...QWEN_CODES, ...OPENCODES, CONTINUE, ...PIS, CLAUDE_CODE, CODEX, GEMINI_CLI]
) {
  const title = [packagesOf(agent.name)[0] ?? agent.name, agent.variant].filter(Boolean).join(", ");
  for (const dialect of Object.keys(DIALECTS)) {
    Deno.test({
      name: `${title}: writes the file exactly from ${dialect}, and nothing without the proxy`,
      ignore: !isInstalled(agent.name),
      async fn() {
        const [through, direct] = await Promise.all([
          play({ agent, dialect, isThroughProxy: true }),
          play({ agent, dialect, isThroughProxy: false }),
        ]);
        assert.equal(through.file, FILE_CONTENT, report(through));
        assert.equal(through.code, 0, report(through));
        assert.equal(through.calls, 1, report(through));
        assert.ok(
          through.requests >= 2,
          `The result of the tool never reached the model\n${report(through)}`,
        );
        assert.equal(direct.file, undefined, report(direct));
        const wasAsked = agent.wire === undefined ? direct.calls >= 1 : direct.requests >= 1;
        assert.ok(wasAsked, `Without the proxy the model was not even asked\n${report(direct)}`);
      },
    });
  }
}

Deno.test({
  name: "guard: an agent reaches nothing but loopback",
  async fn() {
    const home = await Deno.makeTempDir({ prefix: "dragoman_agent_" });
    try {
      const room = { home, folder: home, program: "node", modules: "", url: "", origin: "", prompt: "" };
      const script = new URL("./outside.cjs", import.meta.url).pathname;
      const { code, printed, refused } = await runAgent({ args: [script] }, room);
      assert.deepEqual([code, printed], [0, ""]);
      const hosts = ["192.0.2.1", "example.invalid", "lookup.invalid", "resolve.invalid", "192.0.2.2"];
      assert.deepEqual(refused, hosts);
    } finally {
      await Deno.remove(home, { recursive: true });
    }
  },
});

interface Play {
  readonly agent: Agent;
  readonly dialect: string;
  readonly isThroughProxy: boolean;
}

/** Runs the agent once, in a fresh home that is gone afterwards. */
async function play({ agent, dialect, isThroughProxy }: Play): Promise<Outcome> {
  const home = await Deno.realPath(await Deno.makeTempDir({ prefix: "dragoman_agent_" }));
  try {
    const folder = join(home, "work");
    await Deno.mkdir(folder);
    const modules = join(home, "node_modules");
    await Deno.symlink(join(agentFolder(agent.name), "node_modules"), modules);
    const model = playModel(dialect, folder);
    await using upstream = startUpstream((request) => model.script(request));
    await using proxy = await startProxy(await builtInServing(testConfig(upstream.url)));
    const url = isThroughProxy ? `${proxy.origin}/v1` : upstream.url;
    const origin = url.slice(0, -"/v1".length);
    const room = { home, folder, program: programOf(agent.name), modules, url, origin, prompt: PROMPT };
    const ran = await runAgent(await agent.launch(room), room);
    const file = await Deno.readTextFile(filePath(folder)).catch(() => undefined);
    return { ...ran, file, calls: model.calls, requests: upstream.requests.length };
  } finally {
    await Deno.remove(home, { recursive: true });
  }
}

/** What a person needs to see of a run that went wrong. */
function report({ code, printed, refused, calls, requests }: Outcome): string {
  const ended = code === undefined ? "had to be stopped" : `ended with ${code}`;
  return [
    `The agent ${ended}; the model was asked ${requests} times and printed the call ${calls} times`,
    `Hosts it was kept from: ${refused.join(", ") || "none"}`,
    `The end of what it printed:\n${printed.slice(-3000)}`,
  ].join("\n");
}
