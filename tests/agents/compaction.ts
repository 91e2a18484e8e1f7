/**
 * Codex in a session that is longer than the model's context: it writes one file a turn, and only the summary of a
 * compaction states how many there are. Run by `deno task test:agents`, which installs first.
 *
 * @module
 */
import assert from "node:assert/strict";
import { join } from "node:path";
import { COMPACT_TOKENS, COMPACTING_CODEXES } from "./codex.ts";
import { isInstalled } from "./folder.ts";
import { writeCall } from "./offered.ts";
import { DIALECTS, isPerson, makeParents, type Message, readRequest } from "./scenario.ts";
import { type Player, report, stage, titleOf } from "./stage.ts";

/** How many files the model writes. */
const FILES = 9;

/** The tokens of a turn, as the model server counts them. */
const TURN_TOKENS = COMPACT_TOKENS * 2 / 5;

const DONE = /Done: (\d+) files/;

/** Who asks for a summary. */
type Asked = "Dragoman" | "Codex";

const ASKED: Readonly<Record<string, Asked>> = {
  openai_base_url: "Dragoman",
  "a provider of its own": "Codex",
};

/** A model that goes on where the conversation, or its summary, ends. */
interface Writer extends Player {
  /** Who asked for each summary. */
  readonly summaries: readonly Asked[];
}

function playWriter(folder: string): Writer {
  const pathOf = (number: number) => join(folder, `${number}.md`);
  makeParents([pathOf(1)]);
  const summaries: Asked[] = [];
  return {
    summaries,
    script({ body }) {
      const { messages = [], tools = [] } = readRequest(body);
      const turns = messages.filter(({ tool_calls: calls }) => calls !== undefined).length;
      const tokens = TURN_TOKENS * (turns + 1);
      const usage = { prompt_tokens: tokens, completion_tokens: 0, total_tokens: tokens };
      const before = messages.map(textOf).map((text) => DONE.exec(text)?.[1]).findLast((text) => text);
      const count = Number(before ?? 0) + turns;
      const last = messages.at(-1);
      if (last?.role === "user" && /summary/i.test(textOf(last)) && !DONE.test(textOf(last))) {
        const isOurs = textOf(last).includes("Write a summary that will replace it");
        summaries.push(isOurs ? "Dragoman" : "Codex");
        return { text: `Done: ${count} files`, usage };
      }
      const isAsked = before !== undefined || messages.some(isPerson);
      const file = { path: pathOf(count + 1), content: `${count + 1}\n` };
      const call = isAsked && count < FILES ? writeCall(tools, file) : undefined;
      return { text: call === undefined ? "ok" : DIALECTS["Hermes JSON"]!(call), usage };
    },
  };
}

function textOf({ content }: Message): string {
  return typeof content === "string" ? content : JSON.stringify(content);
}

for (const agent of COMPACTING_CODEXES) {
  Deno.test({
    name: `${titleOf(agent)}: a long session goes on after each compaction`,
    ignore: !isInstalled(agent.name),
    async fn() {
      let model: Writer | undefined;
      const cast = (folder: string) => model = playWriter(folder);
      const played = await stage({ agent, isThroughProxy: true, cast });
      assert.equal(played.code, 0, report(played));
      const written = [...played.files].map(([path, text]) => `${path} ${text.trim()}`).sort();
      const expected = Array.from({ length: FILES }, (_, at) => `${at + 1}.md ${at + 1}`);
      assert.deepEqual(written, expected, report(played));
      assert.deepEqual(new Set(model?.summaries), new Set([ASKED[agent.variant!]]), report(played));
      assert.ok(model !== undefined && model.summaries.length >= 3, report(played));
    },
  });
}
