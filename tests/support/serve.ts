/**
 * A real `serve` in this process, in a folder of its own.
 *
 * @module
 */
import { join } from "node:path";
import { serve } from "../../src/cli/serve.ts";
import { createTestContext } from "./context.ts";

export interface RunningServer {
  /** Where it listens, without a path. */
  readonly origin: string;
  readonly page: string;
  readonly folder: string;
  /** What it has printed on the terminal. */
  readonly printed: { readonly stdout: string };
  /** Writes another configuration, and reloads. */
  write(configuration: string): Promise<void>;
  /** Ends it; its folder stays until it is disposed of. */
  stop(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** Starts a server with a configuration; the sample model answers unless it names an upstream. */
export async function startServer(
  configuration = "",
  environment: Readonly<Record<string, string>> = {},
): Promise<RunningServer> {
  const folder = await Deno.makeTempDir();
  const stop = new AbortController();
  await Deno.writeTextFile(join(folder, "dragoman.yaml"), configuration);
  const ready = Promise.withResolvers<string>();
  const context = createTestContext({ workingDirectory: folder, environment });
  const ended = serve.run({ values: { port: "0" }, positionals: [] }, {
    ...context,
    stdout(text) {
      context.stdout(text);
      const origin = /(http:\S+)\/v1\n/.exec(text)?.[1];
      if (origin !== undefined) ready.resolve(origin);
    },
    signal: stop.signal,
  });
  const failed = ended.then(() => Promise.reject(new Error(context.printed.stderr)));
  const origin = await Promise.race([ready.promise, failed]);
  failed.catch(() => undefined);
  const end = async () => {
    stop.abort();
    await ended;
  };
  return {
    origin,
    page: `${origin}/_dragoman/`,
    folder,
    printed: context.printed,
    async write(text) {
      await Deno.writeTextFile(join(folder, "dragoman.yaml"), text);
      await (await fetch(`${origin}/_dragoman/reload`, { method: "POST" })).body?.cancel();
    },
    stop: end,
    async [Symbol.asyncDispose]() {
      await end();
      await Deno.remove(folder, { recursive: true });
    },
  };
}
