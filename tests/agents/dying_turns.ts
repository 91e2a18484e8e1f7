/**
 * Turns that die, agent by agent, without what Dragoman does about it and with it: silence, an answer that has nothing,
 * thoughts only, a call that is made again and again, a prompt that is too long, and one that grows so while the agent knows the size. Without means: an agent of chat
 * completions asks the model itself, and another one asks it through Dragoman with all of that switched off. Run by
 * `deno task test:agents`, which installs first; DRAGOMAN_AGENT_TURNS=all runs the whole table and prints it.
 *
 * @module
 */
import assert from "node:assert/strict";
import type { Agent } from "./agent.ts";
import { CLAUDE_CODE } from "./claude_code.ts";
import { CODEXES } from "./codex.ts";
import { CONTINUE } from "./continue.ts";
import { COPILOT_CLIS } from "./copilot_cli.ts";
import { CALLS_MAX, CONTEXT_TOKENS, DONE, type DyingModel, type Kind, playDying } from "./dying_model.ts";
import { isInstalled } from "./folder.ts";
import { GEMINI_CLI } from "./gemini_cli.ts";
import { OPENCODES } from "./opencode.ts";
import { impatient } from "./patience.ts";
import { PIS } from "./pi.ts";
import { QWEN_CODES } from "./qwen_code.ts";
import { type Play, type Played, report, stage, titleOf } from "./stage.ts";

/**
 * What becomes of a turn. `asked again`: the agent sent the same request more than once; `silent`: it ended as if it were
 * done, without the answer.
 */
type Fate = "finished" | "asked again" | "silent" | "failed";

/** Without Dragoman, and with it. */
type Fates = readonly [before: Fate, after: Fate];

interface Row {
  readonly agent: Agent;
  readonly fates: Readonly<Partial<Record<Kind, Fates>>>;
  /** What is tried by default; the rest takes long. */
  readonly isFast: readonly Kind[];
}

const SAVED: Fates = ["silent", "finished"];
const REPEATED: Fates = ["asked again", "finished"];
const WARNED: Fates = ["finished", "finished"];
const BOTH: Fates = ["finished", "finished"];
const REFUSED: Fates = ["failed", "finished"];

/** Most agents. A loop ends only because the model gives up at the twelfth call. */
const MOST = { empty: SAVED, "thoughts only": SAVED, loop: WARNED } as const;

/**
 * No error makes it compact. It does so by the tokens of answers, or its own estimate, if it knows the size; Gemini CLI only
 * before a person's next message.
 */
const NEVER: Fates = ["failed", "failed"];

const ROWS: readonly Row[] = [
  {
    agent: PIS[0]!,
    fates: { ...MOST, overflow: BOTH },
    isFast: ["empty", "thoughts only", "loop", "overflow"],
  },
  { agent: PIS[1]!, fates: { ...MOST, overflow: BOTH }, isFast: ["empty"] },
  { agent: PIS[2]!, fates: { ...MOST, overflow: BOTH }, isFast: ["empty"] },
  {
    agent: CODEXES[0]!,
    fates: { silence: BOTH, ...MOST, overflow: NEVER, growth: REFUSED },
    isFast: ["silence", "empty", "thoughts only", "loop", "growth"],
  },
  {
    agent: CLAUDE_CODE,
    fates: { ...MOST, overflow: BOTH },
    isFast: ["empty", "thoughts only", "loop", "overflow"],
  },
  { agent: CONTINUE, fates: { ...MOST, overflow: NEVER, growth: REFUSED }, isFast: ["empty", "loop"] },
  { agent: COPILOT_CLIS[0]!, fates: { ...MOST, overflow: REFUSED }, isFast: ["overflow"] },
  { agent: COPILOT_CLIS[1]!, fates: { ...MOST, overflow: REFUSED }, isFast: ["empty", "overflow"] },
  { agent: COPILOT_CLIS[2]!, fates: { ...MOST, overflow: REFUSED }, isFast: ["overflow"] },
  {
    agent: GEMINI_CLI,
    fates: { empty: SAVED, "thoughts only": REPEATED, loop: SAVED, overflow: NEVER, growth: NEVER },
    isFast: ["empty", "loop"],
  },
  {
    agent: QWEN_CODES[0]!,
    fates: {
      silence: REPEATED,
      empty: REPEATED,
      "thoughts only": REPEATED,
      loop: REFUSED,
      overflow: REFUSED,
      growth: REFUSED,
    },
    isFast: ["silence", "loop"],
  },
  { agent: OPENCODES[0]!, fates: { silence: REPEATED, ...MOST, overflow: BOTH }, isFast: [] },
  { agent: OPENCODES[1]!, fates: { silence: REPEATED, ...MOST, overflow: BOTH }, isFast: [] },
  { agent: OPENCODES[2]!, fates: { silence: REPEATED, ...MOST, overflow: BOTH }, isFast: [] },
];

