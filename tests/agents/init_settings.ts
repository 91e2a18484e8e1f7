/**
 * The settings that `init` prints for an agent, for a room: agents are tried with them.
 *
 * @module
 */
import choices from "../../src/cli/init_choices.json" with { type: "json" };
import { MODEL, type Room } from "./agent.ts";

export type InitAgent = keyof typeof choices.agents;

export function initLines(agent: InitAgent, { url, origin }: Room): string[] {
  const values: Readonly<Record<string, string>> = { "{base}": url, "{origin}": origin, "{key}": "none" };
  // The size of the context isn't known here.
  const lines = choices.agents[agent].lines.map((line) => line.replaceAll(/«[^»]*»/g, ""));
  return lines.map((line) =>
    line.replace(/\{\w+\}/g, (name) => values[name] ?? name).replace(/\bMODEL\b/g, MODEL)
  );
}

/** The environment variables among the lines. */
export function initEnvironment(agent: InitAgent, room: Room): Record<string, string> {
  const matches = initLines(agent, room).flatMap((line) => [...line.matchAll(/(\w+)=(\S+)/g)]);
  return Object.fromEntries(matches.map(([, name = "", value = ""]) => [name, value]));
}

/** The lines as JSON; the caller knows their shape. */
export function initJson<Settings>(agent: InitAgent, room: Room): Settings {
  return JSON.parse(initLines(agent, room).join("\n"));
}
