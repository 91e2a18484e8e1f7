/**
 * The verb `transform`: converts a model's output on the same path as a live answer.
 *
 * @module
 */
import { readStream, type ReceivedAnswer, receiveStream, receiveWhole } from "../replay/recorded.ts";
import { readRecording, RECORDING_OPTIONS } from "./recording.ts";
import type { World } from "../service/world.ts";
import { isSet, type Verb, type VerbInput } from "./verb.ts";

/** `dragoman transform [FILE|-]`. */
export const transform: Verb = {
  name: "transform",
  summary: "Read a model's output and print what the client would get",
  usage: "transform [--client CLIENT] [--tools FILE] [--system FILE] [--stream] [FILE|-]",
  operandsMax: 1,
  examples: ["transform answer.txt", "transform --client roo --system prompt.txt answer.txt"],
  options: {
    ...RECORDING_OPTIONS,
    stream: {
      type: "boolean",
      description: "Send the output in small pieces and print the stream that the client would get",
    },
  },
  run,
};

/** About as long as a model's token. */
const PIECE_LENGTH = 4;

async function run(input: VerbInput, world: World): Promise<number> {
  const recording = await readRecording(input, world);
  if ("exitCode" in recording) return recording.exitCode;
  const { text, asking, writesText } = recording;
  const isStream = isSet(input, "stream");
  const stream = isStream ? receiveStream(tokenPieces(text), { asking }) : "";
  const received = isStream ? readStream(stream) : receiveWhole(text, { asking });
  if (writesText) world.stdout(endLine(received.content ?? "", world));
  else world.stdout(isStream ? stream : `${JSON.stringify(messageOf(received), null, 2)}\n`);
  return 0;
}

function messageOf({ content, calls, finishReason }: ReceivedAnswer): unknown {
  const toolCalls = calls.map(({ id, ...called }) => ({ id, type: "function", function: called }));
  return {
    content,
    ...(toolCalls.length === 0 ? {} : { tool_calls: toolCalls }),
    finish_reason: finishReason,
  };
}

/** The text byte for byte; in a terminal the next prompt starts on a new line. */
function endLine(text: string, { isTerminal }: World): string {
  return isTerminal && !text.endsWith("\n") ? `${text}\n` : text;
}

function tokenPieces(text: string): string[] {
  const characters = [...text];
  return Array.from(
    { length: Math.ceil(characters.length / PIECE_LENGTH) },
    (_, index) => characters.slice(index * PIECE_LENGTH, (index + 1) * PIECE_LENGTH).join(""),
  );
}
