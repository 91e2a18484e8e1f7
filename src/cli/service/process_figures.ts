/** Reads what this process uses. Processor time and descriptors come from `/proc`, so other systems lack them. @module */
import { DISTRIBUTION } from "./distribution.ts";
import type { ProcessFigures } from "../../admin/metrics/program.ts";

/** How often the event loop is looked at, in milliseconds. */
const LOOK_MS = 500;

/** The ticks of a second in `/proc/self/stat`: Linux has 100 for programs on every machine. */
const TICKS = 100;

/** Watches the event loop from the first reading on, so that a server that can't start leaves no timer. */
export function openProcessFigures(version: string): ProcessFigures & { close(): void } {
  let worst = 0;
  let last = performance.now();
  let timer: ReturnType<typeof setInterval> | undefined;
  const look = () => {
    const now = performance.now();
    worst = Math.max(worst, now - last - LOOK_MS);
    last = now;
  };
  return {
    build: { version, deno: Deno.version.deno, form: DISTRIBUTION },
    startedSeconds: performance.timeOrigin / 1000,
    read() {
      if (timer === undefined) {
        last = performance.now();
        Deno.unrefTimer(timer = setInterval(look, LOOK_MS));
      }
      const { rss, heapUsed } = Deno.memoryUsage();
      const lagSeconds = Math.max(worst, performance.now() - last - LOOK_MS, 0) / 1000;
      worst = 0;
      return {
        residentBytes: rss,
        heapBytes: heapUsed,
        lagSeconds,
        processorSeconds: processorSeconds(),
        descriptors: descriptors(),
      };
    },
    close: () => clearInterval(timer),
  };
}

function processorSeconds(): number | undefined {
  try {
    // The name of the program, in parentheses, may have spaces.
    const fields = Deno.readTextFileSync("/proc/self/stat").replace(/^.*\) /s, "").split(" ");
    return (Number(fields[11]) + Number(fields[12])) / TICKS;
  } catch {
    return undefined;
  }
}

function descriptors(): number | undefined {
  try {
    return [...Deno.readDirSync("/proc/self/fd")].length;
  } catch {
    return undefined;
  }
}
