/** The command that evaluates again, for a report: without the server's address and folders of this machine. @module */
import { shellQuoted } from "../admin/page/curl.ts";
import { bareName } from "../analysis/evaluate/shared_file.ts";
import type { VerbInput } from "./verb.ts";

/** What an evaluation that checks a change doesn't need. */
const LEFT_OUT: ReadonlySet<string> = new Set(["write", "json", "save", "with-answers", "yes"]);

const PLAIN = /^[\w.\/:@%+-]+$/;

/** A value; `…/tiny.gguf` for an absolute path. */
function shownValue(value: string): string {
  const bare = bareName(value);
  return bare === value ? value : `…/${bare}`;
}

export function commandOf({ values }: VerbInput, command: string): string {
  const flags = Object.entries(values).flatMap(([name, value]) => {
    if (value === undefined || value === false || LEFT_OUT.has(name)) return [];
    if (name === "upstream") return ['--upstream "$UPSTREAM"'];
    if (value === true) return [`--${name}`];
    const list = (Array.isArray(value) ? value : [value]).map((one) => shownValue(String(one)));
    return list.map((one) => `--${name} ${PLAIN.test(one) ? one : shellQuoted(one)}`);
  });
  return [command, "evaluate", ...flags].join(" ");
}
