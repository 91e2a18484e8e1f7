/** The examples of the edited rule, each with its result at every cut. @module */
/// <reference lib="dom" />
import { html } from "../html.ts";
import type { ExampleResult, ExampleResults } from "./protocol.ts";

interface ExampleListProperties {
  readonly examples: ExampleResults;
  readonly goTo: (line: number) => void;
}

export function ExampleList({ examples: { results, isReadable }, goTo }: ExampleListProperties) {
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
