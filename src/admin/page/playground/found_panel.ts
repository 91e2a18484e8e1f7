/** What is found in the answer: marks in its text, the same as a list, and what the client gets. @module */
import { useRef, useState } from "preact/hooks";
import { plural } from "../../../engine/diagnostic/figures.ts";
import { html } from "../html.ts";
import { visible } from "../../../engine/diagnostic/visible.ts";
import { inlineCode } from "../inline_code.ts";
import type { Answers, ExplainedCandidate, NearRule, SilentRule, Trace } from "./protocol.ts";

/// <reference lib="dom" />

interface FoundPanelProperties {
  readonly text: string;
  readonly found: Answers["trace"];
  readonly edit: (rule: string) => void;
}

export function FoundPanel({ text, found, edit }: FoundPanelProperties) {
  if ("problem" in found) {
    return html`
      <section aria-labelledby="found-title">
        <h2 id="found-title">Results</h2>
        <p class="bad">${inlineCode(`${found.problem}: ${found.help}`)}</p>
      </section>
    `;
  }
  return html`
    <section aria-labelledby="found-title">
      <h2 id="found-title">Results</h2>
      <p role="status">${summaryOf(found)}${found.usesEdited ? " This includes the edited rule." : ""}</p>
      ${found.assumption !== undefined && html`<p class="quiet small">${found.assumption}.</p>`}
      <${MarkedText} text=${text} candidates=${found.candidates} />
      ${found.candidates.length > 0 && html`
        <ol class="decisions">${found.candidates.map((one) => html`<li>${described(one)}</li>`)}</ol>
      `}
      ${found.candidates.some(({ reason }) => reason === "near_miss") &&
        html`<p class="quiet small unread">To read it, press <em>Derive a rule from the answer</em> next to the rule.</p>`}
      <${Nearest} near=${found.near} silent=${found.silent} edit=${edit} />
    </section>
    <section aria-labelledby="client-title">
      <h2 id="client-title">What ${found.client} gets</h2>
      <pre class="box" tabindex="0">${found.message}</pre>
    </section>
  `;
}

/** How many candidates became what, in the words of `trace`. */
function summaryOf({ candidates, near }: Trace): string {
  const count = (wanted: ExplainedCandidate["decision"]) =>
    candidates.filter(({ decision }) => decision === wanted).length;
  const calls = count("call");
  const parts = [
    ...(calls > 0 ? [`${calls} ${calls === 1 ? "call" : "calls"}`] : []),
    ...(count("text") > 0 ? [`${count("text")} left as text`] : []),
    ...(count("near miss") > 0 ? [plural(count("near miss"), "near miss", "near misses")] : []),
    ...(count("dropped") > 0 ? [`${count("dropped")} dropped`] : []),
    ...(count("broken off") > 0 ? [`${count("broken off")} broken off`] : []),
  ];
  if (parts.length > 0) return `${parts.join(", ")}.`;
  return near.length > 0
    ? "No rule reads a call here, but some come close."
    : "Nothing looks like a call: everything is text.";
}

/** How many characters of a call's arguments are shown; what the client gets has all. */
const ARGUMENTS_MAX = 400;

const COLORS: Readonly<Record<ExplainedCandidate["decision"], string>> = {
  call: "good",
  text: "warn",
  dropped: "warn",
  "near miss": "warn",
  "broken off": "bad",
  note: "quiet",
};

function described(
  { line, column, rule, tool, arguments: json, decision, reason, kind, detail, meaning }: ExplainedCandidate,
) {
  const what = kind === "decision" ? decision : kind;
  const by = rule === "none" ? "" : ` by ${rule}`;
  return [
    html`<span class="place">${line}:${column}</span>`,
    " ",
    html`<strong class=${COLORS[decision]}>${what}</strong>`,
    `${by}${tool === undefined ? "" : ` (${tool})`}: `,
    html`<code>${reason}</code>`,
    detail === undefined ? "" : ` (${detail})`,
    json === undefined ? "" : html`<code class="block">${visible(json, { lengthMax: ARGUMENTS_MAX })}</code>`,
    html`<span class="block quiet">${inlineCode(meaning)}</span>`,
  ];
}

