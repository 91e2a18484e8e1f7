/** Reads a line of an audit log. One of another version, or damaged, whose fields can't be counted isn't a line. @module */
import type { AuditLine } from "../audit/line.ts";
import { REASONS } from "../../engine/event/reasons.ts";
import { parseJson } from "../../engine/object/parse.ts";
import { isRecord } from "../../engine/object/record.ts";

type FieldTypes = Readonly<Record<string, readonly string[]>>;

const TEXT = ["string"];
const NUMBER = ["number"];
/** A field that may be null, or that early logs lack. */
const TEXT_OR_NOTHING = ["string", "null", "undefined"];

const REQUEST_PART: FieldTypes = {
  time: TEXT,
  mode: TEXT,
  client: TEXT_OR_NOTHING,
  wire: TEXT_OR_NOTHING,
  key: TEXT_OR_NOTHING,
  model: TEXT_OR_NOTHING,
};

/** The fields that are counted or shown, by the kind of line. */
const FIELDS: Readonly<Record<AuditLine["kind"], FieldTypes>> = {
  gap: { lost: NUMBER },
  request: {
    ...REQUEST_PART,
    status: NUMBER,
    error: TEXT_OR_NOTHING,
    message: TEXT_OR_NOTHING,
    durationMs: NUMBER,
    addedMs: NUMBER,
    firstMs: ["number", "null", "undefined"],
    tokens: ["number", "null", "undefined"],
  },
  decision: { ...REQUEST_PART, rule: TEXT, reason: TEXT, outcome: TEXT, tool: TEXT_OR_NOTHING },
  result: { ...REQUEST_PART, rule: TEXT, verdict: TEXT },
};

/** A line of a log; undefined if it can't be read. */
export function readLine(text: string): AuditLine | undefined {
  const line = parseJson(text);
  if (!isRecord(line) || line.v !== 1) return undefined;
  const { kind } = line;
  if (
    typeof kind !== "string" || !Object.hasOwn(FIELDS, kind) ||
    !hasFields(line, FIELDS[kind as AuditLine["kind"]])
  ) return undefined;
  if (kind === "decision" && !Object.hasOwn(REASONS, String(line.reason))) return undefined;
  if (kind === "result" && line.verdict !== "accepted" && line.verdict !== "rejected") return undefined;
  // The name of the field in early logs.
  const printedAsText = line.printedAsText ?? line.leaked;
  return { ...line, ...(kind === "request" ? { printedAsText } : {}) } as unknown as AuditLine;
}

function hasFields(line: Partial<Record<string, unknown>>, fields: FieldTypes): boolean {
  return Object.entries(fields).every(([name, types]) =>
    types.includes(line[name] === null ? "null" : typeof line[name])
  );
}
