/**
 * The rules: whether each is on, its confidence, and what became of its candidates since the start.
 *
 * @module
 */
import { html } from "../html.ts";
import { useLoaded } from "../loaded.ts";

/** A rule as the server shows it. */
interface RuleRow {
  readonly rule: string;
  readonly description: string;
  readonly enabled: boolean;
  readonly confidence: number;
  readonly hits: Readonly<Record<string, number>>;
}

const OUTCOMES = ["transformed", "would_transform", "abstained", "failed", "repaired"] as const;

const TITLES: Readonly<Record<typeof OUTCOMES[number], string>> = {
  transformed: "Calls",
  would_transform: "Would be calls",
  abstained: "Left as text",
  failed: "Broke off",
  repaired: "Repairs",
};

/** The view. */
export function Rules() {
  const { value: rules, error } = useLoaded<RuleRow[]>("rules", 5000);
  if (error !== undefined) return html`<p class="empty bad">${error.message}</p>`;
  if (rules === undefined) return html`<p class="empty">Loading…</p>`;
  return html`
    <h1>Rules</h1>
    <div class="wide" tabindex="0" role="region" aria-label="Rules">
      <table>
        <thead>
          <tr>
            <th scope="col">Rule</th><th scope="col">State</th><th scope="col" class="number">Confidence</th>
            ${OUTCOMES.map((outcome) => html`<th scope="col" class="number">${TITLES[outcome]}</th>`)}
          </tr>
        </thead>
        <tbody>${rules.map(ruleRow)}</tbody>
      </table>
    </div>
  `;
}

function ruleRow({ rule, description, enabled, confidence, hits }: RuleRow) {
  return html`
    <tr key=${rule}>
      <th scope="row"><code>${rule}</code><span class="quiet block">${description}</span></th>
      <td>${enabled ? "on" : html`<span class="quiet">off</span>`}</td>
      <td class="number">${confidence.toFixed(2)}</td>
      ${OUTCOMES.map((outcome) =>
        html`<td class="number">${hits[outcome] ?? html`<span class="quiet">0</span>`}</td>`
      )}
    </tr>
  `;
}
