/**
 * Reads the text format of Prometheus, strictly: every line is a comment, a blank or a sample whose name was
 * announced with its type.
 *
 * @module
 */

export interface Sample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** The samples of a page; throws at any other line. */
export function readPrometheus(text: string): Sample[] {
  const types = new Map<string, string>();
  if (!text.endsWith("\n")) throw new Error("The page does not end with a newline");
  return text.split("\n").flatMap((line): Sample[] => {
    const type = /^# TYPE ([a-zA-Z_:][\w:]*) (counter|gauge|histogram|summary|untyped)$/.exec(line);
    if (type !== null) types.set(type[1]!, type[2]!);
    if (line === "" || line.startsWith("# TYPE ") || line.startsWith("# HELP ")) return [];
    const sample = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? (-?\d+(?:\.\d+)?(?:e[+-]?\d+)?|NaN|[+-]Inf)$/.exec(line);
    if (sample === null) throw new Error(`No sample: ${line}`);
    const [, name = "", inner = "", value = ""] = sample;
    const family = types.has(name) ? name : name.replace(/_(?:bucket|sum|count)$/, "");
    if (!types.has(family)) throw new Error(`${name} has no type`);
    return [{ name, labels: readLabels(inner), value: Number(value.replace("Inf", "Infinity")) }];
  });
}

function readLabels(text: string): Record<string, string> {
  const labels: Record<string, string> = {};
  const pattern = /([a-zA-Z_]\w*)="((?:[^"\\]|\\["\\n])*)"(?:,|$)/y;
  while (pattern.lastIndex < text.length) {
    const at = pattern.lastIndex;
    const found = pattern.exec(text);
    if (found === null) throw new Error(`No label: ${text.slice(at)}`);
    labels[found[1]!] = found[2]!;
  }
  return labels;
}

/**
 * Checks what `promtool check metrics` checks: each family has one HELP and one TYPE before its samples, its samples are
 * together and none comes twice, counters end in `_total`, and units are base units.
 */
export function checkExposition(text: string): void {
  const helped = new Set<string>();
  const typed = new Map<string, string>();
  const seen = new Set<string>();
  const closed = new Set<string>();
  let current = "";
  for (const line of text.split("\n")) {
    const about = /^# (HELP|TYPE) (\S+) (.+)$/.exec(line);
    if (about !== null) {
      const [, kind, name = "", rest = ""] = about;
      if (kind === "HELP" ? helped.has(name) : typed.has(name)) throw new Error(`${name}: ${kind} twice`);
      if (kind === "HELP") helped.add(name);
      else typed.set(name, rest);
      if (name !== current) closed.add(current);
      if (closed.has(name)) throw new Error(`${name} is in two places`);
      current = name;
      continue;
    }
    if (line === "") continue;
    const series = line.slice(0, line.lastIndexOf(" "));
    if (seen.has(series)) throw new Error(`${series} comes twice`);
    seen.add(series);
    if (!series.startsWith(current)) throw new Error(`${series} is not among the samples of ${current}`);
  }
  for (const [name, type] of typed) {
    if (!helped.has(name)) throw new Error(`${name} has no HELP`);
    if (!/^[a-z][a-z0-9_]*$/.test(name)) throw new Error(`${name} is not in snake case`);
    if ((type === "counter") !== name.endsWith("_total")) throw new Error(`${name} is a ${type}`);
    if (/milliseconds|minutes|kilobytes|percent/.test(name)) throw new Error(`${name} is not in a base unit`);
  }
  readPrometheus(text);
}
