/** Reads a model's output, and the client that it is for, for `transform` and `trace`. @module */
import { resolve } from "node:path";
import type { RequestTool } from "../chat/message/request.ts";
import { escapedLines } from "../engine/diagnostic/visible.ts";
import type { Diagnostic } from "../engine/diagnostic/diagnostic.ts";
import { printDiagnostics } from "../engine/diagnostic/print.ts";
import { readTextFile, shownPath } from "../engine/document/load.ts";
import type { Translator } from "../proxy/exchange/service.ts";
import type { Verdict } from "../proxy/plugin/mod.ts";
import { anyTool, type OfferedTools } from "../engine/tool/offered.ts";
import { complain, complainOfUsage } from "./complain.ts";
import { findClient } from "../analysis/replay/recorded_client.ts";
import { recordedParts } from "../analysis/replay/recorded_parts.ts";
import { parseCapture } from "../analysis/replay/capture.ts";
import { parseTools } from "../analysis/replay/tool_list.ts";
import { hasErrors, loadSetup, type Setup } from "./service/setup.ts";
import { type CliContext, printing } from "./service/context.ts";
import { chosenParts, PLUGIN_OPTION, SETUP_OPTIONS, setupFlags } from "./setup_options.ts";
import { textValue, type VerbInput, type VerbOption } from "./verb.ts";

export const RECORDING_OPTIONS: Readonly<Record<string, VerbOption>> = {
  client: {
    type: "string",
    placeholder: "CLIENT",
    values: "clients",
    description:
      "The client that gets the answer: openai, roo or cline; default: detected from the request, otherwise openai",
  },
  tools: {
    type: "string",
    placeholder: "FILE",
    description:
      "The offered tools: a JSON list of OpenAI or Anthropic tools or of names, or the whole request",
  },
  system: {
    type: "string",
    placeholder: "FILE",
    description: "The request's system prompt, which lists the tools of Roo and Cline",
  },
  ...PLUGIN_OPTION,
  ...SETUP_OPTIONS,
};

export function complainOfVerdict({ kind, code, message }: Verdict, context: CliContext): void {
  const what = kind === "retry" ? "asks the model again" : "refuses the answer";
  context.stderr(escapedLines(`A plugin ${what}: ${code}: ${message}`) + "\n");
}

interface Recording {
  readonly name: string;
  readonly text: string;
  readonly translator: Translator;
  readonly writesText: boolean;
  /** The tools that the client offers; every name if they are unknown. */
  readonly offered: OfferedTools;
  /** What was changed in the request for its server, one line each. */
  readonly healed: readonly string[];
  readonly setup: Setup;
}

/** Reads what the command line names. On errors it prints them and returns an exit code. */
export async function readRecording(
  input: VerbInput,
  context: CliContext,
): Promise<Recording | { exitCode: number }> {
  const setup = await loadSetup(setupFlags(input), context);
  const wrong = setup.diagnostics.filter(({ severity }) => severity === "error");
  context.stderr(printDiagnostics(wrong, printing(context)));
  if (hasErrors(setup)) return { exitCode: 1 };
  const tools = await readTools(textValue(input, "tools"), context);
  const system = await readNamed(textValue(input, "system"), context);
  if (tools === "unreadable" || system === "unreadable") return { exitCode: 1 };
  const [name = "-"] = input.positionals;
  const read = name === "-" ? { text: await context.readStdin() } : await readNamed(name, context);
  if (read === undefined || read === "unreadable") return { exitCode: 1 };
  const capture = parseCapture(read.text);
  const found = findClient(recordedParts(chosenParts(setup, input)), {
    client: textValue(input, "client") ?? capture?.client,
    tools: tools?.tools ?? (capture?.tools.length ? [...capture.tools] : undefined),
    system: system?.text ?? capture?.system ?? undefined,
    model: capture?.model ?? undefined,
  });
  if ("message" in found) return { exitCode: complainOfUsage(found, context) };
  if (found.assumption !== undefined) context.stderr(`${found.assumption}\n`);
  const { translator, writesText } = found;
  return {
    name,
    text: capture?.text ?? read.text,
    translator,
    writesText,
    offered: translator.offered ?? anyTool,
    healed: capture?.healed ?? [],
    setup,
  };
}

async function readNamed(
  name: string | undefined,
  context: CliContext,
): Promise<{ text: string } | "unreadable" | undefined> {
  if (name === undefined) return undefined;
  const { files: [file], diagnostics } = await readTextFile(resolve(context.workingDirectory, name), context);
  complain(diagnostics, context);
  return file ?? "unreadable";
}

async function readTools(
  name: string | undefined,
  context: CliContext,
): Promise<{ tools: RequestTool[] } | "unreadable" | undefined> {
  const read = await readNamed(name, context);
  if (name === undefined || read === undefined || read === "unreadable") {
    return "unreadable" === read ? read : undefined;
  }
  const tools = parseTools(read.text);
  if (tools !== undefined) return { tools };
  const wrong: Diagnostic = {
    code: "wrong_value",
    severity: "error",
    message: `Cannot read tools from ${shownPath(resolve(context.workingDirectory, name), context)}`,
    expected: 'a JSON list of OpenAI tools or of names, as in ["read_file"], or an object with `tools`',
    help: "copy `tools` from a request",
  };
  complain([wrong], context);
  return "unreadable";
}
