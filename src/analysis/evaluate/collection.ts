/** Evaluations as a table of model and server, put together if battery, server version and settings are the same. @module */
import { isJsonEqual } from "../../engine/json/equal.ts";
import type { Count } from "./evaluation.ts";
import { ALONE, THROUGH } from "./sample.ts";
import type { SharedEvaluation } from "./shared_file.ts";
import { fisher, wilson } from "./statistics.ts";

/** Reports that measure the same. */
export interface Pool {
  readonly model: string;
  /** `llama.cpp b10547`. */
  readonly server: string;
  readonly battery: string;
  readonly settings: SharedEvaluation["settings"];
  readonly temperature: number | null;
  readonly reports: number;
  /** Column → figures with their interval. */
  readonly columns: Readonly<Record<string, Count & { readonly low: number; readonly high: number }>>;
  /** Findings, the most frequent first. */
  readonly findings: readonly string[];
  /** Whether two of its reports differ more than by chance. */
  readonly disagrees: boolean;
}

/** A difference of reports counts if chance makes it this seldom. */
const P_MAX = 0.01;

/** Puts reports together, ordered by model and server. */
export function poolReports(reports: readonly SharedEvaluation[]): Pool[] {
  const groups: SharedEvaluation[][] = [];
  for (const report of reports) {
    const group = groups.find(([first]) => first !== undefined && measureSame(first, report));
    if (group === undefined) groups.push([report]);
    else group.push(report);
  }
  return groups.map(poolOf).sort((a, b) =>
    a.model.localeCompare(b.model) || a.server.localeCompare(b.server)
  );
}

function measureSame(one: SharedEvaluation, other: SharedEvaluation): boolean {
  const key = ({ battery, model, server, settings, sampling: { temperature } }: SharedEvaluation) => ({
    battery,
    model,
    server,
    settings,
    temperature,
  });
  return isJsonEqual(key(one), key(other));
}

function poolOf(group: readonly SharedEvaluation[]): Pool {
  const [{ model, server, battery, settings, sampling }] = group as [SharedEvaluation];
  const names = [...new Set(group.flatMap(({ columns }) => Object.keys(columns)))];
  const counts = new Map<string, number>();
  for (const { id, alone, left } of group.flatMap(({ findings }) => findings)) {
    counts.set(id, (counts.get(id) ?? 0) + Math.max(alone, left));
  }
  return {
    model: model.quantization === undefined ? model.name : `${model.name} (${model.quantization})`,
    server: [server.kind ?? "unknown server", server.version ?? ""].join(" ").trim(),
    battery,
    settings,
    temperature: sampling.temperature,
    reports: group.length,
    columns: Object.fromEntries(names.map((name) => {
      const all = group.flatMap(({ columns }) => columns[name] ?? []);
      const [k, n] = [sum(all.map((one) => one.k)), sum(all.map((one) => one.n))];
      return [name, { k, n, ...wilson(k, n) }];
    })),
    findings: [...counts].sort(([, a], [, b]) => b - a).map(([id]) => id),
    disagrees: [ALONE, THROUGH].some((name) => differ(group.flatMap(({ columns }) => columns[name] ?? []))),
  };
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

function differ(reports: readonly Count[]): boolean {
  const measured = reports.filter(({ n }) => n > 0).sort((a, b) => a.k / a.n - b.k / b.n);
  const [worst, best] = [measured[0], measured.at(-1)];
  if (worst === undefined || best === undefined || worst === best) return false;
  return fisher({ k: best.k, n: best.n, otherK: worst.k, otherN: worst.n }) < P_MAX;
}
