/**
 * Which calls a client that runs calls in text gets while the model still writes them: those in the client's own
 * dialect, from the first parameter on that spans lines and after which nothing is missing that the call needs.
 *
 *     <write_to_file>
 *     <path>a.ts</path>
 *     <content>              the call leaves from here on: the path is known, and the content begins
 *     import …
 *
 * The client runs what it has of a call when an answer ends, so a call that breaks off ends as an error instead
 * (`FlowingCall`).
 *
 * @module
 */
import { own } from "../../engine/object/own.ts";
import { chooseForm } from "../client/form.ts";
import type { RecognizedRequest } from "../client/recognize.ts";
import type { Parameter, ToolForm } from "../client/schema.ts";
import type { OpenCall } from "../../engine/event/open_call.ts";
import { mapArguments } from "./argument.ts";
import { parseJson } from "../../engine/object/parse.ts";
import { isRaw, writeCall } from "./write.ts";

/** Creates what decides for one request whether a call can leave from a parameter on. */
export function createFlow(
  found: RecognizedRequest,
  dialectsOf: (rule: string) => readonly string[],
): (call: OpenCall) => boolean {
  const { client, documented: listed, model } = found;
  return ({ rule, tool: name, written, parameter, before, values }) => {
    const tool = own(client.tools, name);
    const documented = listed.get(name);
    if (tool === undefined || documented === undefined || written !== name) return false;
    if (!dialectsOf(rule).some((dialect) => client.reads.includes(dialect))) return false;
    const form = chooseForm(tool, { client, documented, listed });
    if (!canFlow(form, parameter) || !isComplete(form, { parameter, before, documented })) return false;
    const given = Object.fromEntries([...values].map(([name, json]) => [name, parseJson(json)]));
    const isKnown = [...before].every((name) =>
      Object.hasOwn(form.parameters, name) && given[name] !== undefined
    );
    const mapped = mapArguments({ ...given, [parameter]: "" }, { form, documented });
    if (!isKnown || "reason" in mapped) return false;
    const call = { tool: name, form, values: mapped.values, client, model };
    return !isRaw(form.parameters[parameter]!, call) && "text" in writeCall(call);
  };
}

/** Whether a parameter is a multi-line string that is written as it comes. */
export function isFlowing(parameter: Parameter | undefined): boolean {
  return parameter?.type === "string" && parameter.newline_around && !parameter.lines &&
    parameter.lines_of === undefined &&
    Object.keys(parameter.values).length === 0;
}

function canFlow({ parameters, write }: ToolForm, name: string): boolean {
  return write === undefined && Object.hasOwn(parameters, name) && isFlowing(parameters[name]);
}

/** Whether no required parameter is missing besides this one and those that have a default. */
function isComplete(
  { parameters }: ToolForm,
  { parameter, before, documented }: Pick<OpenCall, "parameter" | "before"> & {
    readonly documented: ReadonlySet<string>;
  },
): boolean {
  return Object.entries(parameters).every(([name, { required, default: instead, only_if_documented }]) => {
    if (!required || instead !== undefined || name === parameter || before.has(name)) return true;
    return only_if_documented && !documented.has(name);
  });
}
