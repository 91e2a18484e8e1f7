/** How a client's file describes a call: the form of a tool, the names of a parameter, a template's placeholders. @module */
import type { Client, ClientTool, Parameter, ToolForm } from "./schema.ts";

interface FormContext {
  readonly client: Client;
  readonly documented: ReadonlySet<string>;
  /** The tools that the prompt lists; absent when that is not known. */
  readonly listed?: { has(tool: string): boolean } | undefined;
}

/** The form in which a tool is written for a request. */
export function chooseForm(tool: ClientTool, { client, documented, listed }: FormContext): ToolForm {
  const form = tool.forms.find(({ if_documented }) => if_documented.every((name) => documented.has(name)));
  const { parameters, write } = form ?? tool;
  const all = Object.entries({ ...parameters, ...client.every_tool });
  const isListed = (tool: string) => listed?.has(tool) === true;
  const isTrimmed = ({ trimmed, trimmed_if: old }: Parameter) =>
    trimmed || (old !== undefined && old.listed.every(isListed) && !old.unlisted.some(isListed));
  return {
    parameters: Object.fromEntries(
      all.map(([name, parameter]) => [name, { ...parameter, trimmed: isTrimmed(parameter) }]),
    ),
    write,
  };
}

/** The names under which a parameter's value is looked for, in order. */
export function lookupNames(name: string, { from }: Parameter): readonly string[] {
  return from.some((one) => plainName(one) === name) ? from : [name, ...from];
}

export function placeholders(text: string): { name: string; start: number; end: number }[] {
  return [...text.matchAll(/\{([A-Za-z_][A-Za-z0-9_]*)\}/g)].map((match) => ({
    name: match[1] ?? "",
    start: match.index,
    end: match.index + match[0].length,
  }));
}

/** A name to look for without the mark that only a list or an object counts. */
export function plainName(from: string): string {
  return from.endsWith("[]") ? from.slice(0, -2) : from;
}
