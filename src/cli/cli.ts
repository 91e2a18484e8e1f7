/** The command line: runs a verb and returns its exit code. 0: success; 1: errors or findings; 2: wrong usage. @module */
import project from "../../deno.json" with { type: "json" };
import { didYouMean } from "../engine/diagnostic/suggest.ts";
import { present } from "../engine/object/present.ts";
import { HELP_OPTION, readArguments } from "./arguments.ts";
import { complain, complainOf, WRONG_USAGE } from "./complain.ts";
import { DISTRIBUTION, type Distribution } from "./service/distribution.ts";
import type { CliContext } from "./service/context.ts";
import type { Verb, VerbOption } from "./verb.ts";
import { PROGRAM, withCommand } from "../engine/diagnostic/command.ts";
import { wrapText } from "./wrap.ts";

const DEFAULT_VERB = "serve";

export async function runCommandLine(words: readonly string[], context: CliContext): Promise<number> {
  const [first = "", ...rest] = words;
  if (["--version", "-V", "version"].includes(first)) {
    context.stdout(versionText());
    return 0;
  }
  if (["--help", "-h", "help"].includes(first)) return await help(rest[0], context);
  const isFlag = first === "" || first.startsWith("-");
  return await runVerb(isFlag ? DEFAULT_VERB : first, { words: isFlag ? words : rest, context });
}

/** Distribution → its name for people. */
const FORMS: Readonly<Record<Distribution, string>> = {
  source: "from source",
  package: "npm package",
  binary: "one binary",
};

function versionText(): string {
  const { os, arch } = Deno.build;
  return `dragoman ${project.version} (${
    FORMS[DISTRIBUTION]
  }, Deno ${Deno.version.deno}, V8 ${Deno.version.v8}, ${os} ${arch})\n`;
}

async function help(name: string | undefined, context: CliContext): Promise<number> {
  if (name === undefined) {
    const verbs = await loadVerbs();
    context.stdout(programHelp(verbs, { version: project.version, command: context.command }));
    return 0;
  }
  const verb = await findVerb(name, context);
  if (verb !== undefined) context.stdout(verbHelp(verb, context.command));
  return verb === undefined ? WRONG_USAGE : 0;
}

async function runVerb(
  name: string,
  { words, context }: { words: readonly string[]; context: CliContext },
): Promise<number> {
  const verb = await findVerb(name, context);
  if (verb === undefined) return WRONG_USAGE;
  const { input, isHelp, diagnostics } = readArguments(words, verb);
  if (isHelp) {
    context.stdout(verbHelp(verb, context.command));
    return 0;
  }
  if (diagnostics.length > 0) {
    complain(diagnostics, context);
    return WRONG_USAGE;
  }
  return await verb.run(input, context);
}

/** What other programs call a verb. */
const MEANT: Readonly<Record<string, string>> = {
  start: "serve",
  run: "serve",
  up: "serve",
  config: "init",
  setup: "init",
  lint: "check",
  test: "check",
  validate: "check",
  stats: "report",
  logs: "report",
};

async function findVerb(name: string, context: CliContext): Promise<Verb | undefined> {
  const load = Object.hasOwn(VERBS, name) ? VERBS[name] : undefined;
  if (load !== undefined) return await load();
  const meant = Object.hasOwn(MEANT, name) ? `did you mean \`${MEANT[name]}\`?` : undefined;
  const help = meant ?? didYouMean(name, Object.keys(VERBS));
  complainOf({
    code: "unknown_verb",
    message: `Unknown verb \`${name}\``,
    ...present({ help }),
  }, context);
  return undefined;
}

const WIDTH = 100;

export function programHelp(
  verbs: readonly Verb[],
  { version, command = PROGRAM }: { readonly version: string; readonly command?: string },
): string {
  const lines = [
    `dragoman ${version}: converts tool calls that a model prints as text into calls that your agent runs`,
    "",
    "Usage: dragoman [VERB] [FLAGS]        the default verb is serve",
    "",
    "Verbs:",
    ...columns(verbs.map(({ name, summary }) => [name, summary])),
    "",
    "Examples:",
    "  dragoman serve --upstream http://127.0.0.1:8080/v1   # then point your agent at http://127.0.0.1:8787/v1",
    "  dragoman demo                                        # see what it does; no model needed",
    "",
    "`dragoman help VERB` lists a verb's flags. `dragoman --version` prints the version.",
    "",
  ];
  return withCommand(lines.join("\n"), command);
}

export function verbHelp(verb: Verb, command: string = PROGRAM): string {
  const options = Object.entries({ ...verb.options, ...HELP_OPTION });
  const lines = [
    ...wrapText(`${verb.summary}.`, WIDTH).split("\n"),
    "",
    `Usage: dragoman ${verb.usage}`,
    "",
    "Flags:",
    ...columns(options.map(([name, option]) => [flagOf(name, option), explained(option)])),
    "",
    ...verb.signals === undefined ? [] : ["Signals:", ...columns(Object.entries(verb.signals)), ""],
    verb.examples.length === 1 ? "Example:" : "Examples:",
    ...verb.examples.map((example) => `  dragoman ${example}`),
    "",
  ];
  return withCommand(lines.join("\n"), command);
}

/** `-p, --port PORT`. */
function flagOf(name: string, { short, placeholder, type }: VerbOption): string {
  const value = type === "string" ? ` ${placeholder ?? "VALUE"}` : "";
  return `${short === undefined ? "    " : `-${short}, `}--${name}${value}`;
}

function explained({ description, multiple = false }: VerbOption): string {
  return multiple ? `${description}; can be repeated` : description;
}

function columns(rows: readonly (readonly [string, string])[]): string[] {
  const width = Math.max(...rows.map(([first]) => first.length)) + 2;
  return rows.flatMap(([first, text]) => {
    const lines = wrapText(text, WIDTH - width - 2).split("\n");
    return lines.map((line, index) => `  ${(index === 0 ? first : "").padEnd(width)}${line}`);
  });
}

/** Verb → its code. The specifiers are literals, so that a compiled binary contains every verb. */
const VERBS: Readonly<Record<string, () => Promise<Verb>>> = {
  serve: async () => (await import("./serve.ts")).serve,
  init: async () => (await import("./init.ts")).init,
  demo: async () => (await import("./demo.ts")).demo,
  check: async () => (await import("./check.ts")).check,
  rules: async () => (await import("./rules.ts")).rules,
  plugins: async () => (await import("./plugins.ts")).plugins,
  transform: async () => (await import("./transform.ts")).transform,
  trace: async () => (await import("./trace.ts")).trace,
  derive: async () => (await import("./derive.ts")).derive,
  explain: async () => (await import("./explain.ts")).explain,
  report: async () => (await import("./report.ts")).report,
  replay: async () => (await import("./replay.ts")).replay,
  evaluate: async () => (await import("./evaluate.ts")).evaluate,
  service: async () => (await import("./service_verb.ts")).service,
  completion: async () => (await import("./completion.ts")).completionOf(loadVerbs),
  conformance: async () => (await import("./conformance.ts")).conformance,
};

export function loadVerbs(): Promise<Verb[]> {
  return Promise.all(Object.values(VERBS).map((load) => load()));
}