/** The text with its marks; the one under the pointer or with the focus shows what was decided about it. */
function MarkedText(
  { text, candidates }: { readonly text: string; readonly candidates: readonly ExplainedCandidate[] },
) {
  const box = useRef<HTMLDivElement>(null);
  const [shown, setShown] = useState<{ readonly start: number; readonly top: number }>();
  const stretches = stretchesOf(text, candidates);
  const show = (start: number) => ({ currentTarget }: Event) => {
    const mark = (currentTarget as HTMLElement).getBoundingClientRect();
    const top = mark.bottom - (box.current?.getBoundingClientRect().top ?? 0);
    setShown({ start, top });
  };
  const hide = () => setShown(undefined);
  const tip = stretches.find(({ start, candidates }) => start === shown?.start && candidates.length > 0);
  const close = ({ key }: KeyboardEvent) => key === "Escape" && hide();
  return html`
    <div class="marked" ref=${box} onKeyDown=${close}>
      <pre class="box" tabindex="0" role="region" aria-label="The answer with its candidates">${stretches.map(
        ({ start, text, candidates: [first] }) =>
          first === undefined ? text : html`
            <mark tabindex="0" class=${COLORS[first.decision]}
              aria-describedby=${tip?.start === start ? "tip" : undefined}
              onMouseEnter=${show(start)} onMouseLeave=${hide} onFocus=${show(
                start,
              )} onBlur=${hide}>${text}</mark>
          `,
      )}</pre>
      ${tip !== undefined && html`
        <div id="tip" role="tooltip" class="tip" style=${{ top: `${shown?.top ?? 0}px` }}>
          ${tip.candidates.map((one) => html`<p>${described(one)}</p>`)}
        </div>
      `}
    </div>
  `;
}

function Nearest({ near, silent, edit }: {
  readonly near: readonly NearRule[];
  readonly silent: readonly SilentRule[];
  readonly edit: (rule: string) => void;
}) {
  if (near.length === 0 && silent.length === 0) return null;
  const button = (rule: string) =>
    html`<button type="button" aria-label=${`Edit ${rule}`} onClick=${() => edit(rule)}>Edit</button>`;
  return html`
    <h3>The nearest rules</h3>
    <ul class="near">
      ${silent.map((one) => html`<li>${silentSentence(one)} ${button(one.rule)}</li>`)}
      ${near.map((one) => html`<li>${nearSentence(one)} ${button(one.rule)}</li>`)}
    </ul>
  `;
}

function silentSentence({ rule, isOff, confidence, minimum }: SilentRule) {
  const why = [
    ...(isOff ? ["is off"] : []),
    ...(minimum === undefined ? [] : [`has the confidence ${confidence}, below the threshold ${minimum}`]),
  ];
  return [html`<code>${rule}</code>`, ` would make a call here, but it ${why.join(" and ")}.`];
}

function nearSentence({ rule, line, column, expected, reason }: NearRule) {
  const place = html`<span class="place">${line}:${column}</span>`;
  const why = reason === undefined ? "." : ` (${reason}).`;
  return [html`<code>${rule}</code>`, " stops at ", place, " and expects ", inlineCode(expected), why];
}

interface Stretch {
  readonly start: number;
  readonly text: string;
  /** The decisions about it, the first one first; empty for ordinary text. */
  readonly candidates: readonly ExplainedCandidate[];
}

/** Divides an answer. A candidate inside another one belongs to the outer one's mark. */
export function stretchesOf(text: string, candidates: readonly ExplainedCandidate[]): Stretch[] {
  const spans: { start: number; end: number; candidates: ExplainedCandidate[] }[] = [];
  const isDecision = ({ kind }: ExplainedCandidate) => kind === "decision";
  for (
    const candidate of [...candidates].sort((a, b) =>
      a.start - b.start || Number(isDecision(b)) - Number(isDecision(a))
    )
  ) {
    const { start, end } = candidate;
    const last = spans.at(-1);
    if (last !== undefined && (start < last.end || (start === last.start && start === end))) {
      last.candidates.push(candidate);
      last.end = Math.max(last.end, end);
    } else if (end > start) spans.push({ start, end, candidates: [candidate] });
  }
  const stretches: Stretch[] = [];
  let at = 0;
  const add = (end: number, found: readonly ExplainedCandidate[]) => {
    if (end > at) stretches.push({ start: at, text: text.slice(at, end), candidates: found });
    at = Math.max(at, end);
  };
  for (const { start, end, candidates } of spans) {
    add(start, []);
    add(end, candidates);
  }
  add(text.length, []);
  return stretches;
}
