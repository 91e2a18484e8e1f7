/**
 * The rules of one rule file: the rule itself, and one for each further form of its dialect.
 *
 * @module
 */
import type { Path } from "../document/field.ts";
import { present } from "../object/present.ts";
import { BODIES_OF, DEFAULTS } from "./fields.ts";
import type { Rule, RuleFile } from "./schema.ts";

/** A rule, and where its fields are in its file. */
export interface PlacedRule {
  readonly rule: Rule;
  /** The form's place in the file; empty for the rule itself. */
  readonly place: Path;
}

/** The rules of a file. A form has the file's fields unless it states others or its body can't have them. */
export function rulesOf({ forms, ...rule }: RuleFile): PlacedRule[] {
  return [
    { rule, place: [] },
    ...forms.map((form, index) => ({ rule: formOf(rule, form), place: ["forms", index] })),
  ];
}

function formOf(rule: Rule, { name, ...form }: RuleFile["forms"][number]): Rule {
  const { speak: _, ...shared } = rule;
  const body = form.body ?? rule.body;
  const others = Object.entries(BODIES_OF).filter(([, bodies]) => !bodies.includes(body)).map(([field]) =>
    field
  );
  const inherited = Object.fromEntries(
    Object.entries(shared).filter(([field]) => !others.includes(field)),
  );
  return {
    ...DEFAULTS,
    ...inherited,
    examples: [],
    untouched: [],
    ...present(form),
    rule: name,
  } as Rule;
}
