/** What becomes of tools that run on the servers of an agent's API: left out, refused, or passed on. @module */
import type { NoteEvent } from "../../engine/event/event.ts";
import type { ChatBody, JsonObject, ServerTool, WireRefusal } from "../../wires/wire.ts";
import type { Service } from "./service.ts";

export interface SettledChat<Body = ChatBody> {
  readonly body: Body;
  readonly notes: readonly NoteEvent[];
}

const NAME_MAX = 64;

/** The chat request with or without its server tools, or why it is refused. */
export function settleServerTools<Body extends JsonObject = ChatBody>(
  { body, serverTools = [] }: {
    readonly body: Body;
    readonly serverTools?: readonly ServerTool[];
  },
  { service, wire }: { readonly service: Pick<Service, "config" | "isNews">; readonly wire: string },
): SettledChat<Body> | WireRefusal {
  const others = Array.isArray(body["tools"]) ? body["tools"] : [];
  const { server_tools: setting } = service.config.tools;
  if (setting === "pass_on" && serverTools.length > 0) {
    return { body: { ...body, tools: [...others, ...serverTools.map(({ entry }) => entry)] }, notes: [] };
  }
  const isNeeded = setting === "refuse" || others.length === 0;
  const needed = serverTools.find(({ isChosen = false }) => isNeeded || isChosen);
  if (needed !== undefined) return toolRefusal(needed);
  const names = serverTools.map(({ name }) => name.slice(0, NAME_MAX));
  const news = names.filter((name) => service.isNews(`server_tool of ${wire}: ${name}`));
  return {
    body,
    notes: news.map((tool) => ({ kind: "note", reason: "server_tool", rule: wire, tool, start: 0, end: 0 })),
  };
}

function toolRefusal({ name }: ServerTool): WireRefusal {
  return {
    refusal: {
      status: 400,
      type: "invalid_request_error",
      code: "server_tool",
      message: `The tool ${name.slice(0, NAME_MAX)} runs on this API's own servers, but Dragoman gets ` +
        "its answers from a chat server. Turn the tool off, or set `tools.server_tools: pass_on` if your model server runs it",
    },
  };
}
