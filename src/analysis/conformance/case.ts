/** Reads the cases of a conformance suite, one JSON object per line: a model's output and what to find in it. @module */
import * as z from "zod";
import type { Diagnostic } from "../../engine/diagnostic/diagnostic.ts";
import type { TextFile } from "../../engine/document/text_file.ts";
import { deepPlace, isNestedTooDeep } from "../../engine/object/nesting.ts";

const caseSchema = z.object({
  id: z.string(),
  dialect: z.string(),
  tools: z.array(z.object({ function: z.looseObject({ name: z.string() }) })).nullish(),
  text: z.string(),
  message: z.looseObject({}).optional(),
  finish_reason: z.string().default("stop"),
  tier: z.string().default("-"),
  tags: z.array(z.string()).default([]),
  content_exact: z.boolean().default(false),
  calls_exact: z.boolean().default(true),
  expect: z.object({
    content: z.string().nullish(),
    calls: z.array(z.object({ name: z.string(), arguments: z.unknown() })).nullish(),
    text: z.string().nullish(),
  }).prefault({}),
  client: z.object({ system: z.string(), model: z.string().optional() }).nullish(),
});

export type ConformanceCase = z.infer<typeof caseSchema>;

interface ReadCases {
  readonly cases: readonly ConformanceCase[];
  readonly diagnostics: readonly Diagnostic[];
}

/** The most lines with a diagnostic of their own; a file with more is not a file of cases. */
const COMPLAINTS_MAX = 3;

/** Reads the cases of a file, ignoring empty lines. */
export function readCases({ file, text }: TextFile): ReadCases {
  const cases: ConformanceCase[] = [];
  const diagnostics: Diagnostic[] = [];
  let wrong = 0;
  text.split("\n").forEach((line, index) => {
    if (line.trim() === "") return;
    const { value, problem } = readCase(line);
    if (value !== undefined) return void cases.push(value);
    if (++wrong > COMPLAINTS_MAX) return;
    diagnostics.push({
      code: "wrong_value",
      severity: "error",
      message: `Cannot read a conformance case: ${problem}`,
      location: { file, line: index + 1, column: 1, length: 1, text: line },
      expected: "a JSON object on one line with id, dialect, text, tools, expect, tier",
    });
  });
  const more = wrong - COMPLAINTS_MAX;
  if (more > 0) {
    const message = `Cannot read ${more} more ${more === 1 ? "line" : "lines"} of ${file}`;
    const expected = "one conformance case per line";
    diagnostics.push({ code: "wrong_value", severity: "error", message, expected });
  }
  return { cases, diagnostics };
}

function readCase(line: string): { value?: ConformanceCase; problem?: string } {
  if (isNestedTooDeep(line)) return { problem: `\`${deepPlace(line)}\` is nested too deeply` };
  let json: unknown;
  try {
    json = JSON.parse(line);
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) };
  }
  const { data, error } = caseSchema.safeParse(json);
  if (data !== undefined) return { value: data };
  return {
    problem: (error?.issues ?? []).map(({ path, message }) => `${path.join(".")}: ${message}`).join("; "),
  };
}
