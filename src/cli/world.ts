/**
 * The outside world of the verbs: terminal, standard input, environment, signals. The one place in which a verb
 * reaches them.
 *
 * @module
 */
import type { World } from "../service/world.ts";

/** The exit code of a program that Ctrl-C ended at once. */
const INTERRUPTED = 130;

/** The process's own world. */
export function createWorld(): World {
  let signal: AbortSignal | undefined;
  return {
    stdout: (text) => write(Deno.stdout, text),
    stderr: (text) => write(Deno.stderr, text),
    readStdin,
    isTerminal: Deno.stdout.isTerminal() && !Deno.noColor,
    readEnvironment: (name) => Deno.env.get(name),
    workingDirectory: Deno.cwd(),
    get signal() {
      // Verbs that never ask for it are ended by Ctrl-C the usual way.
      signal ??= listenForSignals();
      return signal;
    },
  };
}

function write(stream: typeof Deno.stdout, text: string): void {
  const bytes = new TextEncoder().encode(text);
  try {
    for (let written = 0; written < bytes.length;) written += stream.writeSync(bytes.subarray(written));
  } catch (error) {
    // The reader has gone (`| head`): nobody is left to talk to.
    if (error instanceof Deno.errors.BrokenPipe) Deno.exit(0);
    throw error;
  }
}

async function readStdin(): Promise<string> {
  if (Deno.stdin.isTerminal()) write(Deno.stderr, "Reading the standard input; end it with Ctrl-D\n");
  return await new Response(Deno.stdin.readable).text();
}

/** The first signal asks to end, the second ends at once. */
function listenForSignals(): AbortSignal {
  const controller = new AbortController();
  const onSignal = () => {
    if (controller.signal.aborted) Deno.exit(INTERRUPTED);
    controller.abort();
  };
  const signals: Deno.Signal[] = Deno.build.os === "windows" ? ["SIGINT", "SIGBREAK"] : ["SIGINT", "SIGTERM"];
  for (const name of signals) Deno.addSignalListener(name, onSignal);
  return controller.signal;
}
