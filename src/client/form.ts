/**
 * How a client's file describes a call: the form of a tool that applies to a request, the names that a parameter
 * has, and the placeholders of a template.
 *
 * @module
 */
import type { Client, ClientTool, Parameter, ToolForm } from "./schema.ts";

/**
 * The form in which a tool is written for a request.
 *
 * @param tool the tool as the client's file has it
 * @param context the client, for the parameters that every tool has, and the names that the prompt documents
 */
export function chooseForm(
  tool: ClientTool,
  { client, documented }: { client: Client; documented: ReadonlySet<string> },
): ToolForm {
  const form = tool.forms.find(({ if_documented }) => if_documented.every((name) => documented.has(name)));
  const { parameters, write } = form ?? tool;
  return { parameters: { ...parameters, ...client.every_tool }, write };
}

/** The names under which a parameter's value is looked for, in order. */
export function lookupNames(name: string, { from }: Parameter): readonly string[] {
  return from.includes(name) ? from : [name, ...from];
}

/** The placeholders of a text of a template: `{name}`. */
export function placeholders(text: string): { name: string; start: number; end: number }[] {
  return [...text.matchAll(/\{([A-Za-z_][A-Za-z0-9_]*)\}/g)].map((match) => ({
    name: match[1] ?? "",
    start: match.index,
    end: match.index + match[0].length,
  }));
}
