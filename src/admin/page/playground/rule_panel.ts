/** The rule that is being edited: which one, its text, what is wrong with it, and what its examples give. @module */
/// <reference lib="dom" />
import { useRef } from "preact/hooks";
import type { PlaygroundSetup } from "../../routes/playground.ts";
import type { DiagnosticJson } from "../../../engine/diagnostic/print.ts";
import { newRuleText } from "../../../engine/rule/new_rule.ts";
import { html } from "../html.ts";
import type { DerivedInto } from "./derive_into.ts";
import type { GiveChoices } from "./completion.ts";
import { type Editor, RuleEditor } from "./editor.ts";
import { ExampleList } from "./example_results.ts";
import { inlineCode } from "../inline_code.ts";
import type { ExampleResults, RuleCheck } from "./protocol.ts";
import { freeName, listRules, NEW_NAME } from "./rule_list.ts";
import { RuleActions } from "./rule_actions.ts";

interface RulePanelProperties {
  readonly setup: PlaygroundSetup;
  readonly rule: string;
  readonly check: RuleCheck | undefined;
  readonly examples: ExampleResults | undefined;
  readonly revision: number;
  readonly change: (rule: string) => void;
  readonly replace: (rule: string) => void;
  readonly derive: () => void;
  readonly derived: DerivedInto;
  readonly complete: GiveChoices;
  readonly link: () => Promise<string>;
  readonly saved: () => void;
}

const NO_DIAGNOSTICS: readonly DiagnosticJson[] = [];

export function RulePanel(properties: RulePanelProperties) {
  const { setup, rule, revision, check, examples, replace, derived } = properties;
  const editor = useRef<Editor>();
  const rules = listRules(setup);
  const taken = new Set(rules.map(({ name }) => name));
  const choose = ({ target }: InputEvent) => {
    const { value } = target as HTMLSelectElement;
    if (value === "") replace("");
    else if (value === "+") replace(schemaLine(setup) + newRuleText(freeName(NEW_NAME, taken)));
    else replace(rules.find(({ name }) => name === value)?.text ?? "");
  };
  const group = (isOwn: boolean) =>
    rules.filter((one) => one.isOwn === isOwn).map(({ name }) =>
      html`<option value=${name}>${name}</option>`
    );
  // The rule in the editor is another answer's.
  const isRefused = derived.message !== "" && derived.rule === undefined;
  const chosen = rule.trim() === "" ? "" : taken.has(check?.name ?? "") ? check?.name : "+";
  return html`
    <section aria-labelledby="rule-title">
      <h2 id="rule-title">Rule</h2>
      <div class="fields">
        <div>
          <label for="rule-name">Edit</label>
          <select id="rule-name" value=${chosen} onInput=${choose}>
            <option value="">no rule</option>
            <option value="+">a new rule</option>
            ${group(true).length > 0 && html`<optgroup label="Your rules">${group(true)}</optgroup>`}
            <optgroup label="Shipped rules">${group(false)}</optgroup>
          </select>
        </div>
        <button type="button" class="derive" onClick=${properties
          .derive}>Derive a rule from the answer</button>
      </div>
      <p role="status" class="small">${derived.message}</p>
      <${RuleEditor} text=${rule} revision=${revision} diagnostics=${check?.diagnostics ?? NO_DIAGNOSTICS}
        complete=${properties.complete} changed=${properties.change} ready=${(created: Editor) =>
          void (editor.current = created)} />
      ${check === undefined ? "" : html`
        <${Problems} name=${isRefused ? "" : check.name} diagnostics=${check.diagnostics} goTo=${(
          line: number,
          column: number,
        ) => editor.current?.goTo(line, column)} />
      `}
      ${check === undefined ? "" : html`
        <${RuleActions} setup=${setup} rule=${rule} check=${check} examples=${examples}
          link=${properties.link} saved=${properties.saved} />
      `}
    </section>
    ${examples === undefined
      ? ""
      : html`<${ExampleList} examples=${examples} goTo=${(line: number) => editor.current?.goTo(line, 1)} />`}
  `;
}

function schemaLine({ schema }: PlaygroundSetup): string {
  return `# yaml-language-server: $schema=${schema}\n`;
}

function Problems({ name, diagnostics, goTo }: {
  readonly name: string;
  readonly diagnostics: readonly DiagnosticJson[];
  readonly goTo: (line: number, column: number) => void;
}) {
  if (diagnostics.length === 0) {
    // Without a rule, there is nothing that could have errors.
    const text = name === "" ? "" : `The rule ${name} has no errors.`;
    return html`<p role="status" class="good small" id="problems">${text}</p>`;
  }
  return html`
    <div role="status" id="problems">
      <ul class="problems" aria-label="Errors and warnings">
        ${diagnostics.map((one) => html`<li>${problemParts(one, goTo)}</li>`)}
      </ul>
    </div>
  `;
}

function problemParts(
  { severity, message, line = 1, column = 1, expected, help, code }: DiagnosticJson,
  goTo: (line: number, column: number) => void,
) {
  const label = `${line}:${column}, go to this location`;
  return [
    html`
      <button type="button" class="place" aria-label=${label}
        onClick=${() => goTo(line, column)}>${line}:${column}</button>
    `,
    " ",
    html`<strong class=${severity === "error" ? "bad" : "warn"}>${severity}</strong>`,
    " ",
    inlineCode(message),
    " ",
    html`<code class="quiet">${code}</code>`,
    expected === undefined ? "" : html`<span class="block quiet">Expected: ${inlineCode(expected)}</span>`,
    help === undefined ? "" : html`<span class="block quiet help">${inlineCode(help)}</span>`,
  ];
}
