/** Saves a playground's rule into the user's folder, if it passes the check with its examples and replaces no other. @module */
import { dirname, join, resolve } from "node:path";
import type { SaveResult } from "../../admin/routes/playground.ts";
import { ownRuleFolder } from "../../proxy/config/load.ts";
import { type DiagnosticJson, diagnosticToJson } from "../../engine/diagnostic/print.ts";
import { readGuarded } from "../../engine/document/guard.ts";
import { readYamlFolders, shownPath } from "../../engine/document/load.ts";
import type { TextFile } from "../../engine/document/text_file.ts";
import { checkRules } from "../../engine/rule/check.ts";
import { BUILT_IN_RULES, SHIPPED_RULES } from "../../engine/rule/folder.ts";
import { readyRules } from "../../engine/rule/load.ts";
import { readRules } from "../../engine/rule/read.ts";
import type { Rule } from "../../engine/rule/schema.ts";
import { ruleName } from "../../engine/rule/rule_name.ts";
import { proveSpeech } from "../../chat/prompt/proof.ts";
import { makeFolder } from "./audit_file.ts";
import { DISTRIBUTION } from "./distribution.ts";
import { linkOut } from "./linked_path.ts";
import { copySchema } from "./schema_line.ts";
import { ruleSettings, type Setup } from "./setup.ts";
import type { CliContext } from "./context.ts";

/** The longest example that a running server reads: it is cut at every position, and requests wait in the meantime. */
const EXAMPLE_LENGTH_MAX = 4096;

type Refusal = SaveResult & { readonly isSaved: false };

export async function saveRule(
  text: string,
  { setup, context }: { readonly setup: Setup; readonly context: CliContext },
): Promise<SaveResult> {
  const name = ruleName(text);
  if (name === "") {
    return refuse(
      400,
      "The rule has no name",
      "begin with `rule: NAME`, in lowercase letters, digits, and _",
    );
  }
  const folder = ownRuleFolder(setup.config);
  const file = join(folder, `${name}.yaml`);
  const refusal = await refusePlace({ file, name }, { setup, context });
  if (refusal !== undefined) return refusal;
  const edited: TextFile = { file: shownPath(file, context), text };
  const folders = await withoutFile(edited.file, { setup, context });
  const twin = folders.slice(1).flat().find((other) => ruleName(other.text) === name);
  if (twin !== undefined) {
    const help = "change that file, or choose another name for the rule";
    return refuse(409, `${twin.file} has a rule with this name, too`, help);
  }
  const { errors, diagnostics, exampleCount } = check({ edited, folders }, { setup, context });
  if (errors > 0) {
    const message = `The rule has ${errors === 1 ? "an error" : `${errors} errors`}`;
    return { ...refuse(422, message, "fix the errors that `check` reports"), diagnostics };
  }
  await write(file, text);
  await copySchema({ folder, name: "rule.schema.json", form: DISTRIBUTION });
  return { isSaved: true, file: shownPath(file, context), exampleCount, diagnostics };
}

/** Why nothing can be saved in the user's folder; undefined if it can. */
export async function whyNotSaved(
  config: Pick<Setup["config"], "ruleFolders" | "path">,
  context: CliContext,
): Promise<{ readonly message: string; readonly help: string } | undefined> {
  if (config.ruleFolders.length === 0) {
    return {
      message: "The proxy has no folder for your own rules",
      help: "add one to `rules.folders` in dragoman.yaml",
    };
  }
  const folder = ownRuleFolder(config);
  const shown = shownPath(folder, context);
  if (resolve(folder) === resolve(BUILT_IN_RULES)) {
    return {
      message: "Shipped rules can't be changed",
      help: "add a folder of your own to `rules.folders` in dragoman.yaml",
    };
  }
  const { state } = await Deno.permissions.query({ name: "write", path: folder });
  if (state === "granted") return undefined;
  return {
    message: `This proxy has no permission to write to ${shown}`,
    help: `copy the YAML into ${shown}; a server may write the folder \`${
      DISTRIBUTION === "source" ? "my_rules" : "rules"
    }\` next to its configuration`,
  };
}

