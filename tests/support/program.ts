/**
 * The program as a person runs it: a process whose output can be waited for.
 *
 * @module
 */

import { PROGRAM } from "./program_file.ts";

const FLAGS = ["run", "--frozen", "--allow-net", "--allow-read", "--allow-env"];

/** Starts the program in a folder, with more permissions if some are given; `until` waits for a line of its output. */
export function startProgram(
  folder: string,
  args: readonly string[],
  permissions: readonly string[] = [],
  env: Readonly<Record<string, string>> = {},
) {
  const process = new Deno.Command(Deno.execPath(), {
    args: [...FLAGS, ...permissions, PROGRAM, ...args],
    cwd: folder,
    env: { ...env },
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const printed = { stdout: "", stderr: "" };
  let heard = Promise.withResolvers<void>();
  const read = async (stream: ReadableStream<Uint8Array<ArrayBuffer>>, name: "stdout" | "stderr") => {
    for await (const text of stream.pipeThrough(new TextDecoderStream())) {
      printed[name] += text;
      heard.resolve();
    }
  };
  const isRead = Promise.all([read(process.stdout, "stdout"), read(process.stderr, "stderr")]);
  const until = async (pattern: RegExp): Promise<string> => {
    for (;;) {
      const found = pattern.exec(printed.stdout) ?? pattern.exec(printed.stderr);
      if (found) return found[1] ?? found[0]!;
      const isOver = await Promise.race([heard.promise.then(() => false), isRead.then(() => true)]);
      if (isOver && !pattern.test(printed.stdout + printed.stderr)) {
        throw new Error(`No ${pattern} in:\n${printed.stdout}${printed.stderr}`);
      }
      heard = Promise.withResolvers();
    }
  };
  /** Waits from now on only for what is still to come. */
  const forget = () => void Object.assign(printed, { stdout: "", stderr: "" });
  const end = async () => {
    const { code } = await process.status;
    await isRead;
    return { code, ...printed };
  };
  /** Sends a signal, unless the process has ended. */
  const kill = (signal: Deno.Signal = "SIGKILL") => {
    try {
      process.kill(signal);
    } catch {
      // It has ended.
    }
  };
  const stop = async () => {
    kill("SIGINT");
    await end();
  };
  return { until, forget, end, kill, interrupt: () => process.kill("SIGINT"), [Symbol.asyncDispose]: stop };
}
