/** The command line: runs a verb and returns its exit code. 0: success; 1: errors or findings; 2: wrong usage. @module */
import project from "../../deno.json" with { type: "json" };
import { didYouMean } from "../engine/diagnostic/suggest.ts";
import { present } from "../engine/object/present.ts";
import { readArguments } from "./arguments.ts";
import { complain, complainOf, WRONG_USAGE } from "./complain.ts";
import { programHelp, verbHelp } from "./help.ts";
import { DISTRIBUTION, type Distribution } from "./service/distribution.ts";
import type { CliContext } from "./service/context.ts";
import type { Verb } from "./verb.ts";
import { loadVerbs, VERBS } from "./verbs.ts";

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
