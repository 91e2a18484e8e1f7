/**
 * Agents write the nasty file with a chat server that knows nothing of tools, because Dragoman announces the tools in the
 * prompt; with the same server and `tools: native` they write nothing. The server answers 400 to `tools` and to messages
 * of tools, and its model knows only the tools that the prompt announces. Run by `deno task test:agents`, which installs
 * first.
 *
 * @module
 */
import assert from "node:assert/strict";
import type { Arrived, Script } from "../support/scripted_upstream.ts";
import { messagesOf, refusalOf } from "../support/toolless_upstream.ts";
import { BEFORE, FILE_CONTENT, FILE_PATH } from "../support/written_file.ts";
import type { Agent } from "./agent.ts";
import { CLAUDE_CODE } from "./claude_code.ts";
import { CODEXES } from "./codex.ts";
import { isInstalled } from "./folder.ts";
import { GEMINI_CLI } from "./gemini_cli.ts";
import { ANNOUNCED } from "./announced.ts";
import { writeCall } from "./offered.ts";
import { OPENCODES } from "./opencode.ts";
import { PIS } from "./pi.ts";
import { QWEN_CODES } from "./qwen_code.ts";
import { DIALECTS, filePath, isPerson, makeParents } from "./scenario.ts";
import { type Player, report, stage, titleOf } from "./stage.ts";

const AGENTS: readonly Agent[] = [
  QWEN_CODES[0]!,
  OPENCODES[0]!,
  PIS[0]!,
  CLAUDE_CODE,
  CODEXES[0]!,
  GEMINI_CLI,
];

/** Some agents ask a server that refuses them again and again. */
const REFUSED_MS_MAX = 30_000;

/** Rule → how its model prints a call. */
const PRINTS: Readonly<Record<string, string>> = { hermes: "Hermes JSON", qwen_xml: "Qwen XML" };

/** A model of such a server, which calls once. */
interface ToollessModel extends Player {
  readonly calls: number;
  /** How often the server refused a request. */
  readonly refused: number;
  /** The last message that it got after the call. */
  readonly result: string | undefined;
}

function playToolless(dialect: string, folder: string): ToollessModel {
  makeParents([filePath(folder)]);
  let calls = 0;
  let refused = 0;
  let result: string | undefined;
  return {
    get calls() {
      return calls;
    },
    get refused() {
      return refused;
    },
    get result() {
      return result;
    },
    script(request: Arrived): Script {
      if (!request.path.endsWith("/chat/completions")) return { text: "ok" };
      const refusal = refusalOf(request);
      if (refusal !== undefined) {
        refused++;
        return refusal;
      }
      const messages = messagesOf(request);
      const prompt = messages.filter(({ role }) => role === "system").map(({ content }) => content).join(
        "\n",
      );
      const call = writeCall(ANNOUNCED[dialect]!(prompt), { path: filePath(folder), content: FILE_CONTENT });
      const last = messages.at(-1);
      if (calls > 0 && call !== undefined) result = JSON.stringify(last?.content);
      if (call === undefined || !isPerson(last)) return { text: "ok" };
      calls++;
      return { text: BEFORE + DIALECTS[PRINTS[dialect]!]!(call) };
    },
  };
}

for (const agent of AGENTS) {
  for (const [index, dialect] of Object.keys(PRINTS).entries()) {
    const isCompared = index === 0;
    const compared = isCompared ? ", and nothing if it gets `tools`" : "";
    Deno.test({
      name: `${
        titleOf(agent)
      }: writes the file exactly with a server without tools, in ${dialect}${compared}`,
      ignore: !isInstalled(agent.name),
      async fn() {
        const prompted = await play(agent, { tools: "prompted", dialect });
        assert.equal(prompted.files.get(FILE_PATH), FILE_CONTENT, report(prompted));
        assert.equal(prompted.code, 0, report(prompted));
        assert.equal(prompted.model.calls, 1, report(prompted));
        assert(
          prompted.model.result !== undefined,
          `The result never reached the model\n${report(prompted)}`,
        );
        if (!isCompared) return;
        const native = await play(agent, { tools: "native", limitMs: REFUSED_MS_MAX });
        assert.equal(native.files.get(FILE_PATH), undefined, report(native));
        assert.ok(native.model.refused >= 1, `The server was not even asked\n${report(native)}`);
      },
    });
  }
}

/** Runs an agent once. */
async function play(
  agent: Agent,
  { tools, dialect = "hermes", limitMs }: { tools: string; dialect?: string; limitMs?: number },
) {
  let model: ToollessModel | undefined;
  const cast = (folder: string) => model = playToolless(dialect, folder);
  const played = await stage({ agent, isThroughProxy: true, limitMs, cast, upstream: { tools, dialect } });
  return { ...played, model: model! };
}
