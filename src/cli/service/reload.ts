/** Hot reload: a changed setup without errors replaces the old one; otherwise the old one keeps running. @module */
import { BUILT_IN_CLIENTS } from "../../chat/client/folder.ts";
import type { LoadConfigFlags } from "../../proxy/config/load.ts";
import {
  countDiagnostics,
  type DiagnosticJson,
  diagnosticToJson,
  printCount,
  printDiagnostic,
} from "../../engine/diagnostic/print.ts";
import { escaped } from "../../engine/diagnostic/visible.ts";
import { loadFailed } from "../../engine/document/guard.ts";
import { clock } from "../../engine/diagnostic/figures.ts";
import { foldersOf } from "../../engine/document/load.ts";
import { SHIPPED_RULES } from "../../engine/rule/folder.ts";
import { guardProblems, type Guards, guardsOf, openedBy } from "./access.ts";
import { DISTRIBUTION } from "./distribution.ts";
import { hasErrors, loadSetup, type Setup } from "./setup.ts";
import { type CliContext, printing } from "./context.ts";
import type { WatchedPaths } from "./file_snapshot.ts";
import { type Watch, watchPaths } from "./watch.ts";
import { present } from "../../engine/object/present.ts";
import { isJsonEqual } from "../../engine/json/equal.ts";

interface ReloadOptions {
  /** The command line; it overrides every file. */
  readonly flags: LoadConfigFlags;
  readonly context: CliContext;
  readonly setup: Setup;
  /** The snapshot of its files when it was loaded. */
  readonly known?: string;
  /** The URL on which the server listens; a file cannot change it. */
  readonly url: string;
  readonly use: (setup: Setup) => void;
}

interface ReloadResult {
  readonly isReloaded: boolean;
  readonly errors: number;
  readonly diagnostics: readonly DiagnosticJson[];
}

export interface Reloader extends Watch {
  readonly guards: Guards;
  reload(): Promise<ReloadResult>;
}

/** Watches every file of a setup until it is closed. */
export function startReloading(options: ReloadOptions): Reloader {
  const { flags, context } = options;
  const running = new RunningSetup(options);
  let paths = watchedPathsOf(options.setup);
  const load = async (): Promise<Setup> => {
    const setup = running.check(await loadSetup(flags, context, { isServing: true }));
    const next = hasErrors(setup) ? joinPaths(paths, watchedPathsOf(setup)) : watchedPathsOf(setup);
    if (isSame(next, paths)) return setup;
    paths = next;
    watch.move(paths);
    // Files in a new place may have changed before the watch started.
    return running.check(await loadSetup(flags, context, { isServing: true }));
  };
  let last: Promise<unknown> = Promise.resolve();
  // One reload after another. Otherwise the older of two setups could be used last.
  const read = (): Promise<ReloadResult> => {
    const result = last.then(async () => running.take(await load()));
    last = result.catch(() => {});
    return result;
  };
  const watch = watchPaths(paths, {
    ...present({ known: options.known }),
    onChange: async () => void await read(),
    onFailure: (cause) => void running.fail(cause),
  });
  return {
    ...watch,
    get guards() {
      return running.guards;
    },
    reload: () => read().catch((cause) => running.fail(cause)),
    async close() {
      await watch.close();
      await last;
    },
  };
}

class RunningSetup {
  readonly #options: ReloadOptions;
  #running: Setup;
  #shown: readonly string[];
  #isBroken = false;

  constructor(options: ReloadOptions) {
    this.#options = options;
    this.#running = options.setup;
    this.#shown = this.#printed(options.setup);
  }

  say(text: string): void {
    this.#options.context.stdout(`${clock(Date.now())}  ${escaped(text)}\n`);
  }

  get guards(): Guards {
    return guardsOf(this.#running);
  }

  /** A setup with an error for each guard that it takes away; one with other errors isn't used anyway. */
  check(setup: Setup): Setup {
    if (hasErrors(setup)) return setup;
    return { ...setup, diagnostics: [...setup.diagnostics, ...guardProblems(this.guards, setup)] };
  }

  /** Uses a setup if it has no errors, and prints the result. */
  take(setup: Setup): ReloadResult {
    const { diagnostics } = setup;
    this.#use(setup);
    const { errors } = countDiagnostics(diagnostics);
    return { isReloaded: errors === 0, errors, diagnostics: diagnostics.map(diagnosticToJson) };
  }

  /** Prints that a reload failed for an unknown reason. */
  fail(cause: unknown): ReloadResult {
    const diagnostic = loadFailed(cause);
    this.#isBroken = true;
    this.#options.context.stderr(
      `${printDiagnostic(diagnostic, { command: this.#options.context.command })}\n\n`,
    );
    this.say("Not reloaded: the previous rules, clients, and settings stay in use");
    return { isReloaded: false, errors: 1, diagnostics: [diagnosticToJson(diagnostic)] };
  }

