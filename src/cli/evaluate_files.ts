/** An evaluation's files: partial answers, recorded requests, the file to share, and the change of `dragoman.yaml`. @module */
import { createHash } from "node:crypto";
import { dirname, join, resolve } from "node:path";
import { isMap, isSeq, parseDocument } from "yaml";
import type { ChatRequest } from "../chat/message/request.ts";
import type { Diagnostic } from "../engine/diagnostic/diagnostic.ts";
import { readTextFile } from "../engine/document/load.ts";
import { parseJson } from "../engine/object/parse.ts";
import { isRecord } from "../engine/object/record.ts";
import type { Settings } from "../analysis/evaluate/remedies.ts";
import type { RecordedAnswer } from "../analysis/evaluate/answer.ts";
import { type SharedEvaluation, sharedSchema } from "../analysis/evaluate/shared_file.ts";
import type { UpstreamConfig } from "../proxy/config/schema.ts";
import { complainOfReading, complainOfWriting } from "./complain.ts";
import type { CliContext } from "./service/context.ts";

/** The file with the answers of an evaluation that was stopped: another evaluation in the same folder has another one. */
function partialFile(identity: unknown): string {
  return `evaluate.partial.${hashOf(JSON.stringify(identity)).slice(0, 8)}.jsonl`;
}

/** The answers so far, and where more are added. */
interface PartialFile {
  readonly known: ReadonlyMap<string, RecordedAnswer>;
  keep(key: string, answer: RecordedAnswer): void;
  readonly name: string;
  /** Closes the file; a finished evaluation needs it no more. */
  close(options: { readonly isFinished: boolean }): Promise<void>;
}

/** Opens the answers of an earlier run of the same evaluation; those of another one are dropped. Prints why it can't. */
export async function openPartial(identity: unknown, context: CliContext): Promise<PartialFile | undefined> {
  const name = partialFile(identity);
  const path = join(context.workingDirectory, name);
  const before = await textIfPresent(path).catch((cause) => complainOfReading(name, cause, context));
  if (before === undefined) return undefined;
  const head = JSON.stringify({ v: 1, evaluation: hashOf(JSON.stringify(identity)) });
  const [first, ...lines] = before.split("\n");
  const known = new Map(
    first !== head ? [] : lines.flatMap((line): [string, RecordedAnswer][] => {
      // The last line can be cut.
      const value = parseJson(line);
      if (!isRecord(value) || typeof value["key"] !== "string" || !isRecord(value["answer"])) return [];
      return [[value["key"], value["answer"] as unknown as RecordedAnswer]];
    }),
  );
  // A new file, so that nothing is written through a link.
  await Deno.remove(path).catch(() => {});
  const file = await Deno.open(path, { write: true, createNew: true })
    .catch((cause) => complainOfWriting(name, cause, context));
  if (file === undefined) return undefined;
  const write = (line: string) => file.writeSync(new TextEncoder().encode(`${line}\n`));
  write(head);
  const keep = (key: string, answer: RecordedAnswer) => void write(JSON.stringify({ key, answer }));
  known.forEach((answer, key) => keep(key, answer));
  return {
    name,
    known,
    keep,
    async close({ isFinished }) {
      file.close();
      if (isFinished) await Deno.remove(path);
    },
  };
}

/** The text of a file, empty if there is none. Throws for one that can't be read, so that nothing replaces it. */
export async function textIfPresent(path: string): Promise<string> {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(await Deno.readFile(path));
  } catch (cause) {
    if (cause instanceof Deno.errors.NotFound) return "";
    throw cause;
  }
}

/** The chat requests in files of JSON or JSON lines, and the files that can't be read or have none. */
export async function readRequests(
  paths: readonly string[],
  context: CliContext,
): Promise<{ readonly requests: readonly ChatRequest[]; readonly diagnostics: readonly Diagnostic[] }> {
  const found: ChatRequest[] = [];
  const diagnostics: Diagnostic[] = [];
  for (const path of paths) {
    const read = await readTextFile(resolve(context.workingDirectory, path), context);
    diagnostics.push(...read.diagnostics);
    const text = read.files[0]?.text;
    if (text === undefined) continue;
    const whole = parseJson(text);
    const values = whole === undefined
      ? text.split("\n").map(parseJson)
      : Array.isArray(whole)
      ? whole
      : [whole];
    const requests = values.filter((value) => isRecord(value) && Array.isArray(value["messages"]));
    found.push(...requests as ChatRequest[]);
    if (requests.length > 0) continue;
    diagnostics.push({
      code: "wrong_value",
      severity: "error",
      message: `${path} has no chat requests`,
      expected: "an object with `messages`, a list of such objects, or one on each line",
      help: "copy the body of a request that your agent sends",
    });
  }
  return { requests: found, diagnostics };
}

