/**
 * Every agent writes the nasty file, once in each dialect, through the real proxy; and next to it the same agent
 * asks the same model without the proxy, and writes nothing. That run shows that the agent needs the proxy, for which one
 * dialect is enough. Run by `deno task test:agents`, which installs first.
 *
 * @module
 */
import assert from "node:assert/strict";
import { FILE_PATH } from "../support/written_file.ts";
import type { Agent } from "./agent.ts";
import { CLAUDE_CODE } from "./claude_code.ts";
import { CLINE } from "./cline.ts";
import { CODEXES } from "./codex.ts";
import { CONTINUE } from "./continue.ts";
import { COPILOT_CLIS } from "./copilot_cli.ts";
import { isInstalled } from "./folder.ts";
import { GEMINI_CLI } from "./gemini_cli.ts";
import { KILO } from "./kilo.ts";
import { KIMI_CODES } from "./kimi_code.ts";
import { NANOCODERS } from "./nanocoder.ts";
import { OPENCODES } from "./opencode.ts";
import { PIS } from "./pi.ts";
import { runAgent } from "./process.ts";
import { QWEN_CODES } from "./qwen_code.ts";
import { DIALECTS, FILE_CONTENT, type Model, playModel } from "./scenario.ts";
import { SDKS } from "./sdk.ts";
import { type Played, report, stage, titleOf } from "./stage.ts";

/** What one run came to. */
interface Outcome extends Played {
  /** The file, if it was written. */
  readonly file: string | undefined;
  /** How often the model printed the call. */
  readonly calls: number;
  readonly tool: string | undefined;
}

const AGENTS: readonly Agent[] = [
  ...SDKS,
  ...QWEN_CODES,
  ...OPENCODES,
  CONTINUE,
  ...PIS,
  ...KIMI_CODES,
  ...NANOCODERS,
  CLINE,
  KILO,
  CLAUDE_CODE,
  ...CODEXES,
  GEMINI_CLI,
  ...COPILOT_CLIS,
];

/** Some agents ask a server that doesn't know their wire again and again. */
const UNKNOWN_WIRE_MS_MAX = 30_000;

for (const agent of AGENTS) {
  for (const [index, dialect] of Object.keys(DIALECTS).slice(0, agent.isSampled ? 1 : undefined).entries()) {
    const isCompared = index === 0 && (agent.wire === undefined || !agent.isSampled);
    Deno.test({
      name: `${titleOf(agent)}: writes the file exactly from ${dialect}${
        isCompared ? ", and nothing without the proxy" : ""
      }`,
      ignore: !isInstalled(agent.name),
      async fn() {
        const limitMs = agent.wire === undefined ? undefined : UNKNOWN_WIRE_MS_MAX;
        const [through, first] = await Promise.all([
          play({ agent, dialect, isThroughProxy: true }),
          isCompared ? play({ agent, dialect, isThroughProxy: false, limitMs }) : undefined,
        ]);
        assert.equal(through.file, FILE_CONTENT, report(through));
        assert.equal(through.code, 0, report(through));
        assert.equal(through.calls, 1, report(through));
        assert.equal(through.tool, agent.writesWith ?? through.tool);
        assert.ok(
          through.requests.length >= 2,
          `The result of the tool never reached the model\n${report(through)}`,
        );
        if (first === undefined) return;
        // On a busy machine, an agent can take that long to start.
        const direct = first.requests.length > 0
          ? first
          : await play({ agent, dialect, isThroughProxy: false, limitMs: 3 * UNKNOWN_WIRE_MS_MAX });
        assert.equal(direct.file, undefined, report(direct));
        const wasAsked = agent.wire === undefined ? direct.calls >= 1 : direct.requests.length >= 1;
        assert.ok(wasAsked, `Without the proxy the model was not even asked\n${report(direct)}`);
      },
    });
  }
}

Deno.test("guard: an agent reaches nothing but loopback", async () => {
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
});

interface Showing {
  readonly agent: Agent;
  readonly dialect: string;
  readonly isThroughProxy: boolean;
  readonly limitMs?: number | undefined;
}

/** Runs the agent once. */
async function play({ agent, dialect, isThroughProxy, limitMs }: Showing): Promise<Outcome> {
  let model: Model | undefined;
  const cast = (folder: string) => model = playModel(dialect, folder);
  const played = await stage({ agent, isThroughProxy, limitMs, cast });
  return { ...played, file: played.files.get(FILE_PATH), calls: model?.calls ?? 0, tool: model?.tool };
}
