/** The rules: whether each is on, its confidence, and how its candidates ended since the start. @module */
/// <reference lib="dom" />
import { useState } from "preact/hooks";
import { type End, ENDS } from "../../audit/ends.ts";
import { html } from "../html.ts";
import { useLoaded } from "../loaded.ts";
import { writeRoute } from "../route.ts";
import type { ViewProperties } from "../view_properties.ts";

export interface RuleRow {
  readonly rule: string;
  readonly description: string;
  readonly enabled: boolean;
  readonly confidence: number;
  readonly whyOff: string | null;
  readonly hits: Readonly<Record<string, number>>;
}

const SHOWN = ["made", "would", "left", "broken", "lost", "repaired"] as const satisfies readonly End[];

export function Rules({ parameters }: ViewProperties) {
  const { value: rules, error } = useLoaded<RuleRow[]>("rules", 5000);
  const [isWhole, setWhole] = useState(false);
  const text = parameters.get("text") ?? "";
  if (error !== undefined && rules === undefined) return html`<p class="empty bad">${error.message}</p>`;
  if (rules === undefined) return html`<p class="empty">Loading…</p>`;
  const go = (changed: { readonly target: EventTarget | null }) =>
    location.replace(writeRoute("rules", { text: (changed.target as HTMLInputElement).value }));
  const found = sortedRules(rules, text);
  // Most rules are for models that this server doesn't have.
  const isShort = !isWhole && text === "" && found.some(hasHits);
  const shown = isShort ? found.filter(hasHits) : found;
  return html`
    <h1>Rules <span class="quiet">${rules.filter(({ whyOff }) => whyOff === null).length} of ${rules
      .length} on</span></h1>
    <form class="filter" role="search" onSubmit=${(submitted: SubmitEvent) => submitted.preventDefault()}>
      <input type="search" placeholder="Filter" aria-label="Filter rules" value=${text} onInput=${go} />
    </form>
    ${shown.length === 0 ? html`<p class="empty">No rule matches the filter.</p>` : html`
      <div class="wide" tabindex="0" role="region" aria-label="Rules">
        <table>
          <thead>
            <tr>
              <th scope="col">Rule</th><th scope="col">State</th><th scope="col" class="number">Confidence</th>
              ${SHOWN.map((end) => html`<th scope="col" class="number">${ENDS[end].title}</th>`)}
            </tr>
          </thead>
          <tbody>${shown.map(ruleRow)}</tbody>
        </table>
      </div>
    `}
    ${isShort && html`
      <button class="more" onClick=${() => setWhole(true)}>Show all ${found.length} rules</button>
    `}
  `;
}

function hasHits({ hits }: RuleRow): boolean {
  return SHOWN.some((end) => (hits[end] ?? 0) > 0);
}

/** The rules that have a word, those with the most hits first; rules that are off come last. */
export function sortedRules(rules: readonly RuleRow[], text: string): RuleRow[] {
  const hits = (rule: RuleRow) => SHOWN.reduce((sum, end) => sum + (rule.hits[end] ?? 0), 0);
  const word = text.trim().toLowerCase();
  return rules.filter(({ rule, description }) => `${rule}\n${description}`.toLowerCase().includes(word))
    .toSorted((one, other) =>
      hits(other) - hits(one) || Number(one.whyOff !== null) - Number(other.whyOff !== null) ||
      (one.rule < other.rule ? -1 : 1)
    );
}

function ruleRow({ rule, description, whyOff, confidence, hits }: RuleRow) {
  return html`
    <tr key=${rule}>
      <th scope="row"><a href=${writeRoute("figures", {
        of: `rule ${rule}`,
      })} title="Its figures over time"><code>${rule}</code></a><span class="quiet block">${description}</span></th>
      <td>${whyOff === null
        ? html`<span class="chip good">on</span>`
        : html`<span class="chip plain">off</span><span class="quiet block">${whyOff}</span>`}</td>
      <td class="number">${confidence.toFixed(2)}</td>
      ${SHOWN.map((end) => html`<td class="number">${hits[end] ?? html`<span class="quiet">–</span>`}</td>`)}
    </tr>
  `;
}
