/**
 * The audit log of a running server. In: a setup. Out: what takes the lines of every request, and the end of
 * it: what waits is written, as far as the disk takes it.
 *
 * @module
 */
import type { AuditLine } from "../audit/line.ts";
import { type AuditTrouble, AuditWriter } from "../audit/writer.ts";
import { auditFile } from "./audit_file.ts";
import type { Setup } from "./setup.ts";
import type { World } from "./world.ts";

/** How long the last lines may take at the end. */
const FLUSH_MS = 2000;

/** A log that is open. */
export interface Audit {
  /** Whether texts are wanted too. */
  readonly contents: boolean;
  /** Takes the lines of a request; returns at once. */
  write(lines: readonly AuditLine[]): void;
  /** Writes what waits; gives up a disk that does not answer. */
  close(): Promise<void>;
}

/** Opens the log of a setup; undefined where none is wanted. */
export function openAudit({ config }: Setup, world: Pick<World, "stderr">): Audit | undefined {
  const { auditPath: path, config: { audit } } = config;
  if (path === undefined) return undefined;
  const writer = new AuditWriter({
    disk: auditFile({ path, keep: audit.keep }),
    bytesMax: audit.max_bytes,
    report: (trouble) => world.stderr(`${troubleText(trouble, path)}\n`),
  });
  return {
    contents: audit.contents,
    write: (lines) => writer.write(lines.map((line) => JSON.stringify(line))),
    async close() {
      let timer: ReturnType<typeof setTimeout> | undefined;
      const limit = new Promise<void>((resolve) => timer = setTimeout(resolve, FLUSH_MS));
      await Promise.race([writer.flush(), limit]);
      clearTimeout(timer);
    },
  };
}

function troubleText(trouble: AuditTrouble, path: string): string {
  return trouble.kind === "failing"
    ? `Cannot write the audit log ${path}: ${trouble.cause}. Answers go on; what cannot be written is counted`
    : `The audit log ${path} is written again; ${trouble.lost} lines were lost`;
}
