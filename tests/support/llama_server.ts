/**
 * A real llama.cpp with real templates, grammars and parsers, whose model repeats a given text. `deno task test:servers`
 * installs the server; the model and its templates are next to the project. Tests skip where one of both is absent, and in a
 * short run, which starts no other program.
 *
 * @module
 */
import { existsSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { isInstalled } from "../servers/folder.ts";
import { llamaProgram } from "../servers/start.ts";
import { IS_THOROUGH } from "./fuzz.ts";

const FOLDER = join(import.meta.dirname!, "../../../shared/llama");

/** Why the server can't run; undefined if it can. */
export const MISSING = !isInstalled("llama.cpp")
  ? "skipped: llama.cpp isn't installed; `deno task test:servers` installs it"
  : existsSync(join(FOLDER, "tiny.gguf"))
  ? undefined
  : "skipped: ../shared/llama is absent";

/** Whether this run leaves out the tests with the server. */
export const IS_SKIPPED = MISSING !== undefined || !IS_THOROUGH;

export interface LlamaServer {
  /** Its base URL, ending in /v1. */
  readonly url: string;
  /** Its address without a path. */
  readonly origin: string;
  /** Whether it answers: it ends at a template that it can't read. */
  readonly isReady: boolean;
  [Symbol.asyncDispose](): Promise<void>;
}

/** Starts the server with a chat template, by its path or its name in the folder, or with the model's own. */
export async function startLlama(template?: string, flags: readonly string[] = []): Promise<LlamaServer> {
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const { port } = listener.addr;
  listener.close();
  const program = llamaProgram();
  const process = new Deno.Command(program, {
    env: { LD_LIBRARY_PATH: dirname(program) },
    args: [
      ...["-m", join(FOLDER, "tiny.gguf"), "--host", "127.0.0.1", "--port", String(port), "-t", "1"],
      ...template === undefined ? [] : ["--chat-template-file", resolve(FOLDER, "templates", template)],
      ...flags,
    ],
    stdout: "null",
    stderr: "null",
  }).spawn();
  const origin = `http://127.0.0.1:${port}`;
  let hasEnded = false;
  process.status.then(() => hasEnded = true);
  let isReady = false;
  for (let attempt = 0; attempt < 200 && !isReady && !hasEnded; attempt++) {
    const health = await fetch(`${origin}/health`).catch(() => undefined);
    await health?.body?.cancel();
    isReady = health?.ok === true;
    if (!isReady) await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return {
    origin,
    isReady,
    url: `${origin}/v1`,
    async [Symbol.asyncDispose]() {
      if (!hasEnded) process.kill();
      await process.status;
    },
  };
}
