/** What a client knows about a call of its own tools: an example as its prompt teaches it, and what a call lacks. @module */
import { own } from "../../engine/object/own.ts";
import { chooseForm } from "../client/form.ts";
import type { RecognizedRequest } from "../client/recognize.ts";
import { exampleArguments } from "../../engine/tool/example.ts";
import { type ArgumentContext, mapArguments, missingParameters } from "./argument.ts";
import type { JsonObject } from "./lookup.ts";
import { writeCall } from "./write.ts";

export interface ToolUse {
  readonly tool: string;
  readonly arguments: JsonObject;
}

/** Writes one right call of a tool; undefined for a tool that the client doesn't have. */
export function writeClientExample(name: string, found: RecognizedRequest): string | undefined {
  const { client, offered, model } = found;
  const context = contextOf(name, found);
  const schema = offered.resolve(name)?.documented;
  if (context === undefined || schema === undefined) return undefined;
  const mapped = mapArguments(exampleArguments(schema), context);
  if ("reason" in mapped) return undefined;
  const written = writeCall({ tool: name, form: context.form, values: mapped.values, client, model });
  return "text" in written ? written.text : undefined;
}

/** The required parameters that a call lacks under all names that the client knows for them. */
export function missingInClient(
  { tool, arguments: given }: ToolUse,
  found: RecognizedRequest,
): readonly string[] {
  const context = contextOf(tool, found);
  return context === undefined ? [] : missingParameters(given, context);
}

function contextOf(
  name: string,
  { client, documented: listed }: RecognizedRequest,
): ArgumentContext | undefined {
  const tool = own(client.tools, name);
  if (tool === undefined) return undefined;
  const documented = listed.get(name) ?? new Set<string>();
  return { form: chooseForm(tool, { client, documented, listed }), documented };
}
