/**
 * Hot reload: loads the setup again after a change on the disk. A setup without errors replaces the old one; otherwise
 * the old one keeps running. One line tells which.
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
  /** The command line; it overrides every file. */
  readonly flags: LoadConfigFlags;
  /** Where the lines are printed. */
  readonly world: World;
  /** The running setup. */
  readonly setup: Setup;
  /** The URL on which the server listens; a file cannot change it. */
  readonly url: string;
  /** Starts to use a setup without errors. */
  readonly use: (setup: Setup) => void;
}

/** A watch that can also reload on request. */
export interface Reloading extends Watch {
  /** Reloads now. The result tells whether the new setup is in use, and how many errors it has. */
  reload(): Promise<{ readonly isReloaded: boolean; readonly errors: number }>;
}

/** Watches every file of a setup until it is closed. */
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
    // Files in a new place may have changed before the watch started.
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

/** The running setup, and what was printed about it. */
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

  /** Prints one line with the time. */
  say(text: string): void {
    this.#options.world.stdout(`${clockTime(new Date())}  ${text}\n`);
  }

  /** Uses a setup if it has no errors, and prints the result. */
  take(setup: Setup): void {
    this.#showMistakes(setup);
    const wasBroken = this.#isBroken;
    this.#isBroken = hasErrors(setup);
    if (this.#isBroken) {
      const count = printCount(countDiagnostics(setup.diagnostics));
      return this.say(`Not reloaded (${count}): the previous rules, clients and settings stay in use`);
    }
    const changes = describeChange(this.#running, setup);
    this.#running = setup;
    this.#options.use(setup);
    const rulesOn = setup.rules.rules.filter(({ enabled }) => enabled).length;
    if (changes.length > 0) this.say(`Reloaded: ${changes.join(", ")}; ${rulesOn} rules on`);
    else {this.say(
        `Reloaded: ${wasBroken ? "the errors are fixed; " : ""}nothing changed`,
      );}
    if (changes.includes("listen")) {
      this.say(`Restart to listen on another address. Still listening on ${this.#options.url}`);
    }
  }

  /** Prints errors and warnings that were not printed before. */
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

/** Every file and folder of a setup, including the built-in folders if they are on the disk. */
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