  #use(setup: Setup): void {
    this.#showProblems(setup);
    const wasBroken = this.#isBroken;
    this.#isBroken = hasErrors(setup);
    if (this.#isBroken) {
      const count = printCount(countDiagnostics(setup.diagnostics));
      return this.say(`Not reloaded (${count}): the previous rules, clients, and settings stay in use`);
    }
    const changes = describeChange(this.#running, setup);
    this.#options.use(setup);
    const { listen: before, store: storeBefore } = this.#running.config.config;
    const opened = openedBy(this.#running, setup);
    this.#running = setup;
    const rulesOn = setup.rules.rules.filter(({ enabled }) => enabled).length;
    if (changes.length > 0) this.say(`Reloaded: ${changes.join(", ")}; ${rulesOn} rules on`);
    else {this.say(
        `Reloaded: ${wasBroken ? "the errors are fixed; " : ""}nothing changed`,
      );}
    if (opened.length > 0) this.say(`The edit grants access to: ${opened.join(", ")}`);
    const { listen, store } = setup.config.config;
    if (JSON.stringify(store) !== JSON.stringify(storeBefore)) {
      this.say("Restart to use another store. The store from startup is still in use");
    }
    if (listen.hostname !== before.hostname || listen.port !== before.port) {
      this.say(`Restart to listen on another address. Still listening on ${this.#options.url}`);
    }
  }

  #showProblems(setup: Setup): void {
    const printed = this.#printed(setup);
    const fresh = printed.filter((one) => !this.#shown.includes(one));
    this.#options.context.stderr(fresh.map((one) => `${one}\n\n`).join(""));
    this.#shown = printed;
  }

  #printed({ diagnostics }: Setup): string[] {
    return diagnostics.map((diagnostic) => printDiagnostic(diagnostic, printing(this.#options.context)));
  }
}

/** Every file and folder of a setup, including the built-in folders of a clone. */
export function watchedPathsOf({ config, plugins, templates }: Setup): WatchedPaths {
  const builtIn = DISTRIBUTION !== "source" ? [] : [...foldersOf(SHIPPED_RULES), BUILT_IN_CLIENTS];
  const own = [...config.ruleFolders, ...config.clientFolders].map(({ path }) => path);
  return {
    folders: [...new Set([...builtIn, ...own])],
    files: [config.path, ...plugins.files, ...templates.files],
  };
}

function joinPaths(one: WatchedPaths, other: WatchedPaths): WatchedPaths {
  return {
    folders: [...new Set([...one.folders, ...other.folders])],
    files: [...new Set([...one.files, ...other.files])],
  };
}

function isSame(one: WatchedPaths, other: WatchedPaths): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** Phrases such as `rule mine added`, `client roo changed`, `listen`; empty if nothing differs. */
export function describeChange(before: Setup, after: Setup): string[] {
  const named = <T>(entries: readonly T[], nameOf: (entry: T) => string) =>
    new Map(entries.map((entry) => [nameOf(entry), entry]));
  // Examples don't run in a server, and it may have loaded the rules without them.
  const rules = ({ rules: { rules } }: Setup) =>
    named(rules.map(({ examples: _, untouched: __, ...rule }) => rule), ({ rule }) => rule);
  const clients = (setup: Setup) => named(setup.clients.clients, ({ client }) => client);
  return [
    ...compare("rule", rules(before), rules(after)),
    ...compare("client", clients(before), clients(after)),
    ...settings(before, after),
  ];
}

function compare(
  thing: string,
  before: ReadonlyMap<string, unknown>,
  after: ReadonlyMap<string, unknown>,
): string[] {
  const kinds: Record<string, string[]> = { added: [], changed: [], removed: [] };
  for (const [name, value] of after) {
    if (!before.has(name)) kinds.added?.push(name);
    else if (!isJsonEqual(before.get(name), value)) kinds.changed?.push(name);
  }
  for (const name of before.keys()) if (!after.has(name)) kinds.removed?.push(name);
  return Object.entries(kinds).filter(([, names]) => names.length > 0)
    .map(([kind, names]) => `${thing}${names.length === 1 ? "" : "s"} ${names.join(" and ")} ${kind}`);
}

/** The top-level keys of the configuration that differ; those of rules show in the rules. */
function settings(before: Setup, after: Setup): string[] {
  const changed = Object.entries(after.config.config)
    .filter(([key, value]) =>
      key !== "rules" && key !== "clients" &&
      !isJsonEqual(Object.entries(before.config.config).find(([name]) => name === key)?.[1], value)
    )
    .map(([key]) => key);
  const hasNewKeys = !isJsonEqual([...before.config.keys], [...after.config.keys]);
  // An edited plugin is another module, even if the configuration is the same.
  const isOther = before.plugins.plugins.length !== after.plugins.plugins.length ||
    before.plugins.plugins.some(({ plugin }, index) => plugin !== after.plugins.plugins[index]?.plugin);
  return [
    ...changed,
    ...(isOther && !changed.includes("plugins") ? ["plugins"] : []),
    ...(hasNewKeys && !changed.includes("upstreams") ? ["keys"] : []),
  ];
}
