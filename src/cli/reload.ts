/**
 * Hot reload. In: changes on the disk. Out: a new setup for the server and one line about it, or the mistakes
 * and the word that the old one keeps running.
 *
 * @module
 */
import { BUILT_IN_CLIENTS } from "../client/load.ts";
import { countDiagnostics, printCount, printDiagnostic } from "../diagnostic/print.ts";
import { BUILT_IN_RULES } from "../rule/load.ts";
import { describeChange } from "./change.ts";
import { clockTime } from "./clock.ts";
import { hasErrors } from "./serving.ts";
import { loadSetup, type Setup } from "./setup.ts";
import type { VerbInput, World } from "./verb.ts";
import { type Places, type Watch, watchPlaces } from "./watch.ts";

/** What a hot reload needs. */
export interface ReloadOptions {
  /** The command line, which wins over every file again. */
  readonly input: VerbInput;
  /** Where to say what happened. */
  readonly world: World;
  /** The setup that runs now. */
  readonly setup: Setup;
  /** The URL on which the server listens, whatever a file says later. */
  readonly url: string;
  /** Takes a setup without errors into use. */
  readonly use: (setup: Setup) => void;
}

/** Watches everything that a setup was read from, until it is closed. */
export function startReloading(options: ReloadOptions): Watch {
  const { input, world, use, url } = options;
  let running = options.setup;
  let places = placesOf(running);
  let said = pictures(running, world);
  let isBroken = false;
  const say = (text: string) => world.stdout(`${clockTime(new Date())}  ${text}\n`);

  const load = async (): Promise<Setup> => {
    const setup = await loadSetup(input, world);
    const next = hasErrors(setup) ? joinPlaces(places, placesOf(setup)) : placesOf(setup);
    if (isSame(next, places)) return setup;
    places = next;
    watch.move(places);
    // Files of a new place may have changed before it was watched.
    return await loadSetup(input, world);
  };
  const reload = async () => {
    const setup = await load();
    const shown = pictures(setup, world);
    world.stderr(
      shown.filter((picture) => !said.includes(picture)).map((picture) => `${picture}\n\n`).join(""),
    );
    said = shown;
    const wasBroken = isBroken;
    isBroken = hasErrors(setup);
    if (isBroken) {
      const count = printCount(countDiagnostics(setup.diagnostics));
      return say(`Not reloaded (${count}): the rules, clients and settings from before keep running`);
    }
    const changes = describeChange(running, setup);
    running = setup;
    use(setup);
    const rulesOn = setup.rules.rules.filter(({ enabled }) => enabled).length;
    say(
      changes.length === 0
        ? wasBroken
          ? "Read again: the mistakes are gone, what runs is up to date"
          : "Read again: nothing changed"
        : `Reloaded: ${changes.join(", ")}; ${rulesOn} rules on`,
    );
    if (changes.includes("listen")) say(`Restart to listen on another address: this is still ${url}`);
  };
  const watch = watchPlaces(places, {
    onChange: reload,
    onRefusal: (reason) => say(`Cannot watch the rules, so changes need a restart: ${reason}`),
  });
  return watch;
}

/** Everything that a setup was or would be read from, the built-in folders too where they are on the disk. */
export function placesOf({ config }: Setup): Places {
  const builtIn = Deno.build.standalone ? [] : [BUILT_IN_RULES, BUILT_IN_CLIENTS];
  const own = [...config.ruleFolders, ...config.clientFolders].map(({ path }) => path);
  return { folders: [...new Set([...builtIn, ...own])], files: [config.path] };
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

function pictures({ diagnostics }: Setup, { isTerminal }: World): string[] {
  return diagnostics.map((diagnostic) => printDiagnostic(diagnostic, { colours: isTerminal }));
}
