/** The verb `transform`: converts a model's output on the same path as a live answer. @module */
import { escapedText, visibleJson } from "../engine/diagnostic/visible.ts";
import { messageOf, readStream, receiveStream, receiveWhole } from "../analysis/replay/recorded.ts";
import type { Verdict } from "../proxy/plugin/mod.ts";
import { complainOfVerdict, readRecording, RECORDING_OPTIONS } from "./recording.ts";
import type { CliContext } from "./service/context.ts";
import { isSet, type Verb, type VerbInput } from "./verb.ts";

export const transform: Verb = {
  name: "transform",
  summary: "Convert a model's output and print the client's answer",
  usage: "transform [--client CLIENT] [--tools FILE] [--system FILE] [--stream] [FILE|-]",
  operandsMax: 1,
  examples: ["transform answer.txt", "transform --client roo --system prompt.txt answer.txt"],
  options: {
    ...RECORDING_OPTIONS,
    stream: {
      type: "boolean",
      description: "Send the output in small pieces and print the client's stream",
    },
  },
  run,
};

/** About as long as a model's token. */
const PIECE_LENGTH = 4;

async function run(input: VerbInput, context: CliContext): Promise<number> {
  const recording = await readRecording(input, context);
  if ("exitCode" in recording) return recording.exitCode;
  const { text, translator, writesText } = recording;
  const isStream = isSet(input, "stream");
  let verdict: Verdict | undefined;
  const recipient = { translator, stopped: (found: Verdict) => void (verdict = found) };
  const stream = isStream ? receiveStream(tokenPieces(text), recipient) : "";
  const received = isStream ? readStream(stream) : receiveWhole(text, { ...recipient, isWhole: true });
  if (verdict !== undefined) {
    complainOfVerdict(verdict, context);
    return 1;
  }
  if (writesText) context.stdout(forTerminal(received.content ?? "", context));
  else if (isStream) context.stdout(context.isTerminal ? escapedText(stream) : stream);
  else context.stdout(`${visibleJson(messageOf(received), 2)}\n`);
  return 0;
}

/** The text byte for byte. A terminal gets escapes of what it would obey, and its next prompt starts on a new line. */
function forTerminal(text: string, { isTerminal }: CliContext): string {
  if (!isTerminal) return text;
  return escapedText(text.endsWith("\n") ? text : `${text}\n`);
}

function tokenPieces(text: string): string[] {
  const characters = [...text];
  return Array.from(
    { length: Math.ceil(characters.length / PIECE_LENGTH) },
    (_, index) => characters.slice(index * PIECE_LENGTH, (index + 1) * PIECE_LENGTH).join(""),
  );
}
