/**
 * What becomes of an error that no one catches, here and in every worker: the server stays. Requests share nothing that
 * such an error could leave half done, and to end would break the answers of everyone else. The error is printed, once a
 * minute if it repeats, and counted by its source:
 *
 *     plugin NAME    a file of the plugin is in the stack
 *     dragoman       any other stack: an error of ours or of a library, printed with its stack
 *     unknown        something without a stack was thrown
 *
 * An error that only one request failed with, which got 500, and one that a watch of a request throws, are printed and
 * counted the same way.
 *
 * An error before the server is ready, or in a command that doesn't serve, still ends the process.
 *
 * @module
 */
import { dirname } from "node:path";
import { pathToFileURL } from "node:url";
import { visible } from "../../engine/diagnostic/visible.ts";
import { clock } from "../../engine/diagnostic/figures.ts";
import type { LoadedPlugin } from "../../proxy/plugin/hooks.ts";
import { describeThrown } from "../../proxy/plugin/thrown.ts";
import { Repeats } from "./notices.ts";

export interface Unhandled {
  /** Where it comes from, in few words. */
  readonly source: string;
  /** What was thrown, and where. */
  readonly text: string;
}

interface UnhandledWatch {
  /** Learns the files of plugins; those of earlier setups may still run. */
  use(plugins: readonly LoadedPlugin[]): void;
  /** Takes an error that a request failed with, or that a watch of it throws. */
  take(cause: unknown): void;
  close(): void;
}

/** The most sources that are counted apart. */
const SOURCES_MAX = 1000;

const LENGTH_MAX = 1000;

const FILES_MAX = 1000;

/** Catches the errors of this thread from now on. */
export function watchUnhandled(report: (unhandled: Unhandled) => void): UnhandledWatch {
  /** The URL of a plugin's file → the plugin's name. */
  const names = new Map<string, string>();
  const take = (cause: unknown) => report(describe(cause, names));
  const takeEvent = (event: Event, cause: unknown) => {
    event.preventDefault();
    take(cause);
  };
  const over = new AbortController();
  const { signal } = over;
  globalThis.addEventListener("unhandledrejection", (event) => takeEvent(event, event.reason), { signal });
  globalThis.addEventListener("error", (event) => takeEvent(event, event.error), { signal });
  return {
    take,
    close: () => over.abort(),
    use(plugins) {
      for (const { plugin, file } of plugins) {
        if (file !== undefined && names.size < FILES_MAX) names.set(pathToFileURL(file).href, plugin.name);
      }
    },
  };
}

export class UnhandledLog {
  readonly #print: (text: string) => void;
  readonly #now: () => number;
  readonly #repeats = new Repeats();
  readonly #counts = new Map<string, number>();

  constructor(print: (text: string) => void, now: () => number = Date.now) {
    this.#print = print;
    this.#now = now;
  }

  /** Source → how many errors came from it. */
  get counts(): ReadonlyMap<string, number> {
    return this.#counts;
  }

  add({ source, text }: Unhandled): void {
    const isNew = !this.#counts.has(source) && this.#counts.size >= SOURCES_MAX;
    const counted = isNew ? "unknown" : source;
    this.#counts.set(counted, (this.#counts.get(counted) ?? 0) + 1);
    const time = this.#now();
    const line = `${source}: ${text}`;
    if (!this.#repeats.isDue(line, time)) return;
    const shown = line.split("\n").map((part) => visible(part, { lengthMax: LENGTH_MAX })).join("\n   ");
    this.#print(`${clock(time)}  unhandled_error: ${shown}\n`);
  }
}

/** What was thrown. Anything can be, also an object whose fields throw. */
function describe(cause: unknown, names: ReadonlyMap<string, string>): Unhandled {
  try {
    const text = describeThrown(cause);
    if (!(cause instanceof Error)) return { source: "unknown", text };
    const frames = (cause.stack ?? "").split("\n").filter((line) => /^\s+at /.test(line));
    const plugin = frames.map((frame) => pluginOf(frame, names)).find((name) => name !== undefined);
    if (plugin !== undefined) return { source: `plugin ${plugin}`, text };
    return { source: "dragoman", text: [text, ...frames].join("\n") };
  } catch {
    return { source: "unknown", text: "the exception can't be read" };
  }
}

/** The plugin whose file, or a file next to it, is in a frame of a stack. */
function pluginOf(frame: string, names: ReadonlyMap<string, string>): string | undefined {
  const [, url = ""] = /(file:\/\/[^\s()]+?)(?:\?[^\s():]*)?:\d+:\d+\)?$/.exec(frame) ?? [];
  const name = names.get(url);
  if (name !== undefined || url === "" || isOurs(url)) return name;
  for (const [file, name] of names) if (url.startsWith(`${dirname(file)}/`)) return name;
  return undefined;
}

/** Where our own sources, or the bundle with all of them, are. */
const OURS = [new URL("../../", import.meta.url).href, new URL("../../../plugins/", import.meta.url).href];

function isOurs(url: string): boolean {
  return url === Deno.mainModule || OURS.some((folder) => url.startsWith(folder));
}
