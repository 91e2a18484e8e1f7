/**
 * The shipped clients, and a call rendered as one of them gets it.
 *
 * @module
 */
import assert from "node:assert/strict";
import { loadClients } from "../../src/chat/client/load.ts";
import type { DocumentedTools } from "../../src/chat/client/prompt.ts";
import type { RecognizedRequest } from "../../src/chat/client/recognize.ts";
import type { Client } from "../../src/chat/client/schema.ts";
import { createRenderer } from "../../src/chat/translator/translator.ts";
import type { ContentEvent, NoteEvent } from "../../src/engine/event/event.ts";
import { collect } from "../../src/engine/event/stage.ts";
import { TextRenderer } from "../../src/chat/render/text.ts";
import { textOf } from "./matcher_events.ts";

const { clients, diagnostics } = await loadClients({ folders: [], workingDirectory: Deno.cwd() });

/** Every shipped client, in order of precedence. */
export function shippedClients(): readonly Client[] {
  assert.deepEqual(diagnostics, []);
  return clients;
}

export function shippedClient(name: string): Client {
  const client = shippedClients().find((candidate) => candidate.client === name);
  assert.ok(client, `no client ${name}`);
  return client;
}

export interface RenderedCall {
  readonly client: Client;
  readonly tool: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  /** Names that the prompt gives the tool's parameters. */
  readonly documented?: readonly string[];
  /** All tools of the prompt, if that matters. */
  readonly listed?: DocumentedTools;
  readonly model?: string;
  readonly source?: string;
  /** Text of the answer before the call. */
  readonly text?: string;
  readonly rule?: string;
  readonly dialectsOf?: (rule: string) => readonly string[];
}

/** The call's text as the client gets it, and the renderer's notes. */
export function renderCall(
  call: RenderedCall,
): { text: string; notes: readonly NoteEvent[]; finished: boolean } {
  const { client, tool, model = "qwen3", source = "SOURCE", text = "", rule = "some_rule" } = call;
  const renderer = new TextRenderer({
    client,
    documented: call.listed ?? new Map([[tool, new Set(call.documented ?? [])]]),
    model,
    ...(call.dialectsOf === undefined ? {} : { dialectsOf: call.dialectsOf }),
  });
  const events: ContentEvent[] = [
    { kind: "text", text },
    { kind: "call_start", call: 0, tool, rule, confidence: 1 },
    { kind: "arguments", call: 0, json: JSON.stringify(call.arguments) },
    { kind: "call_end", call: 0, source },
  ];
  const rendered = collect(renderer, events);
  const notes = rendered.filter((event) => event.kind === "note");
  return { text: textOf(rendered), notes, finished: renderer.isFinished };
}

/** One call as a recognized client gets it. */
export function renderedText(
  recognized: RecognizedRequest,
  call: { readonly tool: string; readonly arguments: Readonly<Record<string, unknown>> },
): string {
  const renderer = createRenderer(recognized, { newId: () => "id" });
  return textOf(collect(renderer, [
    { kind: "call_start", call: 0, tool: call.tool, rule: "some_rule", confidence: 1 },
    { kind: "arguments", call: 0, json: JSON.stringify(call.arguments) },
    { kind: "call_end", call: 0, source: "SOURCE" },
  ]));
}