/** Writes the file to share into a collection and returns its path: SERVER/MODEL/DATE_HASH.json. */
export async function saveShared(folder: string, shared: SharedEvaluation): Promise<string> {
  const text = `${JSON.stringify(shared, null, 2)}\n`;
  const safe = (name: string) =>
    name.toLowerCase().replace(/[^a-z0-9.-]+/g, "_").replace(/^\.+/, "") || "unknown";
  const path = join(
    folder,
    safe(shared.server.kind ?? "unknown"),
    safe(shared.model.name),
    `${shared.date}_${hashOf(text).slice(0, 8)}.json`,
  );
  await Deno.mkdir(dirname(path), { recursive: true });
  await Deno.writeTextFile(path, text);
  return path;
}

/** Every evaluation below a folder, and a diagnostic for each file that isn't one. */
export async function readCollection(
  folder: string,
): Promise<{ readonly reports: readonly SharedEvaluation[]; readonly diagnostics: readonly Diagnostic[] }> {
  const reports: SharedEvaluation[] = [];
  const diagnostics: Diagnostic[] = [];
  const visit = async (place: string): Promise<void> => {
    for await (const { name, isDirectory } of Deno.readDir(place)) {
      const path = join(place, name);
      if (isDirectory) await visit(path);
      if (isDirectory || !name.endsWith(".json")) continue;
      const read = sharedSchema.safeParse(parseJson(await Deno.readTextFile(path)));
      if (read.success) {
        reports.push(read.data);
        continue;
      }
      diagnostics.push({
        code: "wrong_value",
        severity: "error",
        message: `${path} isn't an evaluation: ${issueText(read.error.issues[0])}`,
        expected: "a file that `evaluate --save FOLDER` or `evaluate --json` wrote",
        help: "remove the file from the folder, or write it again",
      });
    }
  };
  await visit(folder);
  return { reports, diagnostics };
}

function issueText(
  issue: { readonly path: readonly PropertyKey[]; readonly message: string } | undefined,
): string {
  return issue === undefined ? "" : `${issue.path.map(String).join(".") || "the file"}: ${issue.message}`;
}

/** The text of a configuration with other settings; everything else, also comments, stays. */
export function changeConfig(
  text: string,
  { settings, upstream }: { readonly settings: Settings; readonly upstream: UpstreamConfig },
): string {
  const document = parseDocument(text);
  if (!isMap(document.contents)) {
    document.contents = document.createNode({}) as unknown as typeof document.contents;
  }
  const list = document.get("upstreams");
  const items = isSeq(list) ? list.items : [];
  const found = items.findIndex((item) =>
    isMap(item) && (item.get("name") === upstream.name || item.get("url") === upstream.url)
  );
  if (found < 0) {
    const { name, url } = upstream;
    if (isSeq(list)) document.addIn(["upstreams"], { name, url });
    else document.set("upstreams", document.createNode([{ name, url }]));
  }
  const at = found < 0 ? items.length : found;
  for (const [path, value] of settings) {
    const [first, ...rest] = path;
    document.setIn(first === "UPSTREAM" ? ["upstreams", at, ...rest] : path, value);
  }
  return document.toString({ lineWidth: 0 });
}

/** The lines that differ, with `-` and `+`; the same ones at both ends are left out. */
export function diffOf(before: string, after: string): string {
  const [old, changed] = [before, after].map((text) => text.trimEnd().split("\n"));
  let start = 0;
  while (start < old!.length && old![start] === changed![start]) start++;
  let end = 0;
  while (
    end < Math.min(old!.length, changed!.length) - start && old!.at(-1 - end) === changed!.at(-1 - end)
  ) end++;
  const part = (lines: readonly string[], sign: string) =>
    lines.slice(start, lines.length - end).map((line) => `${sign} ${line}`);
  return [...before.trim() === "" ? [] : part(old!, "-"), ...part(changed!, "+")].join("\n");
}

function hashOf(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
