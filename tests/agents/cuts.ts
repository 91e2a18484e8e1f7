/**
 * Agents on wires other than chat completions get an answer that ends inside a call: at the token limit, or because the
 * connection to the model server breaks. None writes a cut file, and each reports a call that it lost. Run by
 * `deno task test:agents`, which installs first; with DRAGOMAN_AGENT_CUTS=all, at every tenth character of the call.
 *
 * @module
 */
import assert from "node:assert/strict";
import type { Agent } from "./agent.ts";
import { type Cut, CUT_FILE, type CutPlayer, ENDS, playCut } from "./cut_call.ts";
import { isInstalled } from "./folder.ts";
import { type Played, report, stage, titleOf } from "./stage.ts";
import { WIRE_AGENTS } from "./wire_agents.ts";

/** What writes the call, and where the default run cuts it: in the opener, in the arguments, before the last character. */
const PLACES = [
  { dialect: "Qwen XML", at: 0.1 },
  { dialect: "Hermes JSON", at: 0.6 },
  { dialect: "native", at: 0.995 },
];

const isThorough = Deno.env.get("DRAGOMAN_AGENT_CUTS") === "all";

/** One run of an agent with a cut. */
interface Outcome {
  readonly cut: Cut;
  readonly played: Played;
}

for (const agent of WIRE_AGENTS) {
  Deno.test({
    name: `${titleOf(agent)}: writes no cut file and reports a lost call`,
    ignore: !isInstalled(agent.name),
    async fn() {
      const outcomes: Outcome[] = [];
      if (isThorough) {
        for (let at = 10, length = Infinity; at < length; at += 10) {
          const both = await cutBothWays(agent, { dialect: "Qwen XML", at });
          length = Math.min(...both.map(({ player }) => player.length));
          outcomes.push(...both);
        }
        for (const end of ENDS) console.log(rowOf(outcomes.filter(({ cut }) => cut.end === end)));
      } else {
        for (const place of PLACES) outcomes.push(...await cutBothWays(agent, place));
      }
      outcomes.forEach(assertNothingCut);
    },
  });
}

/** Runs an agent with both ends at one place. */
async function cutBothWays(agent: Agent, { dialect, at }: (typeof PLACES)[number]) {
  return await Promise.all(ENDS.map(async (end) => {
    const players: CutPlayer[] = [];
    const cut = { end, at };
    const cast = (folder: string) => players[0] = playCut(folder, cut, dialect);
    const played = await stage({ agent, isThroughProxy: true, cast });
    assert.ok(players[0]!.length > 0, `The model was not asked\n${report(played)}`);
    return { cut, played, player: players[0]! };
  }));
}

function assertNothingCut({ cut: { end, at }, played }: Outcome): void {
  const message = `Cut by ${end} at ${at}\n${report(played)}`;
  const { files } = played;
  assert.ok([...files.keys()].every((path) => path === CUT_FILE.path), message);
  if (files.size === 0) {
    // At the token limit the beginning of a call isn't text, so only the reason of the end tells the agent of it.
    if (end !== "length") assert.ok(isReported(played), message);
    return;
  }
  assert.equal(files.get(CUT_FILE.path), CUT_FILE.content, message);
}

/** Whether a person notices that the call was lost: by the exit code, a message, or the call's own text. */
function isReported({ code, printed }: Played): boolean {
  return code !== 0 || /broke off|cut off|token limit|<tool_call|```json/.test(printed);
}

/** How many cuts came to what. */
function rowOf(outcomes: readonly Outcome[]): string {
  const count = (test: (played: Played) => boolean) => outcomes.filter(({ played }) => test(played)).length;
  const cut = count(({ files }) => files.size > 0 && files.get(CUT_FILE.path) !== CUT_FILE.content);
  const whole = count(({ files }) => files.size > 0) - cut;
  const exits = count(({ files, code }) => files.size === 0 && code !== 0);
  const shown = count((played) => played.files.size === 0 && played.code === 0 && isReported(played));
  const silent = outcomes.length - cut - whole - exits - shown;
  return `${outcomes[0]?.cut.end}: ${outcomes.length} cuts, ${cut} cut files, ${whole} whole files, ` +
    `${exits} errors as exit codes, ${shown} shown, ${silent} silent`;
}
