/** The real context of a verb: terminal, standard input, environment, signals. @module */
import { basename, dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { DISTRIBUTION, type Distribution } from "./service/distribution.ts";
import type { CliContext } from "./service/context.ts";

/** The exit code when Ctrl-C stops the program at once. */
const INTERRUPTED = 130;

export function createCliContext(): CliContext {
  let signal: AbortSignal | undefined;
  // The hangup of a terminal asks to end. A program without one gets SIGHUP only from someone who wants a reload.
  const launcher = Deno.env.get("DRAGOMAN_LAUNCHER");
  const hasTerminal = launcher === "terminal" ||
    [Deno.stdin, Deno.stdout, Deno.stderr].some((stream) => stream.isTerminal());
  return {
    stdout: (text) => write(Deno.stdout, text),
    stderr: (text) => write(Deno.stderr, text),
    readStdin,
    ask: Deno.stdin.isTerminal() && Deno.stdout.isTerminal()
      ? (question) => prompt(question) ?? undefined
      : undefined,
    isTerminal: Deno.stdout.isTerminal() && !Deno.noColor,
    isTty: Deno.stdout.isTerminal(),
    readEnvironment: (name) => Deno.env.get(name),
    command: Deno.env.get("DRAGOMAN_COMMAND") ?? commandOf({
      form: DISTRIBUTION,
      program: Deno.execPath(),
      version: Deno.version.deno,
      main: fileURLToPath(Deno.mainModule),
      workingDirectory: Deno.cwd(),
    }),
    workingDirectory: Deno.cwd(),
    get signal() {
      // Ctrl-C ends verbs that never ask for the signal.
      signal ??= listenForSignals({ hasTerminal, hasLauncher: launcher !== undefined });
      return signal;
    },
    onReload: hasTerminal || Deno.build.os === "windows"
      ? undefined
      : (reload) => Deno.addSignalListener("SIGHUP", reload),
  };
}

interface Start {
  readonly form: Distribution;
  readonly program: string;
  readonly version: string;
  readonly main: string;
  readonly workingDirectory: string;
}

/** The command that starts the program again from the same folder. */
export function commandOf({ form, program, version, main, workingDirectory }: Start): string {
  if (form === "binary") return quoted(program);
  if (form === "package") return "dragoman";
  const isFromNpm = program.includes("_npx") || program.includes("node_modules");
  const deno = isFromNpm
    ? `npx -y deno@${version}`
    : quoted(basename(program, ".exe") === "deno" ? "deno" : program);
  return dirname(main) === workingDirectory ? `${deno} task dragoman` : `${deno} run -A ${quoted(main)}`;
}

function quoted(path: string): string {
  return path.includes(" ") ? `"${path}"` : path;
}

function write(stream: typeof Deno.stdout, text: string): void {
  const bytes = new TextEncoder().encode(text);
  try {
    for (let written = 0; written < bytes.length;) written += stream.writeSync(bytes.subarray(written));
  } catch (error) {
    // The reader is gone (`| head`), so nothing is left to do.
    if (error instanceof Deno.errors.BrokenPipe) Deno.exit(0);
    // The terminal is gone, and the program is ending.
    if (error instanceof Error && Reflect.get(error, "code") === "EIO") return;
    throw error;
  }
}

async function readStdin(): Promise<string> {
  if (Deno.stdin.isTerminal()) write(Deno.stderr, "Reading standard input; end with Ctrl-D\n");
  return await new Response(Deno.stdin.readable).text();
}

interface Surroundings {
  readonly hasTerminal: boolean;
  /** Whether the command that started this program tells what happens to it. */
  readonly hasLauncher: boolean;
}

/** The first signal asks the program to end; the second ends it at once. */
function listenForSignals({ hasTerminal, hasLauncher }: Surroundings): AbortSignal {
  const controller = new AbortController();
  const onSignal = (name: Deno.Signal) => {
    if (controller.signal.aborted) Deno.exit(INTERRUPTED);
    controller.abort(name);
  };
  const isWindows = Deno.build.os === "windows";
  const interrupts = countInterrupts(() => onSignal("SIGINT"));
  Deno.addSignalListener("SIGINT", interrupts.direct);
  const end: Deno.Signal = isWindows ? "SIGBREAK" : "SIGTERM";
  Deno.addSignalListener(end, () => onSignal(end));
  // A shell, and the command of the npm package, may send the hangup once more.
  if (hasTerminal && !isWindows) Deno.addSignalListener("SIGHUP", () => controller.abort("SIGHUP"));
  if (hasLauncher) {
    const gone = () => controller.abort("SIGTERM");
    void followLauncher(Deno.stdin.readable, { interrupted: interrupts.relayed, gone });
  }
  return controller.signal;
}

interface LauncherEvents {
  interrupted(): void;
  gone(): void;
}

export async function followLauncher(
  input: AsyncIterable<Uint8Array>,
  { interrupted, gone }: LauncherEvents,
): Promise<void> {
  try {
    for await (const bytes of input) bytes.forEach(() => interrupted());
  } catch {
    // An input that breaks has ended, too.
  }
  gone();
}

/** A terminal sends Ctrl-C to the launcher and to us. One that both receive counts once: the larger number counts. */
export function countInterrupts(interrupted: () => void): { direct(): void; relayed(): void } {
  const counts = { direct: 0, relayed: 0 };
  const add = (source: keyof typeof counts) => {
    const before = Math.max(counts.direct, counts.relayed);
    if (++counts[source] > before) interrupted();
  };
  return { direct: () => add("direct"), relayed: () => add("relayed") };
}
