/** What a server has to write is tried when it starts, so that nothing is lost later without anyone noticing. @module */
import { basename, dirname, join } from "node:path";
import type { Diagnostic } from "../../engine/diagnostic/diagnostic.ts";
import { present } from "../../engine/object/present.ts";
import { tryAuditFile } from "./audit_file.ts";
import { tryCaptureFolder } from "./capture_folder.ts";
import { FORM } from "./form.ts";
import { NotAllowed } from "./may_write.ts";
import type { Setup } from "./setup.ts";

interface WritingOptions {
  /** The folder that `--record` names. */
  readonly recordFolder: string | undefined;
  readonly workingDirectory: string;
}

/** Why the audit log or the captures can't be written; each is an error. */
export async function tryWriting(
  { config }: Pick<Setup, "config">,
  { recordFolder, workingDirectory }: WritingOptions,
): Promise<Diagnostic[]> {
  const { auditPath, path, config: { audit } } = config;
  const folder = dirname(path);
  const problems = [
    auditPath === undefined ? undefined : await problemOf(
      () => tryAuditFile({ path: auditPath, keep: audit.keep, folder }),
      {
        what: `the audit log ${auditPath}`,
        place: join(workingDirectory, "logs", basename(auditPath)),
        flag: "--audit",
        ...present({ location: config.locate(["audit", "file"]) }),
      },
    ),
    recordFolder === undefined ? undefined : await problemOf(
      () => tryCaptureFolder({ path: recordFolder, folder: workingDirectory }),
      {
        what: `answers into ${recordFolder}`,
        place: join(workingDirectory, "captures"),
        flag: "--record",
      },
    ),
  ];
  return problems.filter((problem) => problem !== undefined);
}

interface Tried extends Pick<Diagnostic, "location"> {
  readonly what: string;
  /** Where this program may write it however it was started. */
  readonly place: string;
  /** The flag that names the place. */
  readonly flag: string;
}

async function problemOf(
  write: () => Promise<void>,
  { what, place, flag, ...more }: Tried,
): Promise<Diagnostic | undefined> {
  try {
    await write();
    return undefined;
  } catch (cause) {
    const isNotAllowed = cause instanceof NotAllowed;
    return {
      code: "file_unwritable",
      severity: "error",
      message: `Cannot write ${what}: ${cause instanceof Error ? cause.message : cause}`,
      ...more,
      expected: "a place that this program may write, on a disk that takes it",
      help: isNotAllowed
        ? `name ${place}${ADVICE[FORM] ?? ""}`.replace("FLAG", flag)
        : "check the path, its owner and the disk",
    };
  }
}

/** Form → another place that it can write. */
const ADVICE: Readonly<Record<string, string>> = { package: ", or the place that you want in `FLAG`" };
