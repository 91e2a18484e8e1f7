/** What the server and the playground exchange: the setup that the page's engine works with, and a rule to save. @module */
import type { Client } from "../../chat/client/schema.ts";
import type { Config } from "../../proxy/config/schema.ts";
import type { DiagnosticJson } from "../../engine/diagnostic/print.ts";
import type { TextFile } from "../../engine/document/text_file.ts";

/** The settings that decide how answers are read. */
type ReadingSettings = Pick<Config, "policy" | "tools" | "rules" | "models">;

/** The setup of the running proxy, without keys and addresses. */
export interface PlaygroundSetup {
  /** Each folder's rule files, the shipped ones first. */
  readonly rules: readonly (readonly TextFile[])[];
  /** The clients in force, in order of precedence. */
  readonly clients: readonly Client[];
  readonly config: ReadingSettings;
  /** How a new rule file names its JSON Schema. */
  readonly schema: string;
  /** The folder of the user's own rules, as it is shown. */
  readonly folder: string;
  /** The command that starts the command line, for hints. */
  readonly command: string;
  /** Whether the page can save rules; if it can't, why not and what to do. */
  readonly saving: Saving;
}

export type Saving =
  | { readonly isPossible: true }
  | { readonly isPossible: false; readonly message: string; readonly help: string };

export type SaveResult =
  | {
    readonly isSaved: true;
    readonly file: string;
    readonly exampleCount: number;
    readonly diagnostics: readonly DiagnosticJson[];
  }
  | {
    readonly isSaved: false;
    readonly status: 400 | 403 | 409 | 413 | 422;
    readonly message: string;
    readonly help: string;
    readonly diagnostics: readonly DiagnosticJson[];
  };
