/**
 * Hot reload. In: changes on the disk. Out: a new setup for the server and one line about it, or the mistakes
 * and the word that the old one keeps running.
 *
 * @module
 */
import { BUILT_IN_CLIENTS } from "../client/load.ts";
import type { LoadConfigFlags } from "../config/load.ts";
import { countDiagnostics, printCount, printDiagnostic } from "../diagnostic/print.ts";
import { BUILT_IN_RULES } from "../rule/load.ts";
import { describeChange } from "./change.ts";
import { clockTime } from "./clock.ts";
import { hasErrors, loadSetup, type Setup } from "./setup.ts";
import type { World } from "./world.ts";
import { type Places, type Watch, watchPlaces } from "./watch.ts";

/** What a hot reload needs. */
export interface ReloadOptions {
  /** The command line, which wins over every file again. */
  readonly flags: LoadConfigFlags;
  /** Where to say what happened. */
  readonly world: World;
  /** The setup that runs now. */
  readonly setup: Setup;
  /** The URL on which the server listens, whatever a file says later. */
  readonly url: string;
  /** Takes a setup without errors into use. */
  readonly use: (setup: Setup) => void;
}

/** A watch that can be told to look. */
export interface Reloading extends Watch {
  /** Reads everything now; whether it was taken into use, and how many mistakes there were. */
  reload(): Promise<{ readonly isReloaded: boolean; readonly errors: number }>;
}

/** Watches everything that a setup was read from, until it is closed. */
export function startReloading(options: ReloadOptions): Reloading {
  const { flags, world } = options;
  const reading = new Reading(options);
  let places = placesOf(options.setup);
  const load = async (): Promise<Setup> => {
    const setup = await loadSetup(flags, world);
    const next = hasErrors(setup) ? joinPlaces(places, placesOf(setup)) : placesOf(setup);
    if (isSame(next, places)) return setup;
    places = next;
    watch.move(places);
    // Files of a new place may have changed before it was watched.
    return await loadSetup(flags, world);
  };
  const watch = watchPlaces(places, {
    onChange: async () => reading.take(await load()),
    onRefusal: (reason) => reading.say(`Cannot watch the rules, so changes need a restart: ${reason}`),
  });
  return {
    ...watch,
    async reload() {
      const setup = await load();
      reading.take(setup);
      const errors = setup.diagnostics.filter(({ severity }) => severity === "error").length;
      return { isReloaded: errors === 0, errors };
    },
  };
}

/** What runs, and what has been said of it. */
class Reading {
  readonly #options: ReloadOptions;
  #running: Setup;
  #shown: readonly string[];
  #isBroken = false;

  constructor(options: ReloadOptions) {
    this.#options = options;
    this.#running = options.setup;
    this.#shown = this.#pictures(options.setup);
  }

  /** One line with the time. */
  say(text: string): void {
    this.#options.world.stdout(`${clockTime(new Date())}  ${text}\n`);
  }

  /** Takes a setup into use where it can be, and says so. */
  take(setup: Setup): void {
    this.#showMistakes(setup);
    const wasBroken = this.#isBroken;
    this.#isBroken = hasErrors(setup);
    if (this.#isBroken) {
      const count = printCount(countDiagnostics(setup.diagnostics));
      return this.say(`Not reloaded (${count}): the rules, clients and settings from before keep running`);
    }
    const changes = describeChange(this.#running, setup);
    this.#running = setup;
    this.#options.use(setup);
    const rulesOn = setup.rules.rules.filter(({ enabled }) => enabled).length;
    if (changes.length > 0) this.say(`Reloaded: ${changes.join(", ")}; ${rulesOn} rules on`);
    else {this.say(
        `Read again: ${wasBroken ? "the mistakes are gone, what runs is up to date" : "nothing changed"}`,
      );}
    if (changes.includes("listen")) {
      this.say(`Restart to listen on another address: this is still ${this.#options.url}`);
    }
  }

  /** Mistakes and warnings that were not shown the last time. */
  #showMistakes(setup: Setup): void {
    const pictures = this.#pictures(setup);
    const fresh = pictures.filter((picture) => !this.#shown.includes(picture));
    this.#options.world.stderr(fresh.map((picture) => `${picture}\n\n`).join(""));
    this.#shown = pictures;
  }

  #pictures({ diagnostics }: Setup): string[] {
    const { isTerminal } = this.#options.world;
    return diagnostics.map((diagnostic) => printDiagnostic(diagnostic, { colours: isTerminal }));
  }
}

/** Everything that a setup was or would be read from, the built-in folders too where they are on the disk. */
export function placesOf({ config, plugins }: Setup): Places {
  const builtIn = Deno.build.standalone ? [] : [BUILT_IN_RULES, BUILT_IN_CLIENTS];
  const own = [...config.ruleFolders, ...config.clientFolders].map(({ path }) => path);
  return { folders: [...new Set([...builtIn, ...own])], files: [config.path, ...plugins.files] };
}

function joinPlaces(one: Places, other: Places): Places {
  return {
    folders: [...new Set([...one.folders, ...other.folders])],
    files: [...new Set([...one.files, ...other.files])],
  };
}

function isSame(one: Places, other: Places): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
