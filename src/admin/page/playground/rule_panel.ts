/** The rule that is being edited: which one, its text, what is wrong with it, and what its examples give. @module */
import { useEffect, useRef, useState } from "preact/hooks";
import type { PlaygroundSetup, SaveResult } from "../../routes/playground.ts";
import type { DiagnosticJson } from "../../../engine/diagnostic/print.ts";
import { newRuleText } from "../../../engine/rule/new_rule.ts";
import { html } from "../html.ts";
import type { DerivedInto } from "./derive_into.ts";
import type { GiveChoices } from "./completion.ts";
import { type Editor, RuleEditor } from "./editor.ts";
import { inlineCode } from "../inline_code.ts";
import type { ExampleResult, ExampleResults, RuleCheck } from "./protocol.ts";
import { freeName, listRules, NEW_NAME } from "./rule_list.ts";
import { plural } from "../../../engine/diagnostic/figures.ts";
import { change, messageOf } from "../server.ts";

/// <reference lib="dom" />

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

/// <reference lib="dom" />

interface RuleActionsProperties {
  readonly setup: PlaygroundSetup;
  readonly rule: string;
  readonly check: RuleCheck;
  readonly examples: ExampleResults | undefined;
  readonly link: () => Promise<string>;
  readonly saved: () => void;
}

interface Done {
  readonly isSaved: boolean;
  readonly message: string;
}

type SavedRule = SaveResult & { readonly isSaved: true };

function RuleActions({ setup, rule, check, examples, link, saved }: RuleActionsProperties) {
  const [done, setDone] = useState<Done>({ isSaved: true, message: "" });
  useEffect(() => setDone({ isSaved: true, message: "" }), [rule]);
  const copy = async (what: string, text: string) => {
    const isCopied = await navigator.clipboard.writeText(text).then(() => true, () => false);
    setDone({
      isSaved: isCopied,
      message: isCopied ? `${what} is copied.` : `The browser doesn't allow copying: ${text}`,
    });
  };
  const copyLink = () =>
    link().then(
      (address) => copy("The link", address),
      ({ message }: Error) => setDone({ isSaved: false, message: `${message}.` }),
    );
  const save = async () => {
    try {
      const { file, exampleCount: count } = await change<SavedRule>("rules", rule, "application/yaml");
      const passing = plural(count, "example passes", "examples pass");
      setDone({ isSaved: true, message: `Saved ${file}: ${passing}. The running proxy uses it now.` });
      saved();
    } catch (cause) {
      setDone({ isSaved: false, message: messageOf(cause) });
    }
  };
  const isThere = listRules(setup).some(({ name, isOwn }) => isOwn && name === check.name);
  const file = `${setup.folder}/${check.name}.yaml`;
  const isReady = check.name !== "" && check.diagnostics.every(({ severity }) => severity !== "error") &&
    examples?.isReadable === true &&
    examples.results.every(({ failure, errors }) => failure === undefined && errors.length === 0);
  const { saving } = setup;
  const note = !saving.isPossible
    ? `${saving.message}: ${saving.help}.`
    : !isReady
    ? check.name === ""
      ? "Choose a rule, or derive one from the answer, to edit and save it."
      : "You can save a rule once it has no errors and its examples pass."
    : check.replaces && !isThere
    ? `It replaces the shipped rule ${check.name} in this proxy.`
    : "";
  return html`
    <div class="actions">
      ${saving.isPossible && check.name !== "" && html`
        <button type="button" class="main" disabled=${!isReady} onClick=${save}>${isThere
          ? "Replace"
          : "Save as"} ${file}</button>
      `}
      <button type="button" onClick=${() => copy("The YAML", rule)}>Copy YAML</button>
      <button type="button" onClick=${copyLink}>Copy link</button>
    </div>
    <p class="quiet small">${note}</p>
    <p role="status" id="saved" class=${done.isSaved ? "good" : "bad"}>${done.message}</p>
  `;
}

/// <reference lib="dom" />

interface ExampleListProperties {
  readonly examples: ExampleResults;
  readonly goTo: (line: number) => void;
}

function ExampleList({ examples: { results, isReadable }, goTo }: ExampleListProperties) {
  const failed = results.filter(isFailed).length;
  const summary = !isReadable
    ? "The examples run when the rule has no errors."
    : results.length === 0
    ? "The rule has no examples."
    : failed === 0
    ? `All ${results.length} pass: as a whole, by character, and split at every position.`
    : `${failed} of ${results.length} ${failed === 1 ? "fails" : "fail"}.`;
  return html`
    <section aria-labelledby="examples-title">
      <h2 id="examples-title">Examples</h2>
      <p role="status" id="examples-summary" class=${failed > 0 ? "bad" : "quiet"}>${summary}</p>
      <ul class="examples">${results.map((one) =>
        html`
          <li>
            <${Example} result=${one} goTo=${goTo} />
          </li>
        `
      )}</ul>
    </section>
  `;
}

function isFailed({ failure, errors }: ExampleResult): boolean {
  return failure !== undefined || errors.length > 0;
}

function Example(
  { result, goTo }: { readonly result: ExampleResult; readonly goTo: (line: number) => void },
) {
  const { name, kind, line, expected, failure, errors } = result;
  const isWrong = isFailed(result);
  const place =
    html`<button type="button" class="place" aria-label=${`${line}, go to this line`} onClick=${() =>
      goTo(line)}>${line}</button>`;
  const how = failure === undefined ? "" : [`Read ${failure.how}`, ...failure.decisions].join("; ");
  const state = html`<strong class=${isWrong ? "bad" : "good"}>${isWrong ? "✗ fails" : "✓ passes"}</strong>`;
  return html`
    ${[state, " ", place, ` ${name}${kind === "untouched" ? " (stays untouched)" : ""}`]}
    ${errors.map((error) => html`<span class="block bad">${error}</span>`)}
    ${failure !== undefined && html`
      <span class="block quiet">${how}</span>
      <dl class="compare">
        <dt>Expected</dt>
        <dd>
          <pre class="box" tabindex="0">${outcome(expected)}</pre>
        </dd>
        <dt>Got</dt>
        <dd>
          <pre class="box" tabindex="0">${outcome(failure)}</pre>
        </dd>
      </dl>
    `}
  `;
}

function outcome({ text, calls }: Pick<ExampleResult["expected"], "text" | "calls">): string {
  const lines = calls.map(({ tool, arguments: given }) => `${tool} ${JSON.stringify(given)}`);
  return [JSON.stringify(text), ...lines].join("\n");
}
