/**
 * The shipped clients as they are after reading and checking, so that a server starts without the schema of clients. They
 * count only for the texts that they were made of; otherwise the clients are read.
 *
 * `deno task generate` writes the file; a test compares it.
 *
 * @module
 */
import { hashOfAll } from "../../engine/document/prepared.ts";
import type { TextFile } from "../../engine/document/text_file.ts";
import { parseJson } from "../../engine/object/parse.ts";
import { isRecord } from "../../engine/object/record.ts";
import type { Client } from "./schema.ts";

export const READY_CLIENTS_FILE = "ready.json";

export function writeReadyClients(files: readonly TextFile[], clients: readonly Client[]): string {
  const lines = clients.map((client) => JSON.stringify(client));
  return `{"of": "${hashOfAll(files)}", "clients": [\n${lines.join(",\n")}\n]}\n`;
}

/** The clients of these files, in order of precedence; undefined if the text was made of others. */
export function readReadyClients(files: readonly TextFile[], ready: string): readonly Client[] | undefined {
  const parsed = parseJson(ready);
  return isRecord(parsed) && parsed["of"] === hashOfAll(files)
    ? parsed["clients"] as readonly Client[]
    : undefined;
}
