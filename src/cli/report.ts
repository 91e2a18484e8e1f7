/** The verb `report`: shows figures of an audit log as tables, JSON, or a page with charts, or lists its calls. @module */
import { resolve } from "node:path";
import { type Report, ReportBuilder } from "../admin/report/report.ts";
import { reportPage } from "../admin/report/page.ts";
import { escaped, visibleJson } from "../engine/diagnostic/visible.ts";
import { reasonOf } from "../engine/document/load.ts";
import { complainOf, complainOfUsage, writeNamed } from "./complain.ts";
import { reportTables } from "./report_tables.ts";
import type { CliContext } from "./service/context.ts";
import { isSet, textValue, type Verb, type VerbInput } from "./verb.ts";
import type { DecisionLine } from "../admin/audit/line.ts";
import { standingOf } from "../admin/audit/classification.ts";
import { readLine } from "../admin/report/read_line.ts";

export const report: Verb = {
  name: "report",
  summary: "Summarize an audit log: rates, rules, models, days, reasons, dry run and live; or list its calls",
  usage: "report [calls] AUDIT.jsonl… [--json] [--html FILE]",
  operandsMax: Infinity,
  words: ["calls"],
  examples: [
    "report audit.jsonl audit.jsonl.1",
    "report audit.jsonl --html report.html",
    "report calls audit.jsonl",
  ],
  options: {
    json: {
      type: "boolean",
      description: "Print one JSON object instead of tables; with `calls`, one for each call",
    },
    html: { type: "string", placeholder: "FILE", description: "Write one page with charts to this file" },
  },
  run,
};

const LIST = "calls";

async function run(input: VerbInput, context: CliContext): Promise<number> {
  const isList = input.positionals[0] === LIST;
  const positionals = isList ? input.positionals.slice(1) : input.positionals;
  if (positionals.length === 0) {
    return complainOfUsage({
      message: "`dragoman report` needs an audit log file",
      help: "write `dragoman report logs/audit.jsonl`; `serve --audit logs/audit.jsonl` writes a log",
    }, context);
  }
  const builder = new ReportBuilder();
  const isJson = isSet(input, "json");
  const take = isList
    ? (line: string) => context.stdout(callLine(line, { isJson }) ?? "")
    : (line: string) => builder.add(line);
  for (const file of positionals) {
    const cause = await readLines(resolve(context.workingDirectory, file), take);
    if (cause !== undefined) return failed(`Cannot read ${file}: ${cause}`, { help: LOG_HELP, context });
  }
  if (isList) return 0;
  const value = builder.build();
  if (value.unreadable > 0 && value.period === null) {
    const message = `No audit log in ${
      positionals.join(", ")
    }: none of the ${value.unreadable} lines can be read`;
    return failed(message, { help: LOG_HELP, context });
  }
  return await show(value, { input, context });
}

async function show(
  value: Report,
  { input, context }: { input: VerbInput; context: CliContext },
): Promise<number> {
  const html = textValue(input, "html");
  if (isSet(input, "json")) context.stdout(`${visibleJson(value, 2)}\n`);
  else if (html === undefined) context.stdout(reportTables(value));
  if (html === undefined) return 0;
  if (!await writeNamed(html, reportPage(value), context)) return 1;
  if (!isSet(input, "json")) context.stdout(`Wrote ${html}. Open it in a browser\n`);
  return 0;
}

const LOG_HELP = "use the file from `audit.file` in dragoman.yaml or from `serve --audit FILE`";

function failed(
  message: string,
  { help, context }: { readonly help: string; readonly context: CliContext },
): number {
  complainOf({ code: "file_unreadable", message, help }, context);
  return 1;
}

/** Passes on the lines of a file one by one, however long the file is; returns the cause of a failure. */
async function readLines(path: string, take: (line: string) => void): Promise<string | undefined> {
  try {
    const file = await Deno.open(path);
    let rest = "";
    for await (const text of file.readable.pipeThrough(new TextDecoderStream())) {
      const lines = (rest + text).split("\n");
      rest = lines.pop() ?? "";
      lines.forEach(take);
    }
    take(rest);
    return undefined;
  } catch (error) {
    return reasonOf(error);
  }
}

/**
 * The line of a call, with its newline; undefined if a line of the log isn't about a call that the model meant.
 *
 *     2026-05-01T10:00:00.000Z  qwen_xml  read_file  transformed  {"path":"a.txt"}
 */
export function callLine(text: string, { isJson }: { readonly isJson: boolean }): string | undefined {
  const line = text.trim() === "" ? undefined : readLine(text);
  if (line?.kind !== "decision" || !standingOf(line).isAttempt) return undefined;
  return `${isJson ? visibleJson(objectOf(line)) : textOf(line)}\n`;
}

function objectOf(
  { time, client, model, rule, tool, outcome, reason, rendered, written }: DecisionLine,
): object {
  return { time, client, model, rule, tool, outcome, reason, arguments: rendered, written };
}

function textOf({ time, rule, tool, reason, rendered = "", written = "" }: DecisionLine): string {
  const cells = [time, rule, tool ?? "-", reason, rendered, written.trim().replaceAll("\n", "\\n")];
  return cells.map((cell) => escaped(cell)).join("  ").trimEnd();
}
