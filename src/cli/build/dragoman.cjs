#!/usr/bin/env node
/*
 * The command of the npm package: runs the bundle with the package's own Deno and only the rights that it needs.
 *
 *     npx ─▶ sh ─▶ this file ─▶ deno run … dist/cli/bundle/dragoman.js
 *
 * Arguments, standard streams, signals and the exit code are those of the bundle. A server reads what happens to this
 * process on its standard input (src/cli/context.ts), and ends with it.
 */
"use strict";

const { spawn } = require("node:child_process");
const fs = require("node:fs");
const os = require("node:os");
const path = require("node:path");
const { pathToFileURL } = require("node:url");
const { parseArgs } = require("node:util");

const BUNDLE = path.join(__dirname, "..", "dist", "cli", "bundle", "dragoman.js");

/** Flags whose value is a file or folder that the program writes. */
const OUTPUTS = { audit: {}, html: {}, output: { short: "o" }, record: {} };

/** How the JavaScript engine runs a server; as in src/cli/engine_flags.ts. */
const ENGINE_FLAGS =
  "--v8-flags=--max-semi-space-size=8,--gc-memory-reducer-start-delay-ms=1000,--no-flush-bytecode";

/** The flag whose value is the configuration, which `init` writes and a server only reads. */
const CONFIG = { config: { short: "c" } };

/** The folders that a server writes, next to where it starts and next to its configuration. */
const SERVER_FOLDERS = ["logs", "captures", "rules"];

/** The most old files of an audit log outside of those folders. */
const OLD_FILES = 20;

/**
 * The exit code of a server whose worker hung, as in src/cli/service/watchdog.ts. One without workers is killed by its own
 * watchdog. Both are started again.
 */
const HUNG_CODE = 75;

/** The pauses before a server that hung is started again, in milliseconds; one that ran for `steady` begins with the first. */
const PAUSE = { first: 500, longest: 30_000, steady: 60_000 };

/** How often to look whether the process that started this one still runs. */
const PARENT_CHECK_MS = 1000;

if (globalThis.Deno?.serve === undefined) start(process.argv.slice(2));
// Deno runs this file itself: `deno run -A npm:dragoman`.
else import(pathToFileURL(BUNDLE).href);

/** Runs the bundle and ends as it ends; a server that hung is started again. */
function start(words) {
  const isServing = isServer(words);
  const running = { child: undefined, isEnding: false };
  passSignals(running, isServing);
  const run = (pauseMs) => {
    const began = Date.now();
    const child = running.child = spawnBundle(words, isServing);
    // Whoever reads nothing more has ended.
    child.stdin?.on("error", () => {});
    child.on("error", (error) => fail(error.message));
    child.on("exit", (code, signal) => {
      const hung = isServing && (signal === "SIGKILL" || code === HUNG_CODE);
      if (hung && !running.isEnding) {
        const ms = Date.now() - began > PAUSE.steady ? PAUSE.first : pauseMs;
        console.error(
          `dragoman: the server ended because it hung or was killed. It starts again in ${ms} ms`,
        );
        return setTimeout(() => run(Math.min(2 * ms, PAUSE.longest)), ms);
      }
      if (signal === null) process.exit(code ?? 1);
      process.removeAllListeners(signal);
      process.kill(process.pid, signal);
    });
  };
  run(PAUSE.first);
}

function spawnBundle(words, isServing) {
  const flags = ["--quiet", "--no-prompt", "--no-config", "--no-lock", "--unstable-no-legacy-abort"];
  if (isServing) flags.push(ENGINE_FLAGS);
  return spawn(denoPath(), ["run", ...flags, ...rights(words), BUNDLE, ...words], {
    stdio: [isServing ? "pipe" : "inherit", "inherit", "inherit"],
    env: {
      ...process.env,
      ...(isServing ? { DRAGOMAN_LAUNCHER: process.stdin.isTTY ? "terminal" : "pipe" } : {}),
      DRAGOMAN_COMMAND: command(),
      // The package.json of the folder where the user stands is about something else.
      DENO_NO_PACKAGE_JSON: "1",
      DENO_NO_UPDATE_CHECK: "1",
    },
  });
}

/** Deno's path. npm runs no install scripts unless the user approves them, so Deno's own are called here. */
function denoPath() {
  try {
    const folder = path.dirname(require.resolve("deno/package.json"));
    return require(path.join(folder, "install_api.cjs")).runInstall();
  } catch (error) {
    return fail(`Deno cannot run here: ${error.message}`);
  }
}

/** Whether the words start a server, which is also the verb of a command line without one. */
function isServer(words) {
  return words.length === 0 || words[0] === "serve" || words[0].startsWith("-");
}

