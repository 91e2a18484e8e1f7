/**
 * Agents that talk to a team: each counts what it got, and an answer that breaks off is an error.
 *
 * @module
 */
import { hear } from "../support/chunks.ts";
import { rooPrompt } from "../support/prompts.ts";
import { FILES, PIECES } from "./model.ts";

const SYSTEM = rooPrompt({ hasArgs: false, hasLineCount: false });
const PARAMETERS = { type: "object", properties: { n: { type: "integer" } } };
const COUNT = [{ type: "function", function: { name: "count", parameters: PARAMETERS } }];

/** What a request sends besides its messages. */
interface Asked {
  readonly messages: readonly unknown[];
  readonly tools?: unknown;
  readonly agent?: string;
}

/** A balancer's answer to a request that its replica didn't take. */
export class BadGateway extends Error {}

/** Sends one request and reads its stream to the end. */
async function ask(url: string, { agent = "test", ...body }: Asked): Promise<ReturnType<typeof hear>> {
  const response = await fetch(`${url}/v1/chat/completions`, {
    method: "POST",
    headers: { "user-agent": agent, "content-type": "application/json" },
    body: JSON.stringify({ model: "m", stream: true, ...body }),
  });
  const text = await response.text();
  if (response.status === 502) throw new BadGateway(text);
  if (response.status !== 200) throw new Error(`Status ${response.status}: ${text.slice(0, 300)}`);
  if (!text.endsWith("data: [DONE]\n\n")) throw new Error(`A stream broke off: ${text.slice(-300)}`);
  return hear(text);
}

/** The request of a strike, by which its conversation is known. */
export function strikeRequest(task: string) {
  return { messages: [{ role: "user", content: task }], tools: COUNT };
}

/** An agent whose model calls wrongly: gets the call each time. */
export async function strike(url: string, task: string): Promise<void> {
  const { choices } = await ask(url, strikeRequest(task));
  const name = choices[0]?.calls[0]?.name;
  if (name !== "count") throw new Error(`No call in the answer to ${task}`);
}

/** An agent that runs one call a message: returns the files that it read, in order. */
export async function runQueue(url: string, task: string): Promise<string[]> {
  const messages: unknown[] = [
    { role: "system", content: SYSTEM },
    { role: "user", content: `<task>\n${task}\n</task>` },
  ];
  const read: string[] = [];
  for (let turn = 0; turn <= 3 * FILES.length; turn++) {
    const { choices } = await ask(url, { messages, agent: "RooCode/3.30.0" });
    const content = choices[0]?.content ?? "";
    const file = /<read_file>\n<path>(.*?)<\/path>/.exec(content)?.[1];
    if (file === undefined) {
      if (content.trim() === "All done.") return read;
      throw new Error(`Neither a call nor the end: ${content}`);
    }
    read.push(file);
    messages.push({ role: "assistant", content }, {
      role: "user",
      content: `[read_file for '${file}'] Result:\n\n1 | text`,
    });
  }
  throw new Error(`${task} never ends: ${read}`);
}

/** A long stream, whole. */
export async function readStream(url: string, task: string): Promise<void> {
  const { choices } = await ask(url, strikeRequest(task));
  const wanted = Array.from({ length: PIECES }, (_, piece) => `piece ${piece}\n`).join("");
  if (choices[0]?.content !== wanted) throw new Error(`${task} lacks a part: ${choices[0]?.content}`);
}

/** Runs tasks, this many at a time. */
export async function runAll(tasks: readonly (() => Promise<void>)[], atATime: number): Promise<void> {
  const left = [...tasks];
  const work = async () => {
    for (let task = left.shift(); task !== undefined; task = left.shift()) await task();
  };
  await Promise.all(Array.from({ length: atATime }, work));
}
