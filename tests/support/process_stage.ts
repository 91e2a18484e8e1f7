/**
 * The program as a process of its own before a raw model server, with an audit log: for what could hang it.
 *
 * @module
 */
import { IS_THOROUGH } from "./fuzz.ts";
import assert from "node:assert/strict";
import { join } from "node:path";
import type { AuditLine, RequestLine } from "../../src/admin/audit/line.ts";
import { PROGRAM } from "./program_file.ts";
import { type RawRequest, type RawUpstream, startRawUpstream } from "./raw_upstream.ts";
import { freePort, ServerProcess } from "./server_process.ts";

const PROBE = new URL("./heap_probe.ts", import.meta.url).pathname;

/** How long a healthy server may take to answer `/health`, on a busy machine. */
const HEALTH_MS = 2000;
/** How long the audit log may take to have a line. */
const LINE_MS = 5000;
/** How long the processor is watched, and the share of that time that an idle server may use. */
const IDLE = { watches: 10, watchMs: 300, shareMaximum: 0.5 };

export interface ProcessStage extends AsyncDisposable {
  readonly server: ServerProcess;
  readonly upstream: RawUpstream;
  /** What is left after a garbage collection, in bytes: objects, and the buffers that they own. Needs `isProbed`. */
  keptBytes(): Promise<number>;
  /** Fails unless `/health` answers soon. */
  assertAlive(): Promise<void>;
  /** Fails if the process works although no one asks anything. */
  assertIdle(): Promise<void>;
  /** The line of the audit log about the request of a model. */
  lineOf(model: string): Promise<RequestLine>;
}

/** What a stage has besides an upstream. */
export interface ProcessStageOptions {
  readonly config?: string;
  /** More than one: that many worker threads. */
  readonly workers?: number;
  /** Whether the process tells what it keeps. */
  readonly isProbed?: boolean;
}

/** The numbers of workers to test with; in a short run only two, which do all that one does. */
export const WORKERS = Deno.build.os !== "linux" ? [1] : IS_THOROUGH ? [1, 2] : [2];

/** Starts a stage. `answer` acts on each request as it arrives. */
export async function startProcessStage(
  answer: (request: RawRequest) => void,
  { config = "", workers = 1, isProbed = false }: ProcessStageOptions = {},
): Promise<ProcessStage> {
  const upstream = await startRawUpstream(answer);
  const folder = await Deno.makeTempDir();
  const file = join(folder, "dragoman.yaml");
  const log = join(folder, "audit.jsonl");
  await Deno.writeTextFile(
    file,
    `upstreams: [{ name: local, url: "${upstream.url}" }]\naudit: { file: audit.jsonl }\n${config}`,
  );
  const threads = workers > 1 ? ["--workers", `${workers}`] : [];
  const probePort = freePort();
  const program = isProbed ? ["--v8-flags=--expose-gc", PROBE] : [PROGRAM];
  const args = [...program, "serve", "--port", "PORT", "--config", file, ...threads];
  const env = { HEAP_PROBE_PORT: `${probePort}` };
  const server = await ServerProcess.start({ name: "dragoman", folder, args, env });
  await server.isLoaded();
  const findLine = async (model: string) =>
    (await Deno.readTextFile(log).catch(() => "")).split("\n").slice(0, -1)
      .map((line): AuditLine => JSON.parse(line))
      .find((line): line is RequestLine => line.kind === "request" && line.model === model);
  return {
    server,
    upstream,
    async keptBytes() {
      const { heapUsed, external } = await (await fetch(`http://127.0.0.1:${probePort}/`)).json();
      return heapUsed + external;
    },
    async assertAlive() {
      const response = await fetch(`${server.url}/health`, { signal: AbortSignal.timeout(HEALTH_MS) });
      assert.match(await response.text(), /"ok"/);
    },
    async assertIdle() {
      // Garbage collection may keep a processor busy for a moment; a loop that never ends keeps it busy in every watch.
      let share = 1;
      for (let watch = 0; watch < IDLE.watches && share >= IDLE.shareMaximum; watch++) {
        const before = await server.processorMicroseconds();
        await new Promise((resolve) => setTimeout(resolve, IDLE.watchMs));
        share = (await server.processorMicroseconds() - before) / (IDLE.watchMs * 1000);
      }
      assert.ok(
        share < IDLE.shareMaximum,
        `the processor is busy for ${Math.round(share * 100)}% of the time`,
      );
    },
    async lineOf(model) {
      for (const began = performance.now(); performance.now() - began < LINE_MS;) {
        const line = await findLine(model);
        if (line !== undefined) return line;
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
      throw new Error(`The audit log has no line about ${model}`);
    },
    async [Symbol.asyncDispose]() {
      await server.stop();
      await upstream[Symbol.asyncDispose]();
      await Deno.remove(folder, { recursive: true });
    },
  };
}
