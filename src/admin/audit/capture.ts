/** Captures an answer, so that a rule change can be tested on it. @module */
import { contentText } from "../../chat/message/read.ts";
import type { RequestTool } from "../../chat/message/request.ts";
import { isDecision } from "../../engine/event/reason.ts";
import type { RequestFacts, RequestWatch } from "../../proxy/exchange/watch.ts";
import type { Capture } from "../../analysis/replay/capture.ts";
import { scrubArguments, scrubText, secretsIn } from "./scrub.ts";

/** The longest text that is captured, in characters. */
const TEXT_MAX = 4 * 1024 * 1024;

const HEALED_MAX = 200;

/** The longest message of the user that is captured, in characters: an agent puts whole files into some. */
const MESSAGE_MAX = 64 * 1024;

interface CaptureOptions {
  readonly keepsMessages: boolean;
}

export function captureRequest(
  facts: RequestFacts,
  keep: (capture: Capture) => void,
  { keepsMessages }: CaptureOptions = { keepsMessages: false },
): RequestWatch {
  const calls = new Map<number, { tool: string; rule: string; json: string }>();
  const refused: string[] = [];
  const healed: string[] = [];
  let text = "";
  return {
    text: (piece) => void (text.length <= TEXT_MAX && (text += piece)),
    observe(event) {
      if (event.kind === "call_start") calls.set(event.call, { ...event, json: "" });
      const call = event.kind === "arguments" ? calls.get(event.call) : undefined;
      if (event.kind === "arguments" && call !== undefined) call.json += event.json;
      if (event.kind === "call_abort") calls.delete(event.call);
      const isRefusal = event.kind === "note" && isDecision(event.reason) &&
        (event.call === undefined || !calls.has(event.call));
      if (isRefusal && event.kind === "note") refused.push(event.reason);
      if (event.kind === "note" && event.reason.startsWith("healed_") && healed.length < HEALED_MAX) {
        const { rule, reason, tool, detail = "" } = event;
        healed.push(`${reason} for ${rule}: ${tool === undefined ? "" : `${tool}: `}${detail}`);
      }
    },
    end() {
      if (facts.client === undefined || text === "" || text.length > TEXT_MAX) return;
      const { client } = facts;
      const parts = { text, calls: [...calls.values()], refused, healed, client, keepsMessages };
      keep(captured(facts, parts));
    },
  };
}

interface AnswerParts extends CaptureOptions {
  readonly client: string;
  readonly text: string;
  readonly calls: readonly { readonly tool: string; readonly rule: string; readonly json: string }[];
  readonly refused: readonly string[];
  readonly healed: readonly string[];
}

function captured(facts: RequestFacts, parts: AnswerParts): Capture {
  const { client, text, calls, refused, healed, keepsMessages } = parts;
  const secrets = [...facts.secrets, ...calls.flatMap(({ json }) => secretsIn(json))];
  const { tools, messages } = facts.chat ?? {};
  const hasTools = Array.isArray(tools) && tools.length > 0;
  const user = messages?.findLast(({ role }) => role === "user")?.content;
  const task = scrubText(contentText(user) ?? "", secrets).slice(0, MESSAGE_MAX) || null;
  const system = hasTools ? undefined : messages?.find(({ role }) => role === "system")?.content;
  return {
    v: 1,
    time: new Date(facts.beganAt).toISOString(),
    request: facts.id,
    client,
    model: facts.model === undefined ? null : scrubText(facts.model, secrets),
    tools: hasTools ? JSON.parse(withoutSecretTexts(tools, secrets)) : [],
    system: typeof system === "string" ? scrubText(system, secrets) : null,
    ...keepsMessages ? { user: task } : {},
    text: scrubText(text, secrets),
    calls: calls.map(({ tool, rule, json }) => ({ tool, rule, arguments: scrubArguments(json, secrets) })),
    refused,
    ...healed.length === 0 ? {} : { healed: healed.map((line) => scrubText(line, secrets)) },
  };
}

/** Scrubs only the texts of a schema: a schema names passwords without containing any. */
function withoutSecretTexts(tools: readonly RequestTool[], secrets: readonly string[]): string {
  return JSON.stringify(
    tools,
    (_name, value) => typeof value === "string" ? scrubText(value, secrets) : value,
  );
}