const isThorough = Deno.env.get("DRAGOMAN_AGENT_TURNS") === "all";

/** What switches off what Dragoman does. */
const OFF = {
  policy: { empty_answer: "pass", loop: "pass", long_prompt: "pass" },
  limits: { keep_alive_ms: 0 },
};

/** So that a beat arrives before an impatient agent gives up. */
const SOON = { limits: { keep_alive_ms: 500 } };

/** Some agents ask again and again. */
const BEFORE_MS_MAX = isThorough ? 45_000 : 20_000;
const AFTER_MS_MAX = 90_000;

interface Ended {
  readonly played: Played;
  readonly model: DyingModel;
  readonly fate: Fate;
}

async function play(
  agent: Agent,
  { kind, ...more }: { readonly kind: Kind } & Omit<Play, "agent" | "cast">,
): Promise<Ended> {
  let model: DyingModel | undefined;
  const played = await stage({ ...more, agent, cast: (folder) => model = playDying(folder, kind) });
  assert.ok(model !== undefined && model.calls > 0, `The model was not asked\n${report(played)}`);
  return { played, model, fate: fateOf(played, model, kind) };
}

function fateOf({ printed, code, requests }: Played, { asked }: DyingModel, kind: Kind): Fate {
  const bodies = new Set(requests.map(({ body }) => body));
  // Through Dragoman, the second question after an answer without anything is Dragoman's own.
  const isAgain = kind !== "loop" && kind !== "overflow" && kind !== "growth" &&
    bodies.size < requests.length && asked > 1;
  if (isAgain) return "asked again";
  return printed.includes(DONE) ? "finished" : code === 0 ? "silent" : "failed";
}

for (const { agent, fates, isFast } of ROWS) {
  for (const kind of Object.keys(fates) as Kind[]) {
    if (!isThorough && !isFast.includes(kind)) continue;
    Deno.test({
      name: `${titleOf(agent)}: a turn that dies of ${kind} goes on`,
      ignore: !isInstalled(agent.name),
      async fn() {
        const tried = kind === "silence" ? impatient(agent) : agent;
        const isWire = agent.wire !== undefined;
        const [before, after] = await Promise.all([
          play(tried, { kind, isThroughProxy: isWire, config: OFF, limitMs: BEFORE_MS_MAX }),
          play(tried, {
            kind,
            isThroughProxy: true,
            config: kind === "silence" ? SOON : {},
            contextTokens: kind === "growth" ? CONTEXT_TOKENS : undefined,
            limitMs: AFTER_MS_MAX,
          }),
        ]);
        if (isThorough) console.log(`| ${titleOf(agent)} | ${kind} | ${before.fate} | ${after.fate} |`);
        const shown = `${report(before.played)}\n\n${report(after.played)}`;
        assert.deepEqual([before.fate, after.fate], fates[kind], shown);
        if (kind !== "loop") return;
        assert.ok(before.model.calls > 4 || before.fate === "failed", shown);
        assert.ok(before.model.calls === CALLS_MAX || before.fate !== "finished", shown);
        assert.equal(after.model.calls, 4, shown);
      },
    });
  }
}
