/** The audit log of a running server: takes the lines of every request, and writes what is left when the server stops. @module */
import { inTime } from "../../proxy/transport/wait.ts";
import { dirname } from "node:path";
import type { AuditLine } from "../../admin/audit/line.ts";
import { type AuditTrouble, AuditWriter } from "../../admin/audit/writer.ts";
import { escapedLines, visibleJson } from "../../engine/diagnostic/visible.ts";
import { auditFile } from "./audit_file.ts";
import type { Setup } from "./setup.ts";
import type { CliContext } from "./context.ts";

/** How long the last lines may take when the server stops. */
const FLUSH_MS = 2000;

interface Audit {
  /** Whether the log includes texts. */
  readonly contents: boolean;
  /** Takes the lines of a request; returns at once. */
  write(lines: readonly AuditLine[]): void;
  /** Writes the remaining lines; gives up if the disk does not respond. */
  close(): Promise<void>;
}

/** Opens the log of a setup; undefined if the setup has none. */
export function openAudit({ config }: Setup, context: Pick<CliContext, "stderr">): Audit | undefined {
  const { auditPath: path, config: { audit } } = config;
  if (path === undefined) return undefined;
  const say = (text: string) => context.stderr(`${escapedLines(text)}\n`);
  const removed = (link: string) => say(`Removed the link ${link}: the audit log's files must not be links`);
  const writer = new AuditWriter({
    disk: auditFile({ path, keep: audit.keep, folder: dirname(config.path), removed }),
    bytesMax: audit.max_bytes,
    report: (trouble) => say(troubleText(trouble, path)),
  });
  return {
    contents: audit.contents,
    write: (lines) => writer.write(lines.map((line) => visibleJson(line))),
    close: () => inTime(writer.flush(), FLUSH_MS),
  };
}

function troubleText(trouble: AuditTrouble, path: string): string {
  return trouble.kind === "failing"
    ? `Cannot write the audit log ${path}: ${trouble.cause}. Answers continue; Dragoman counts the lost lines`
    : `Writing the audit log ${path} again; ${trouble.lost} lines were lost`;
}