/** Every file can be read. What a server can write has a name; other verbs can write the user's folder. */
function rights(words) {
  const read = ["--allow-net", "--allow-env", "--allow-read"];
  if (isServer(words)) return [...read, `--allow-write=${list(serverPaths(words))}`];
  const writable = list([".", ...pathsOf({ ...OUTPUTS, ...CONFIG }, words)]);
  return words[0] === "service" ? serviceRights(writable) : [...read, `--allow-write=${writable}`];
}

/**
 * What a server can write: logs, captures, the user's rules, its cache, and what the command line names. Not the folder
 * around it: a plugin could change what the next start runs.
 */
function serverPaths(words) {
  const places = [".", ...pathsOf(CONFIG, words).map((file) => path.dirname(file))];
  const folders = places.flatMap((place) => SERVER_FOLDERS.map((name) => path.join(place, name)));
  const logs = pathsOf({ audit: {} }, words).flatMap((file) => [
    file,
    ...Array.from({ length: OLD_FILES }, (_, at) => `${file}.${at + 1}`),
    // There is nothing to change in a folder that has to be made.
    ...(fs.existsSync(path.dirname(file)) ? [] : [path.dirname(file)]),
  ]);
  return [...folders, ...logs, ...pathsOf({ record: {} }, words), cacheFolder()];
}

/** Where a server keeps the rules that it checked; as in src/cli/service/rule_cache.ts. */
function cacheFolder() {
  const { XDG_CACHE_HOME: named = "", HOME: home = os.homedir(), LOCALAPPDATA: local } = process.env;
  if (path.isAbsolute(named)) return path.join(named, "dragoman");
  return local === undefined ? path.join(home, ".cache", "dragoman") : path.join(local, "dragoman", "cache");
}

/** The rights of the verb that writes a unit and asks the system to start it. */
function serviceRights(writable) {
  const home = process.env.HOME ?? "";
  const folders = ["/etc/systemd/system", `${home}/.config/systemd`, `${home}/Library/LaunchAgents`];
  return [
    "--allow-env",
    "--allow-read",
    "--allow-run=systemctl,launchctl",
    `--allow-write=${writable},${list(folders)}`,
  ];
}

/** The paths that are the values of these flags, read as the program reads them. */
function pathsOf(flags, words) {
  const options = Object.entries(flags).map(([name, more]) => [
    name,
    { type: "string", multiple: true, ...more },
  ]);
  const { values } = parseArgs({
    args: words,
    options: Object.fromEntries(options),
    strict: false,
    allowPositionals: true,
  });
  const named = Object.keys(flags).flatMap((name) => values[name] ?? []);
  return named.filter((value) => typeof value === "string").map((value) => path.resolve(value));
}

/** Deno splits a list at commas; two of them are one. */
function list(paths) {
  return paths.map((one) => one.replaceAll(",", ",,")).join(",");
}

/** How the user starts the program again; the commands that it prints begin like this. */
function command() {
  const { npm_command: npm, npm_config_package: file = "" } = process.env;
  if (npm === "exec" && /^[\w./@:+-]+$/.test(file)) return `npx -y --package=${file} dragoman`;
  const project = __dirname.split(`${path.sep}node_modules${path.sep}`)[0];
  const isInProject = !path.relative(project, process.cwd()).startsWith("..");
  return npm === "exec" || isInProject ? "npx dragoman" : "dragoman";
}

/** Passes signals on to what runs; between two servers, one of them ends this process. */
function passSignals(running, isServing) {
  const end = (signal) => {
    running.isEnding = true;
    const { child } = running;
    if (child.exitCode !== null || child.signalCode !== null) process.exit(0);
    if (signal !== undefined) child.kill(signal);
  };
  process.on("SIGINT", () => {
    // A terminal sends it to every process of its group, so a server has to know which of them are the same.
    if (isServing) {
      end();
      running.child.stdin.write("i");
    } else if (![process.stdin, process.stdout, process.stderr].some(({ isTTY }) => isTTY)) end("SIGINT");
  });
  process.on("SIGTERM", () => end("SIGTERM"));
  process.on("SIGHUP", () => running.child.kill("SIGHUP"));
  // npx ends on SIGTERM without passing it on. Another parent may leave the program in the background.
  const parent = process.ppid;
  if (process.env.npm_command === undefined) return;
  setInterval(() => process.ppid !== parent && end("SIGTERM"), PARENT_CHECK_MS).unref();
}

function fail(message) {
  console.error(`dragoman: ${message}`);
  process.exit(1);
}
