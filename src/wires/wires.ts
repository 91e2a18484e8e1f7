/** The wires that the proxy speaks besides chat completions. A new wire is a folder and a line here. @module */
import { anthropic } from "./anthropic/anthropic.ts";
import { gemini } from "./gemini/gemini.ts";
import { ollama } from "./ollama/ollama.ts";
import { responses } from "./responses/responses.ts";
import type { Wire, WireOperation, WirePath } from "./wire.ts";

/** All wires, in the order in which they are tried. */
const WIRES: readonly Wire[] = [anthropic, responses, ollama, gemini];

export interface WireRequest {
  readonly wire: Wire;
  readonly operation: WireOperation;
}

/** The wire of a request and what it asks for; undefined if no wire knows the request. */
export function findWire(path: WirePath): WireRequest | undefined {
  for (const wire of WIRES) {
    const operation = wire.find(path);
    if (operation !== undefined) return { wire, operation };
  }
  return undefined;
}
