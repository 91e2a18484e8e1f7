/** The rules and clients of the running proxy, with the edited rule in place of the one of the same name. @module */
import type { PlaygroundSetup } from "../../routes/playground.ts";
import defaults from "../../../proxy/config/defaults.json" with { type: "json" };
import type { Config } from "../../../proxy/config/schema.ts";
import type { Diagnostic } from "../../../engine/diagnostic/diagnostic.ts";
import { readGuarded } from "../../../engine/document/guard.ts";
import type { TextFile } from "../../../engine/document/text_file.ts";
import { ruleName } from "../../../engine/rule/rule_name.ts";
import type { RecordedParts } from "../../../analysis/replay/recorded_client.ts";
import { type LoadedRules, readRules, type RuleSettings } from "../../../engine/rule/read.ts";

export interface RulesAsEdited {
  /** The rules in force, with the edited one if it has no errors. */
  readonly loaded: LoadedRules;
  /** The name of the edited rule; empty if there is none. */
  readonly name: string;
  readonly diagnostics: readonly Diagnostic[];
  readonly isUsed: boolean;
}

/** The configuration without a file; the rest of it doesn't matter here. */
const DEFAULTS = defaults.config as Config;

/** A file name for a text that names no rule. */
const UNNAMED = "rule";

export class Sources {
  readonly #setup: PlaygroundSetup;
  readonly #rules: readonly (readonly TextFile[])[];
  #plain: RulesAsEdited | undefined;
  #last: { readonly text: string; readonly rules: RulesAsEdited } | undefined;

  constructor(setup: PlaygroundSetup) {
    this.#setup = setup;
    this.#rules = setup.rules;
  }

  get setup(): PlaygroundSetup {
    return this.#setup;
  }

  /** Reads the rules with an edited file; with an empty text, without one. */
  read(text: string): RulesAsEdited {
    if (text.trim() === "") return this.#plain ??= this.#read(undefined);
    if (this.#last?.text !== text) this.#last = { text, rules: this.#read(text) };
    return this.#last.rules;
  }

  /** What answers are read with: these rules, without plugins. */
  parts({ loaded: { rules, program } }: RulesAsEdited): RecordedParts {
    const config = { ...DEFAULTS, ...this.#setup.config };
    return { config, rules, program, clients: this.#setup.clients };
  }

  /** The files of the rules in force, without the edited one. */
  get files(): readonly TextFile[] {
    return this.#rules.flat();
  }

  #read(text: string | undefined): RulesAsEdited {
    const { rules: { enable, disable, confidence }, policy } = this.#setup.config;
    const settings = {
      enable,
      disable,
      confidence,
      minimumConfidence: policy.minimum_confidence,
      fencedCalls: policy.fenced_calls,
      quotations: policy.quotations,
    };
    if (text === undefined) {
      return { loaded: readRules(this.#rules, settings), name: "", diagnostics: [], isUsed: false };
    }
    const name = ruleName(text);
    const file = { file: `${this.#setup.folder}/${name || UNNAMED}.yaml`, text };
    const { value: loaded, diagnostics } = readWith(this.#rules, { file, settings });
    const own = [
      ...diagnostics,
      ...loaded.diagnostics.filter(({ location }) => location?.file === file.file),
    ];
    const isUsed = loaded.fileOf(name) === file.file && own.every(({ severity }) => severity !== "error");
    // A file with errors leaves the rules as they are, as a hot reload does.
    return { loaded: isUsed ? loaded : this.read("").loaded, name, diagnostics: own, isUsed };
  }
}

function readWith(
  folders: readonly (readonly TextFile[])[],
  { file, settings }: { readonly file: TextFile; readonly settings: RuleSettings },
) {
  const rest = folders.map((folder) => folder.filter((other) => other.file !== file.file));
  return readGuarded([...rest, [file]], (texts) => readRules(texts, settings));
}
