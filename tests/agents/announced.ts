/** Reads the tools that Dragoman announces in a prompt, as a model reads them. @module */
import type { OfferedTool } from "./offered.ts";

/** Rule → the tools of a prompt in its dialect; none if the prompt has another one. */
export const ANNOUNCED: Readonly<Record<string, (prompt: string) => OfferedTool[]>> = {
  hermes: (prompt) =>
    [...prompt.matchAll(/^\{"type": "function", .*\}$/gm)].map(([line]) => JSON.parse(line) as OfferedTool),
  qwen_xml: (prompt) =>
    prompt.split("\n<function>\n").slice(1).map((block) => {
      const [name = "", ...parameters] = [...block.matchAll(/^<name>(.*)<\/name>$/gm)].map((
        [, name = ""],
      ) => name);
      const properties = Object.fromEntries(parameters.map((parameter) => [parameter, {}]));
      return { function: { name, parameters: { properties } } };
    }),
};

/** The tools of a prompt in any of these dialects. */
export function announcedTools(prompt: string): OfferedTool[] {
  return Object.values(ANNOUNCED).map((read) => read(prompt)).find((tools) => tools.length > 0) ?? [];
}
