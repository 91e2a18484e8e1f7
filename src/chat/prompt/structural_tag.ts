/**
 * A structural tag: what a server's grammar needs to know to let a model write nothing but right calls once a call begins. It is
 * made from how a dialect is spoken, so it constrains the calls that Dragoman itself reads.
 *
 *     call: <tool_call>\n{"name": "{name}", "arguments": {arguments}}\n</tool_call>
 *     trigger          <tool_call>\n{"name": "
 *     begin            <tool_call>\n{"name": "read_file", "arguments":␣     then JSON by the schema
 *     end              }\n</tool_call>
 *
 * The trigger is everything before the name: a mere mention of a mark must not force a call. If that is one whole tag, which
 * prose can mention, the name is part of the trigger.
 *
 * @see https://xgrammar.mlc.ai/docs/tutorials/structural_tag.html
 * @module
 */
import { fill, placeholdersIn } from "../../engine/rule/placeholder.ts";
import type { Notation } from "../../engine/rule/speech.ts";
import type { Speak } from "../../engine/rule/speak_schema.ts";
import type { OfferedTool } from "../../engine/tool/offered.ts";

/** Item, without whitespace → the name of the grammar for items like it. */
type ItemStyles = Readonly<Record<string, string>>;

/** The value of `response_format`. */
export type StructuralTag = Readonly<Record<string, unknown>>;

interface SpokenDialect {
  readonly speak: Speak;
  readonly notation: Notation;
}

/** The tag for tools; undefined if no grammar writes the dialect's calls, or if text could be taken for their beginning. */
export function structuralTag(
  dialect: SpokenDialect,
  { tools, styles }: { readonly tools: readonly OfferedTool[]; readonly styles: ItemStyles },
): StructuralTag | undefined {
  const texts = textsOf(dialect, styles);
  if (texts === undefined || tools.length === 0) return undefined;
  const { before, after, end, style } = texts;
  const tags = tools.map(({ name, schema }) => ({
    type: "tag",
    begin: before + name + after,
    content: { type: "json_schema", ...style === undefined ? {} : { style }, json_schema: schema ?? ANY },
    end,
  }));
  const triggers = WHOLE_TAG.test(before) ? tags.map(({ begin }) => begin) : [before];
  const format = {
    type: "triggered_tags",
    triggers,
    tags,
    at_least_one: false,
    stop_after_first: false,
  };
  return { type: "structural_tag", format };
}

const ANY = { type: "object" };

/** The texts of one call around its name and its arguments. */
interface CallTexts {
  readonly before: string;
  readonly after: string;
  readonly end: string;
  readonly style: string | undefined;
}

/** A tag that nothing follows. */
const WHOLE_TAG = /^<[^<>]*>\s*$/;

/** A mark: ordinary text doesn't begin like it. */
const MARK = /^[<[｜]\S/;

function textsOf(
  { speak: { call, item, values }, notation }: SpokenDialect,
  styles: ItemStyles,
): CallTexts | undefined {
  const [form] = typeof item === "string" ? [item] : item ?? [];
  const words = placeholdersIn(call).join();
  const [before = "", rest = ""] = call.split("{name}");
  if (!MARK.test(before)) return undefined;
  const plain = (text: string) => fill(text, {});
  if (words === "name,arguments" && (values === "raw" || values === "json")) {
    const [after = "", end = ""] = rest.split("{arguments}");
    return { before: plain(before), after: plain(after), end: plain(end), style: undefined };
  }
  const style = form === undefined ? undefined : styles[form.replace(/\s/g, "")];
  const isPlain = values === "raw" && notation.tagged.escapes === "none";
  if (words !== "name,items" || style === undefined || !isPlain) return undefined;
  const [after = "", end = ""] = rest.split("{items}");
  // The whitespace after the last item is not the grammar's.
  const gap = form?.slice(form.trimEnd().length) ?? "";
  return { before: plain(before), after: plain(after), end: gap + plain(end), style };
}
