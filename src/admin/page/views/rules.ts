/** The rules: whether each is on, its confidence, and how its candidates ended since the start. A row opens. @module */
import { useState } from "preact/hooks";
import { type End, ENDS } from "../../audit/ends.ts";
import { html } from "../html.ts";
import { useLoaded } from "../loaded.ts";
import { writeRoute } from "../route.ts";
import type { ViewProperties } from "../view_properties.ts";
import { dateAndClock } from "../../../engine/diagnostic/figures.ts";
import type { RuleDetail } from "../../routes/rule_detail.ts";

/// <reference lib="dom" />

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
  const [text, open] = [parameters.get("text") ?? "", parameters.get("rule") ?? ""];
  if (error !== undefined && rules === undefined) return html`<p class="empty bad">${error.message}</p>`;
  if (rules === undefined) return html`<p class="empty">Loading…</p>`;
  const go = (changed: { readonly target: EventTarget | null }) =>
    location.replace(writeRoute("rules", { text: (changed.target as HTMLInputElement).value }));
  const found = sortedRules(rules, text);
  // Most rules are for models that this server doesn't have.
  const isShort = !isWhole && text === "" && found.some(hasHits);
  const shown = isShort ? found.filter((row) => hasHits(row) || row.rule === open) : found;
  return html`
    <h1>Rules <span class="quiet">${rules.filter(({ whyOff }) => whyOff === null).length} of ${rules
      .length} on</span></h1>
    <form class="filter" role="search" onSubmit=${(submitted: SubmitEvent) => submitted.preventDefault()}>
      <input type="search" placeholder="Filter" aria-label="Filter rules" value=${text} onInput=${go} />
    </form>
    ${shown.length === 0 ? html`<p class="empty">No rule matches the filter.</p>` : html`
      <div class="wide" tabindex="0" role="region" aria-label="Rules">
        <table class="rules" role="table">
          <thead role="rowgroup">
            <tr role="row">
              ${[
                "Rule",
                "State",
                "Confidence",
              ].map((title, at) =>
                html`<th scope="col" role="columnheader" class=${at === 2 ? "number" : ""}>${title}</th>`
              )}
              ${SHOWN.map((end) =>
                html`<th scope="col" role="columnheader" class="number">${ENDS[end].title}</th>`
              )}
            </tr>
          </thead>
          <tbody role="rowgroup">${shown.map((row) =>
            ruleRows(row, { text, isOpen: row.rule === open })
          )}</tbody>
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

/** A rule's row, and what is under it if it is open. A click anywhere in the row opens it; its link does for the keyboard. */
function ruleRows(
  { rule, description, whyOff, confidence, hits }: RuleRow,
  { text, isOpen }: { readonly text: string; readonly isOpen: boolean },
) {
  const address = writeRoute("rules", { text, rule: isOpen ? "" : rule });
  const open = ({ target }: MouseEvent) => {
    if ((target as Element).closest("a") === null) location.assign(address);
  };
  const row = html`
    <tr key=${rule} role="row" class="row" onClick=${open}>
      <th scope="row" role="rowheader"><a href=${address} aria-expanded=${isOpen}><code>${rule}</code></a><span
          class="quiet block">${description}</span></th>
      <td role="cell">${whyOff === null
        ? html`<span class="chip good">on</span>`
        : html`<span class="chip plain">off</span><span class="quiet block">${whyOff}</span>`}</td>
      <td role="cell" data-head="Confidence" class="number">${confidence.toFixed(2)}</td>
      ${SHOWN.map((end) =>
        html`
          <td role="cell" data-head=${ENDS[end].title} class=${`number ${
            hits[end] === undefined ? "none" : ""
          }`}>${hits[end] ?? html`<span class="quiet">–</span>`}</td>
        `
      )}
    </tr>
  `;
  if (!isOpen) return row;
  return [
    row,
    html`
      <tr key=${`${rule} opened`} role="row" class="opened">
        <td role="cell" colspan=${SHOWN.length + 3}>
          <${RuleDetailView} rule=${rule} />
        </td>
      </tr>
    `,
  ];
}

/// <reference lib="dom" />

const DETAIL_MS = 5000;

function RuleDetailView({ rule }: { readonly rule: string }) {
  const { value, error } = useLoaded<RuleDetail>(`rule?name=${encodeURIComponent(rule)}`, DETAIL_MS);
  if (error !== undefined && value === undefined) return html`<p class="bad">${error.message}</p>`;
  if (value === undefined) return html`<p class="quiet">Loading…</p>`;
  const { file, name, text, decisions } = value;
  return html`
    <p class="actions">
      <a class="button" href=${writeRoute("playground", { rule: name })}>Edit in the playground</a>
      <a class="button" href=${writeRoute("figures", { of: `rule ${rule}` })}>Figures over time</a>
    </p>
    <h2>The last decisions</h2>
    ${decisions.length === 0 ? html`<p class="quiet">This rule made none of the last decisions.</p>` : html`
      <ol class="marks">${decisions.map(({ end, reason, tool, model, time, request }) =>
        html`
          <li>
            <span class=${`chip ${ENDS[end].color}`}>${ENDS[end].word}</span>
            <code>${reason}</code>
            <span>${[tool, model].filter((part) => part !== null).join(" · ")}</span>
            <a href=${writeRoute("live", { request })}>${dateAndClock(time)}</a>
          </li>
        `
      )}</ol>
    `}
    <h2>The rule and its examples</h2>
    <p class="quiet"><code>${file}</code></p>
    <pre class="text" tabindex="0" role="region" aria-label=${`The file of ${rule}`}>${text}</pre>
  `;
}
