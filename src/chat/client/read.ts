/** Turns the texts of client files into clients, in order of precedence, and reports every error with its location. @module */
import type { Diagnostic } from "../../engine/diagnostic/diagnostic.ts";
import type { TextFile } from "../../engine/document/text_file.ts";
import { type NamedDocument, readNamed } from "../../engine/document/named.ts";
import { checkClient } from "./check.ts";
import { type Client, clientSchema } from "./schema.ts";

export interface LoadedClients {
  /** Every client that could be read, in order of precedence. */
  readonly clients: readonly Client[];
  readonly diagnostics: readonly Diagnostic[];
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
export function readClients(folders: readonly (readonly TextFile[])[]): LoadedClients {
  const read = folders.map((files) =>
    readNamed(files, { kind: "client", schema: clientSchema, check: problemsOf })
  );
  const clients = new Map(read.flatMap(({ found }) => [...found]));
  const sorted = [...clients.values()].map(({ value }) => value).sort((a, b) =>
    a.recognize.order - b.recognize.order || (a.client < b.client ? -1 : 1)
  );
  return { clients: sorted, diagnostics: read.flatMap(({ diagnostics }) => diagnostics) };
}

function problemsOf({ value: client, document }: NamedDocument<Client>): Diagnostic[] {
  return checkClient(client).map(({ path, offset, length, ...problem }) => ({
    code: "wrong_value",
    severity: "error",
    ...problem,
    location: document.locate(path, offset, length),
  }));
}
