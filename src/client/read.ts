/**
 * Turns the texts of client files into clients, in order of precedence, and reports every error with its location.
 *
 * @module
 */
import type { Diagnostic } from "../diagnostic/diagnostic.ts";
import { type Document, readDocument } from "../document/document.ts";
import { checkClient } from "./check.ts";
import { type Client, clientSchema } from "./schema.ts";

/** A client file's text. */
export interface ClientText {
  /** The file as diagnostics show it; its name without the ending is the client's name. */
  readonly file: string;
  /** Its text. */
  readonly text: string;
  /** The text's plain value, if it is known without parsing the text. */
  readonly known?: unknown;
}

/** The clients of all folders. */
export interface LoadedClients {
  /** Every client that could be read, in order of precedence. */
  readonly clients: readonly Client[];
  /** Every error. */
  readonly diagnostics: readonly Diagnostic[];
}

interface ClientEntry {
  readonly client: Client;
  readonly document: Document<Client>;
}

/**
 * Reads clients. A client of a later folder replaces one of the same name of an earlier folder; two of the same
 * name in one folder are an error.
 *
 * @param folders each folder's client files, the built-in clients first
 *
 * @example
 * ```ts
 * import { readClients } from "./read.ts";
 * const { clients } = readClients([[{ file: "mine.yaml", text: "client: mine\nwrites: tool_calls\n" }]]);
 * console.assert(clients[0]?.client === "mine");
 * ```
 */
export function readClients(folders: readonly (readonly ClientText[])[]): LoadedClients {
  const diagnostics: Diagnostic[] = [];
  const clients = new Map<string, Client>();
  for (const folder of folders) {
    const { found, mistakes } = readFolder(folder);
    diagnostics.push(...mistakes);
    for (const { client } of found) clients.set(client.client, client);
  }
  const sorted = [...clients.values()].sort((a, b) =>
    a.recognise.order - b.recognise.order || (a.client < b.client ? -1 : 1)
  );
  return { clients: sorted, diagnostics };
}

function readFolder(folder: readonly ClientText[]): { found: ClientEntry[]; mistakes: Diagnostic[] } {
  const mistakes: Diagnostic[] = [];
  const found = new Map<string, ClientEntry>();
  for (const entry of folder) {
    const { file } = entry;
    const document = readDocument({ ...entry, schema: clientSchema });
    mistakes.push(...document.diagnostics);
    const client = document.value;
    if (client === undefined) continue;
    mistakes.push(...problemsOf({ client, document }));
    const previous = found.get(client.client);
    if (previous !== undefined) mistakes.push(duplicateClient(document, previous));
    else if (client.client !== stemOf(file)) mistakes.push(nameDiffers(document, { client, file }));
    if (previous === undefined) found.set(client.client, { client, document });
  }
  return { found: [...found.values()], mistakes };
}

function problemsOf({ client, document }: ClientEntry): Diagnostic[] {
  return checkClient(client).map(({ path, offset, length, ...problem }) => ({
    code: "wrong_value",
    severity: "error",
    ...problem,
    location: document.locate(path, offset, length),
  }));
}

function duplicateClient(document: Document<Client>, previous: ClientEntry): Diagnostic {
  const other = previous.document.locate(["client"]);
  return {
    code: "duplicate_client",
    severity: "error",
    message: `Client "${previous.client.client}" is defined twice`,
    location: document.locate(["client"]),
    expected: "a name that no other client of the folder has",
    help: `rename this client or the one at ${other.file}:${other.line}`,
  };
}

function nameDiffers(
  document: Document<Client>,
  { client, file }: { client: Client; file: string },
): Diagnostic {
  return {
    code: "client_name",
    severity: "error",
    message: `Client "${client.client}" is in a file with another name`,
    location: document.locate(["client"]),
    expected: `\`${stemOf(file)}\`, as the file is named`,
    help: `rename the file to ${client.client}.yaml, or the client`,
  };
}

/** `rules/clients/mine.yaml` → `mine`. */
function stemOf(file: string): string {
  return file.slice(Math.max(file.lastIndexOf("/"), file.lastIndexOf("\\")) + 1).replace(/\.ya?ml$/, "");
}
