/**
 * The shipped clients as they are after reading and checking, so that a server starts without the schema of clients. They
 * count only for the texts that they were made of; otherwise the clients are read.
 *
 * `deno task generate` writes the file; a test compares it.
 *
 * @module
 */
import { hashOfAll } from "../../engine/document/hash.ts";
import type { TextFile } from "../../engine/document/text_file.ts";
import { parseJson } from "../../engine/object/parse.ts";
import { isRecord } from "../../engine/object/record.ts";
import type { Client } from "./schema.ts";

export const READY_CLIENTS_FILE = "ready.json";

export function writeReadyClients(files: readonly TextFile[], clients: readonly Client[]): string {
  const lines = clients.map((client) => JSON.stringify(client));
  return `${headOf(files)} "clients": [\n${lines.join(",\n")}\n]}\n`;
}

/** Whether a text was made of these files. Its end may be missing. */
export function isReadyFor(files: readonly TextFile[], ready: string): boolean {
  return ready.startsWith(headOf(files));
}

function headOf(files: readonly TextFile[]): string {
  return `{"of": "${hashOfAll(files)}",`;
}

/** The clients of these files, in order of precedence; undefined if the text was made of others. */
export function readReadyClients(files: readonly TextFile[], ready: string): readonly Client[] | undefined {
  const parsed = isReadyFor(files, ready) ? parseJson(ready) : undefined;
  return isRecord(parsed) ? parsed["clients"] as readonly Client[] : undefined;
}
