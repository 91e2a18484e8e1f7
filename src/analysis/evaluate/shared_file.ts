/** An evaluation as a file to share: figures only, without the user's texts, hosts and keys. @module */
import * as z from "zod";
import { present } from "../../engine/object/present.ts";
import { settingsOf } from "./remedies.ts";
import type { Evaluation } from "./evaluation.ts";

const figures = z.object({
  k: z.number().int().min(0).describe("Right answers"),
  n: z.number().int().min(0).describe("Measured answers"),
}).refine(({ k, n }) => k <= n, { error: "k is at most n" });

export const sharedSchema = z.strictObject({
  v: z.literal(1).describe("The version of this format"),
  battery: z.string().describe("The version of the tasks"),
  dragoman: z.string().describe("Dragoman's version"),
  date: z.string().regex(/^\d{4}-\d{2}-\d{2}$/, "a day, such as 2026-11-23"),
  model: z.strictObject({
    name: z.string().max(200),
    quantization: z.string().max(80).optional().describe("As its user states it; it is never guessed"),
    template_sha256: z.string().regex(/^[\da-f]{64}$/).optional().describe(
      "The hash of the chat template, if the server shows it",
    ),
  }),
  server: z.strictObject({
    kind: z.string().max(80).nullable().describe("What was recognized; null if nothing was"),
    version: z.string().max(80).optional(),
  }),
  sampling: z.strictObject({
    mode: z.enum(["quick", "default", "thorough"]),
    temperature: z.number().nullable().describe("Null if the server's default applies"),
    repeats: z.number().int().positive(),
    seeded: z.boolean(),
  }),
  settings: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])).describe(
    "The Dragoman settings that affect the answers",
  ),
  columns: z.record(z.string(), figures),
  tasks: z.record(
    z.string(),
    z.record(
      z.string(),
      z.string().regex(/^\d+\/\d+$/, "correct answers out of measured answers, such as 3/5"),
    ),
  ),
  findings: z.array(z.strictObject({
    id: z.string(),
    rules: z.array(z.string()),
    alone: z.number().int().min(0),
    left: z.number().int().min(0).describe("The remaining wrong answers through Dragoman"),
  })),
  recommended: z.record(z.string(), z.unknown()).nullable().describe(
    "The change of dragoman.yaml with a measured gain; null without one",
  ),
  unmeasured: z.number().int().min(0).describe(
    "Answers that couldn't be measured, such as errors from a busy server",
  ),
  partial: z.boolean().describe("Whether the evaluation was ended early"),
  answers: z.array(z.strictObject({
    task: z.string(),
    column: z.string(),
    finding: z.string(),
    raw: z.string(),
  })).optional().describe("The model's wrong answers, only if you request them"),
});

export type SharedEvaluation = z.infer<typeof sharedSchema>;

export function sharedEvaluation(evaluation: Evaluation, { withAnswers = false } = {}): SharedEvaluation {
  const { facts, columns, tasks, findings, recommended, failures } = evaluation;
  const settings = recommended?.strength === "measured" ? settingsOf(evaluation) : [];
  return {
    v: 1,
    battery: facts.battery,
    dragoman: facts.dragoman,
    date: facts.date,
    model: {
      name: bareName(facts.model),
      ...present({ quantization: facts.quantization, template_sha256: facts.template }),
    },
    server: { kind: facts.server?.kind ?? null, ...present({ version: facts.server?.version }) },
    sampling: {
      mode: facts.mode,
      temperature: facts.temperature,
      repeats: facts.repeats,
      seeded: true,
    },
    settings: { ...facts.settings },
    columns: Object.fromEntries(columns.map(({ name, k, n }) => [name, { k, n }])),
    tasks: Object.fromEntries(tasks.map(({ name, cells }) => [
      name,
      Object.fromEntries(Object.entries(cells).map(([column, { k, n }]) => [column, `${k}/${n}`])),
    ])),
    findings: findings.map(({ id, rules, alone, left }) => ({ id, rules: [...rules], alone, left })),
    recommended: settings.length === 0 ? null : Object.fromEntries(
      settings.map(([path, value]) => [path.join(".").replace("UPSTREAM", "upstream"), value]),
    ),
    unmeasured: Math.max(0, ...columns.map(({ unmeasured }) => unmeasured)),
    partial: facts.isPartial,
    ...withAnswers
      ? {
        answers: failures.map(({ task, column, finding = "", exchange: { raw } }) => ({
          task,
          column,
          finding,
          raw,
        })),
      }
      : {},
  };
}

/** A model's name without the folders of its file, which tell about its user. */
export function bareName(model: string): string {
  const isPath = /^(?:[\/\\~.]|[a-z]:\\)/i.test(model);
  return isPath ? model.split(/[\/\\]/).at(-1) ?? model : model;
}
