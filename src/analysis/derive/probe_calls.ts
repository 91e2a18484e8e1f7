/**
 * The calls that a template is asked to write: those that a rule is derived from, and others that prove it.
 *
 * @module
 */
import type { SampleCall } from "./sample.ts";

/** One answer's calls and what they show, as a sentence. */
export interface ProbeCalls {
  readonly name: string;
  readonly calls: readonly SampleCall[];
}

function call(tool: string, given: Readonly<Record<string, unknown>>): SampleCall {
  return { tool, arguments: given };
}

/** A rule is derived from what a template makes of these. Every value is unlike every other text. */
export const LEARNING: readonly ProbeCalls[] = [
  { name: "one argument", calls: [call("lookup_probe", { subject: "Kx4 value" })] },
  { name: "two arguments", calls: [call("lookup_probe", { subject: "Kx4 value", detail: "Rw7 other" })] },
  {
    name: "two calls",
    calls: [call("lookup_probe", { subject: "Kx4 value" }), call("lookup_probe", { subject: "Mn5 next" })],
  },
  {
    name: "two calls with two arguments",
    calls: [
      call("lookup_probe", { subject: "Kx4 value", detail: "Rw7 other" }),
      call("lookup_probe", { subject: "Mn5 next", detail: "Pq8 last" }),
    ],
  },
  { name: "an integer", calls: [call("lookup_probe", { subject: "Kx4 value", amount: 73519 })] },
  { name: "a boolean", calls: [call("lookup_probe", { subject: "Kx4 value", exact: true })] },
  {
    name: "a list",
    calls: [call("lookup_probe", { subject: "Kx4 value", parts: ["Vb2 first", "Cd6 second"] })],
  },
  { name: "markup", calls: [call("lookup_probe", { subject: "Kx4 <b>value</b>", detail: "Rw7 & other" })] },
];

/** A rule has to read what a template makes of these: other names, other values, and values that hurt. */
export const PROVING: readonly ProbeCalls[] = [
  { name: "one call", calls: [call("write_file", { path: "src/a.ts", content: "let a = 1 < 2;" })] },
  {
    name: "a multi-line string",
    calls: [
      call("write_file", {
        path: "notes.md",
        content: '# Title\n\n- a "quoted" word\n- <b>bold</b> & more\n\n    end',
      }),
    ],
  },
  {
    name: "two calls to two tools",
    calls: [call("read_file", { path: "a.txt" }), call("list_files", { folder: "src", depth: 2 })],
  },
  { name: "three calls", calls: ["a", "b", "c"].map((path) => call("read_file", { path })) },
  {
    name: "numbers, a boolean, and a list",
    calls: [call("set_options", { count: 5, isOn: false, names: ["a", "b"] })],
  },
  { name: "a string that looks like a number", calls: [call("search", { query: "42", folder: "" })] },
];