async function refusePlace(
  { file, name }: { readonly file: string; readonly name: string },
  { setup, context }: { readonly setup: Setup; readonly context: CliContext },
): Promise<Refusal | undefined> {
  const reason = await whyNotSaved(setup.config, context);
  if (reason !== undefined) return refuse(403, reason.message, reason.help);
  const link = await linkOut(file, { folder: dirname(setup.config.path) });
  if (link !== undefined) {
    return refuse(403, `The rule is not saved through a link: ${link}`, "remove the link");
  }
  const shown = shownPath(file, context);
  const there = await Deno.readTextFile(file).catch((cause) => {
    if (cause instanceof Deno.errors.NotFound) return undefined;
    throw cause;
  });
  if (there === undefined || ruleName(there) === name) return undefined;
  return refuse(409, `${shown} contains something else`, "choose another name for the rule");
}

function refuse(status: Refusal["status"], message: string, help: string): Refusal {
  return { isSaved: false, status, message, help, diagnostics: [] };
}

interface Checked {
  readonly errors: number;
  readonly diagnostics: readonly DiagnosticJson[];
  readonly exampleCount: number;
}

/** The rule files in force without one of them: those that ship, then each folder of the user. */
async function withoutFile(
  file: string,
  { setup, context }: { readonly setup: Setup; readonly context: CliContext },
): Promise<readonly (readonly TextFile[])[]> {
  const { folders } = await readYamlFolders([SHIPPED_RULES, ...setup.config.ruleFolders], context);
  return folders.map((folder) => folder.filter((other) => other.file !== file));
}

interface EditedRule {
  readonly edited: TextFile;
  /** The other files in force. */
  readonly folders: readonly (readonly TextFile[])[];
}

/** Checks the rule among all rules, as a reload reads them with the file in its place. */
function check(
  { edited, folders: [shipped = [], own = [], ...later] }: EditedRule,
  { setup, context }: { readonly setup: Setup; readonly context: CliContext },
): Checked {
  const settings = ruleSettings(setup.config);
  const { value: loaded, diagnostics: failed } = readGuarded(
    [shipped, [...own, edited], ...later],
    (texts) => readRules(texts, settings, readyRules(shipped)),
  );
  const isEdited = (diagnostic: { readonly location?: { readonly file: string } }) =>
    diagnostic.location?.file === edited.file;
  const known = [...failed, ...loaded.diagnostics].filter(isEdited);
  const isInFile = ({ rule }: Rule) => loaded.fileOf(rule) === edited.file;
  const long = loaded.rules.filter(isInFile).flatMap(({ examples, untouched }) => [...examples, ...untouched])
    .filter(({ input }) => input.length > EXAMPLE_LENGTH_MAX);
  const tooLong = long.map(({ name }): DiagnosticJson => ({
    code: "wrong_value",
    severity: "error",
    message: `Example "${name}" is longer than ${EXAMPLE_LENGTH_MAX} characters`,
    help: `shorten it, or save the file yourself and run \`${context.command} check\``,
  }));
  const { diagnostics: found, exampleCount } = checkRules(loaded, {
    isTarget: (rule) => isInFile(rule) && long.length === 0,
    isBuiltIn: () => false,
    diagnostics: known,
    prove: proveSpeech,
  });
  const diagnostics = [...tooLong, ...found.map(diagnosticToJson)];
  const errors = diagnostics.filter(({ severity }) => severity === "error").length;
  return { errors, diagnostics, exampleCount };
}

/** Writes the whole file or nothing: a reader sees the old file or the new one. */
async function write(file: string, text: string): Promise<void> {
  await makeFolder(dirname(file));
  const temporary = join(dirname(file), `.${crypto.randomUUID()}.tmp`);
  try {
    await Deno.writeTextFile(temporary, text.endsWith("\n") ? text : `${text}\n`, { createNew: true });
    await Deno.rename(temporary, file);
  } catch (cause) {
    await Deno.remove(temporary).catch(() => {});
    throw cause;
  }
}
