/** The verb `service`: starts the proxy with the machine, by systemd or launchd; `--print` shows it only. @module */
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { reasonOf } from "../engine/document/load.ts";
import { CONFIG_FILE } from "../proxy/config/load.ts";
import { complain, complainOf, complainOfUsage } from "./complain.ts";
import { ENGINE_FLAGS } from "./engine_flags.ts";
import { DISTRIBUTION } from "./service/distribution.ts";
import { cacheFolder } from "./service/rule_cache.ts";
import { writeNew } from "./service/schema_line.ts";
import type { CliContext } from "./service/context.ts";
import {
  type Manager,
  serviceCommands,
  type ServicePlan,
  statusText,
  unitPath,
  unitText,
} from "./service_units.ts";
import { isSet, textValue, type Verb, type VerbInput } from "./verb.ts";

const ACTIONS = ["install", "status", "remove"] as const;

type Action = typeof ACTIONS[number];

export const service: Verb = {
  name: "service",
  summary: "Start the proxy when the machine starts (systemd on Linux, launchd on macOS)",
  usage: "service install|status|remove [--system] [--config FILE] [--print]",
  operandsMax: 1,
  words: ACTIONS,
  examples: ["service install --print", "service install", "service status"],
  options: {
    system: {
      type: "boolean",
      description: "For the whole machine, as root; otherwise for you, from when you log in (Linux)",
    },
    config: {
      type: "string",
      short: "c",
      placeholder: "FILE",
      description: `Configuration file; its folder is the service's; default ${CONFIG_FILE}`,
    },
    print: { type: "boolean", description: "Print the file and the commands without changing anything" },
  },
  run: (input, context) => runService(input, { context, ...HERE }),
};

export interface ServiceSurroundings {
  readonly context: CliContext;
  readonly os: string;
  /** Runs a command, with its output on the terminal; gives its exit code. */
  readonly execute: (command: readonly string[]) => Promise<number>;
}

const HERE = { os: Deno.build.os, execute };

async function execute([program = "", ...args]: readonly string[]): Promise<number> {
  const options = { args, stdin: "null", stdout: "inherit", stderr: "inherit" } as const;
  return (await new Deno.Command(program, options).output()).code;
}

export async function runService(
  input: VerbInput,
  { context, os, execute }: ServiceSurroundings,
): Promise<number> {
  const [action] = input.positionals;
  if (!isAction(action)) {
    return complainOfUsage({
      message: action === undefined
        ? "What do you want to do with the service?"
        : `Unknown action \`${action}\``,
      help: "write `dragoman service install`, `status` or `remove`",
    }, context);
  }
  const isSystem = isSet(input, "system");
  const manager: Manager | undefined = os === "linux"
    ? isSystem ? "systemd" : "systemd-user"
    : os === "darwin"
    ? "launchd"
    : undefined;
  if (manager === undefined) {
    return complainOfUsage({
      message: `Services aren't supported on ${os}`,
      help: "use the system's own scheduler to start `dragoman serve`",
    }, context);
  }
  const config = resolve(context.workingDirectory, textValue(input, "config") ?? CONFIG_FILE);
  const plan: ServicePlan = {
    folder: dirname(config),
    home: context.readEnvironment("HOME") ?? "",
    command: serveCommand(config, cacheFolder(context)),
  };
  if (action === "install" && plan.command.some((word) => /[/\\]_npx[/\\].*dragoman/.test(word))) {
    const message =
      "This program is in the npx cache, which npm can delete. The service would then no longer start";
    const help = "run `npm install --global dragoman`, then `dragoman service install`";
    complain([{ code: "service_failed", severity: "warning", message, help }], context);
  }
  const file = unitPath(manager, plan);
  const commands = serviceCommands(manager, plan)[action];
  const shown = commands.map((words) => words.join(" "));
  if (isSet(input, "print")) {
    context.stdout(action === "install" ? `# ${file}\n${unitText(manager, plan)}\n` : "");
    context.stdout(
      shown.map((line) => `# ${line}\n`).join("") + (action === "remove" ? `# rm ${file}\n` : ""),
    );
    return 0;
  }
  try {
    if (action === "install") {
      if (!await writeNew(file, unitText(manager, plan))) {
        const message = `${file} exists, and \`service install\` never overwrites a file`;
        const help = `run \`${context.command} service remove\` first`;
        complainOf({ code: "file_exists", message, help }, context);
        return 1;
      }
      context.stdout(`Wrote ${file}\n`);
    }
    for (const [index, command] of commands.entries()) {
      const code = await execute(command);
      const state = action === "status" ? statusText(manager, { code, program: context.command }) : undefined;
      if (state !== undefined) {
        context.stdout(state);
        return 1;
      }
      if (code !== 0) return failed(`\`${shown[index]}\` exited with code ${code}`, context);
    }
    if (action === "remove") await Deno.remove(file);
    return 0;
  } catch (error) {
    return failed(`Cannot ${action} the service: ${reasonOf(error)}`, context);
  }
}

function isAction(word: string | undefined): word is Action {
  return ACTIONS.some((action) => action === word);
}

function failed(message: string, context: CliContext): number {
  const help =
    `\`${context.command} service install --print\` shows the file and the commands to run yourself`;
  complainOf({ code: "service_failed", message, help }, context);
  return 1;
}

/** What a server writes next to its configuration; never the folder itself, where the next start finds what it runs. */
const WRITTEN = ["logs", "captures", "rules"];

/** What starts this program as a server that can write only its logs, captures, rules and cache. */
function serveCommand(config: string, cache: string | undefined): string[] {
  const serve = ["serve", "--config", config];
  if (DISTRIBUTION === "binary") return [Deno.execPath(), ...serve];
  const own = DISTRIBUTION === "package" ? ["--no-lock", "--no-config", "--unstable-no-legacy-abort"] : [];
  const rights = [
    ...["--allow-net", "--allow-env", "--allow-read"],
    `--allow-write=${
      [...WRITTEN.map((name) => join(dirname(config), name)), ...cache === undefined ? [] : [cache]].join(",")
    }`,
  ];
  const main = fileURLToPath(Deno.mainModule);
  return [Deno.execPath(), "run", "--quiet", "--no-prompt", ENGINE_FLAGS, ...own, ...rights, main, ...serve];
}
