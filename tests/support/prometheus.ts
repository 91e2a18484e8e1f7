/**
 * Reads the text format of Prometheus, strictly: every line is a comment, a blank or a sample whose name was
 * announced with its type.
 *
 * @module
 */

/** One sample. */
export interface Sample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** The samples of a page; throws at a line that is none. */
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
