/**
 * The settings that `init` prints for an agent, for a room: agents are tried with them.
 *
 * @module
 */
import choices from "../../src/cli/init_choices.json" with { type: "json" };
import { sizedLines } from "../../src/cli/init.ts";
import { MODEL, type Room } from "./agent.ts";

export type InitAgent = keyof typeof choices.agents;

export function initLines(agent: InitAgent, { url, origin, contextTokens }: Room): string[] {
  const values: Readonly<Record<string, string>> = { "{base}": url, "{origin}": origin, "{key}": "none" };
  const lines = choices.agents[agent].lines.map((line) =>
    line.replaceAll(/«([^»]*)»/g, (_, inner) => contextTokens === undefined ? "" : inner)
  );
  return sizedLines({ where: "", lines }, contextTokens ?? 0).map((line) =>
    line.replace(/\{\w+\}/g, (name) => values[name] ?? name).replace(/\bMODEL\b/g, MODEL)
  );
}

/** The environment variables among the lines. */
export function initEnvironment(agent: InitAgent, room: Room): Record<string, string> {
  const matches = initLines(agent, room).flatMap((line) => [...line.matchAll(/(\w+)=(\S+)/g)]);
  return Object.fromEntries(matches.map(([, name = "", value = ""]) => [name, value]));
}

/** The settings of another file for the size of the context; none without one. */
export function sizedJson(agent: "qwen-code" | "gemini-cli", { contextTokens }: Room): object {
  if (contextTokens === undefined) return {};
  return JSON.parse(sizedLines(choices.agents[agent].sized, contextTokens).join("\n"));
}

/** The lines as JSON; the caller knows their shape. */
export function initJson<Settings>(agent: InitAgent, room: Room): Settings {
  return JSON.parse(initLines(agent, room).join("\n"));
}
