/** Reads a folder of files that each define one thing, with the file's own name, which no other one has. @module */
import type { z } from "zod";
import type { Diagnostic } from "../diagnostic/diagnostic.ts";
import { type Document, readDocument, type Rewritten } from "./document.ts";
import { present } from "../object/present.ts";
import type { TextFile } from "./text_file.ts";

/** The kinds of things; the name of a thing is in its field of this name. */
type Kind = "rule" | "client";

/** A thing and the file that defines it. */
export interface NamedDocument<T> {
  readonly value: T;
  readonly document: Document<T>;
}

interface NamedOptions<T> {
  readonly kind: Kind;
  readonly schema: z.ZodType<T>;
  readonly rewrite?: (value: unknown) => Rewritten;
  /** Help for fields that people bring from elsewhere. */
  readonly foreign?: Readonly<Record<string, string>>;
  /** Finds what the schema can't. */
  readonly check?: (entry: NamedDocument<T>) => readonly Diagnostic[];
}

interface NamedFolder<T> {
  /** Name → thing; of two with one name the first. */
  readonly found: ReadonlyMap<string, NamedDocument<T>>;
  /** The valid parts of things with errors: checked further, never used. */
  readonly partial: readonly NamedDocument<T>[];
  readonly diagnostics: readonly Diagnostic[];
}

export function readNamed<T extends Readonly<Partial<Record<Kind, string>>>>(
  files: readonly TextFile[],
  { kind, schema, rewrite, foreign, check }: NamedOptions<T>,
): NamedFolder<T> {
  const diagnostics: Diagnostic[] = [];
  const partial: NamedDocument<T>[] = [];
  const found = new Map<string, NamedDocument<T>>();
  for (const file of files) {
    const document = readOnce(file, { schema, ...present({ rewrite, foreign }) });
    diagnostics.push(...document.diagnostics);
    if (document.partial !== undefined) partial.push({ value: document.partial, document });
    const { value } = document;
    if (value === undefined) continue;
    const entry = { value, document };
    diagnostics.push(...check?.(entry) ?? []);
    const name = value[kind] ?? "";
    const previous = found.get(name);
    if (previous !== undefined) diagnostics.push(duplicate(document, { kind, name, previous }));
    else if (name !== stemOf(file.file)) {
      diagnostics.push(nameDiffers(document, { kind, name, file: file.file }));
    }
    if (previous === undefined) found.set(name, entry);
  }
  return { found, partial, diagnostics };
}

/** What was read of a file, by the schema. */
interface KnownFile {
  readonly text: string;
  readonly documents: Map<unknown, Document<unknown>>;
}

/** File → its latest text, with what was read of it. If it is full, it begins again. */
const read = new Map<string, KnownFile>();
const FILES_MAX = 1024;

/** Reads a file, unless it is as it was: an edited rule is read among all others again and again, and these don't change. */
function readOnce<T>(
  file: TextFile,
  options: Omit<Parameters<typeof readDocument<T>>[0], keyof TextFile>,
): Document<T> {
  const { documents } = knownFile(file);
  const found = documents.get(options.schema) ?? readDocument({ ...file, ...options });
  documents.set(options.schema, found);
  return found as Document<T>;
}

function knownFile({ file, text }: TextFile): KnownFile {
  const known = read.get(file);
  if (known?.text === text) return known;
  if (read.size >= FILES_MAX) read.clear();
  const fresh = { text, documents: new Map() };
  read.set(file, fresh);
  return fresh;
}

/** `rules/mine.yaml` → `mine`. */
function stemOf(file: string): string {
  return file.slice(Math.max(file.lastIndexOf("/"), file.lastIndexOf("\\")) + 1).replace(/\.ya?ml$/, "");
}

function duplicate<T>(
  document: Document<T>,
  { kind, name, previous }: { kind: Kind; name: string; previous: NamedDocument<T> },
): Diagnostic {
  const other = previous.document.locate([kind]);
  return {
    code: `duplicate_${kind}`,
    severity: "error",
    message: `${TITLES[kind]} "${name}" is defined twice`,
    location: document.locate([kind]),
    expected: `a name that no other ${kind} in the folder has`,
    help: `rename this ${kind} or the one at ${other.file}:${other.line}`,
  };
}

function nameDiffers<T>(
  document: Document<T>,
  { kind, name, file }: { kind: Kind; name: string; file: string },
): Diagnostic {
  return {
    code: `${kind}_name`,
    severity: "error",
    message: `${TITLES[kind]} "${name}" is in a file with a different name`,
    location: document.locate([kind]),
    expected: `\`${stemOf(file)}\`, the file's name`,
    help: `rename the file to ${name}.yaml, or the ${kind}`,
  };
}

const TITLES = { rule: "Rule", client: "Client" } as const;
