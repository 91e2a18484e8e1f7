/**
 * What `evaluate` does with its result: prints it, writes the files that flags name, and changes the configuration.
 *
 * @module
 */
import { resolve } from "node:path";
import { evaluationPage } from "../desk/report/evaluation_page.ts";
import { visibleJson } from "../engine/diagnostic/visible.ts";
import { settingsOf } from "../lab/evaluate/advice.ts";
import { type Evaluation, THROUGH } from "../lab/evaluate/evaluation.ts";
import { sharedEvaluation } from "../lab/evaluate/shared_file.ts";
import { CONFIG_FILE } from "../proxy/config/load.ts";
import type { UpstreamConfig } from "../proxy/config/schema.ts";
import { complainOfReading, complainOfWriting, writeNamed } from "./complain.ts";
import { changeConfig, diffOf, saveShared, textIfPresent } from "./evaluate_files.ts";
import { evaluationText } from "./evaluate_text.ts";
import type { World } from "./service/world.ts";
import { isSet, numberValue, textValue, type VerbInput } from "./verb.ts";

/** The exit code if nothing could be measured, or the result not be written. */
export const NOT_MEASURED = 2;

/** Answers that no rule reads. */
const UNREAD_FILE = "evaluate.unread.jsonl";

export interface ShowOptions {
  readonly input: VerbInput;
  readonly upstream: UpstreamConfig;
  readonly world: World;
}

interface Writing extends ShowOptions {
  /** Where the text for people goes: not where JSON goes. */
  readonly print: (text: string) => void;
}

/** Prints and writes an evaluation, and returns the exit code. */
export async function showEvaluation(evaluation: Evaluation, options: ShowOptions): Promise<number> {
  const { input, world } = options;
  const shared = sharedEvaluation(evaluation, { withAnswers: isSet(input, "with-answers") });
  world.stdout(isSet(input, "json") ? `${visibleJson(shared, 2)}\n` : evaluationText(evaluation));
  const print = isSet(input, "json") ? world.stderr : world.stdout;
  const html = textValue(input, "html");
  if (html !== undefined) {
    if (!await writeNamed(html, evaluationPage(evaluation), world)) return NOT_MEASURED;
    print(`Wrote ${html}. Open it in a browser\n`);
  }
  const save = textValue(input, "save");
  if (save !== undefined) {
    const saved = await saveShared(resolve(world.workingDirectory, save), shared)
      .catch((cause) => complainOfWriting(save, cause, world));
    if (saved === undefined) return NOT_MEASURED;
    print(`Wrote ${saved}\n`);
  }
  if (!await keepUnread(evaluation, { ...options, print })) return NOT_MEASURED;
  if (isSet(input, "write") && !await writeConfig(evaluation, { ...options, print })) return NOT_MEASURED;
  return exitCodeOf(evaluation, numberValue(input, "fail-under"));
}

/** 0: nothing is wrong through Dragoman; 1: something is; 2: nothing could be measured. */
function exitCodeOf({ columns }: Evaluation, failUnder: number | undefined): number {
  const through = columns.find(({ name }) => name === THROUGH) ?? columns.at(-1);
  if (through === undefined || through.n === 0) return NOT_MEASURED;
  if (failUnder !== undefined) return through.low < failUnder ? 1 : 0;
  return through.k < through.n ? 1 : 0;
}

/** Keeps answers that no rule reads, so that `derive` can learn from them. */
async function keepUnread({ failures }: Evaluation, { world, print }: Writing): Promise<boolean> {
  const unread = failures.filter(({ finding }) => finding === "unread_dialect");
  if (unread.length === 0) return true;
  const lines = unread.map(({ exchange: { request, text } }) =>
    JSON.stringify({ text, tools: (JSON.parse(request) as { tools?: unknown }).tools })
  );
  if (!await writeNamed(UNREAD_FILE, `${[...new Set(lines)].join("\n")}\n`, world)) return false;
  print(
    `Wrote ${UNREAD_FILE}. For a rule: ${world.command} derive --answers ${UNREAD_FILE} --name my_model\n`,
  );
  return true;
}

/** Writes the settings with a measured gain into the configuration, and shows the difference. */
async function writeConfig(
  evaluation: Evaluation,
  { input, upstream, world, print }: Writing,
): Promise<boolean> {
  if (evaluation.recommended?.strength !== "measured") {
    print("Nothing is written: no setting has a measured gain\n");
    return true;
  }
  const file = textValue(input, "config") ?? CONFIG_FILE;
  const before = await textIfPresent(resolve(world.workingDirectory, file))
    .catch((cause) => complainOfReading(file, cause, world));
  if (before === undefined) return false;
  const after = changeConfig(before, { settings: settingsOf(evaluation), upstream });
  if (after === before) {
    print(`${file} has these settings already\n`);
    return true;
  }
  if (!await writeNamed(file, after, world)) return false;
  print(`Changed ${file}:\n${diffOf(before, after)}\n`);
  return true;
}
