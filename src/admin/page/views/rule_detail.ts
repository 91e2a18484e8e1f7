/** What is under a rule that is open: its file with its examples, and its last decisions. @module */
/// <reference lib="dom" />
import { dateAndClock } from "../../../engine/diagnostic/figures.ts";
import type { RuleDetail } from "../../routes/rule_detail.ts";
import { ENDS } from "../../audit/ends.ts";
import { html } from "../html.ts";
import { useLoaded } from "../loaded.ts";
import { writeRoute } from "../route.ts";

const DETAIL_MS = 5000;

export function RuleDetailView({ rule }: { readonly rule: string }) {
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
