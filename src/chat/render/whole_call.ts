/** The text of a whole call: the model's own where the client reads it back exactly, else by the client's file. @module */
import { own } from "../../engine/object/own.ts";
import { chooseForm } from "../client/form.ts";
import type { Client, ToolForm } from "../client/schema.ts";
import type { CallStartEvent } from "../../engine/event/event.ts";
import { isRepair, type Reason } from "../../engine/event/reason.ts";
import { isRecord } from "../../engine/object/record.ts";
import { mapArguments, type MappedArguments, type Refusal } from "./argument.ts";
import { parseJson } from "../../engine/object/parse.ts";
import { isRaw, writeCall } from "./write.ts";

export interface CallPlace {
  readonly client: Client;
  /** Tool → the names that the request's own prompt gives its parameters. */
  readonly documented?: ReadonlyMap<string, ReadonlySet<string>>;
  readonly model?: string;
  /** The dialects that a rule reads. Without it no text of the model counts as the client's own dialect. */
  readonly dialectsOf?: (rule: string) => readonly string[];
}

export interface WholeCall {
  readonly start: CallStartEvent;
  readonly json: string;
  readonly source: string | undefined;
  readonly repairs: readonly Reason[];
}

interface CallText {
  readonly text: string;
  /** Whether it is the model's own text. */
  readonly isSource: boolean;
  readonly trimmed: readonly string[];
  readonly decoded: readonly string[];
  readonly leftOut: readonly string[];
}

const NO_NAMES: ReadonlySet<string> = new Set();

export function formOf(
  name: string,
  { client, documented: listed }: CallPlace,
): { readonly form: ToolForm; readonly documented: ReadonlySet<string> } | undefined {
  const tool = own(client.tools, name);
  const documented = listed?.get(name) ?? NO_NAMES;
  return tool && { form: chooseForm(tool, { client, documented, listed }), documented };
}

export function writeWholeCall(call: WholeCall, place: CallPlace): CallText | Refusal {
  const { start: { tool }, source } = call;
  const { client, documented: listed, model = "" } = place;
  const found = formOf(tool, place);
  if (found === undefined) return { reason: "unknown_tool", detail: "the client's file has no such tool" };
  if (listed?.has(tool) === false) return { reason: "unknown_tool", detail: "the request does not offer it" };
  const given = call.json === "" ? {} : parseJson(call.json);
  if (!isRecord(given)) {
    return { reason: "invalid_arguments", detail: "the arguments are not a JSON object" };
  }
  const mapped = mapArguments(given, found);
  if ("reason" in mapped) return mapped;
  if (source !== undefined && isOwnDialect(call, place) && isReadExactly(mapped, { tool, ...found, place })) {
    return { text: source, isSource: true, trimmed: [], decoded: [], leftOut: [] };
  }
  const written = writeCall({ tool, form: found.form, values: mapped.values, client, model });
  const { decoded, leftOut } = mapped;
  return "reason" in written ? written : { ...written, isSource: false, decoded, leftOut };
}

function isOwnDialect(
  { start, source = "", repairs }: WholeCall,
  { client, dialectsOf }: CallPlace,
): boolean {
  const isRead = dialectsOf?.(start.rule).some((dialect) => client.reads.includes(dialect)) ?? false;
  // Identifiers of a wrapper are in the model's text, and the client has no use for them.
  const isPlain = Object.keys(start.meta ?? {}).length === 0;
  return isRead && isPlain && source.trimStart().startsWith(`<${start.tool}>`) &&
    !repairs.some(isRepair);
}

interface WrittenForm {
  readonly tool: string;
  readonly form: ToolForm;
  readonly place: CallPlace;
}

/** Whether the client finds every value in the model's text: under its own names, none with its own closing tag. */
function isReadExactly({ isOwnForm, values }: MappedArguments, { tool, form, place }: WrittenForm): boolean {
  const { client, model = "" } = place;
  return isOwnForm && ![...values].some(([name, value]) => {
    const parameter = own(form.parameters, name);
    if (value.kind !== "text" || !value.text.includes(`</${name}>`) || parameter === undefined) return false;
    // Where nothing can be escaped, the client's own reading of the model's text is the best there is.
    return parameter.escape === "none" || !isRaw(parameter, { tool, form, values, client, model });
  });
}
