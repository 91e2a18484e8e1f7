/**
 * Ends the process if its event loop is blocked: code that never returns also keeps signals, timers and `/health` from
 * being served, so that nothing else could end it. A thread of its own counts the time since the last beat of the loop.
 * Deno can't end a thread that is busy, so a worker that hangs is left alone, and another one takes its place.
 *
 *     event loop ── beat, each second ──▶ thread: no beat for too long ─▶ SIGKILL
 *
 * @module
 */

/** How often the loop beats and the thread looks, in milliseconds. */
const BEAT_MS = 1000;

/** How often a worker beats, so that others soon take the connections that wait for one that doesn't. */
const WORKER_BEAT_MS = 250;

/** How long a worker may be blocked before others take its connections. */
export const LATE_MS = 1000;

/** The least time that a loop may be blocked before the process ends, as long as no signal asks it to end. */
const STILL_MINIMUM_MS = 10_000;

/** The exit code of a server whose workers hung: what started it can start it again. As in src/cli/build/dragoman.cjs. */
export const HUNG_CODE = 75;

const SIGNALS = Deno.build.os === "windows" ? ["SIGINT", "SIGBREAK"] : ["SIGINT", "SIGTERM"];

/** What the thread runs: a text, which needs no file and no permission. It counts its turns: a machine that sleeps stops both. */
const THREAD = `
let limitMs = Infinity, still = 0, signals = 0;
const end = (why) => {
  try {
    Deno.stderr.writeSync(new TextEncoder().encode(
      "Ended: the event loop was blocked for " + still + " s" + why + "; a plugin or an error of Dragoman keeps it busy\\n"));
  } catch {}
  Deno.kill(Deno.pid, "SIGKILL");
};
self.onmessage = ({ data }) => { limitMs = data; still = 0; };
for (const signal of ${JSON.stringify(SIGNALS)}) {
  Deno.addSignalListener(signal, () => { if (++signals > 1 && still > 2) end(" and a second signal came"); });
}
setInterval(() => {
  const maximumMs = signals > 0 ? limitMs : Math.max(limitMs, ${STILL_MINIMUM_MS});
  if (++still * ${BEAT_MS} > maximumMs + ${BEAT_MS}) end(signals > 0 ? " after a signal" : "");
}, ${BEAT_MS});
`;

export interface Watchdog {
  close(): void;
}

/** Watches the event loop of this thread, which may be blocked for `limitMs` once a signal asks the process to end. */
export function watchLoop(limitMs: () => number): Watchdog {
  const url = `data:application/javascript,${encodeURIComponent(THREAD)}`;
  const thread = new Worker(url, { type: "module", name: "watchdog" });
  const beat = () => thread.postMessage(limitMs());
  const timer = setInterval(beat, BEAT_MS);
  beat();
  return {
    close() {
      clearInterval(timer);
      thread.terminate();
    },
  };
}

interface PulseEvents {
  late(): void;
  /** No beat came for too long; called once. */
  stopped(stillMs: number): void;
}

/** The beats of another thread's loop, which come as messages. */
export class Pulse {
  #still = 0;
  readonly #timer: ReturnType<typeof setInterval>;

  /** @param limitMs as in `watchLoop` */
  constructor(limitMs: () => number, { late, stopped }: PulseEvents) {
    this.#timer = setInterval(() => {
      const stillMs = ++this.#still * WORKER_BEAT_MS;
      if (stillMs === LATE_MS) late();
      if (stillMs <= Math.max(limitMs(), STILL_MINIMUM_MS) + BEAT_MS) return;
      this.close();
      stopped(stillMs);
    }, WORKER_BEAT_MS);
  }

  beat(): void {
    this.#still = 0;
  }

  close(): void {
    clearInterval(this.#timer);
  }
}

/** Beats as long as the loop of this thread turns. */
export function startBeating(beat: () => void): void {
  setInterval(beat, WORKER_BEAT_MS);
}
