/** The decisions, repairs and remarks of a request, each with what its reason code means. @module */
/// <reference lib="dom" />
import { outcomeOf } from "../../audit/outcome.ts";
import { reasonEntry } from "../../../engine/event/reason.ts";
import { duration } from "../../../engine/diagnostic/figures.ts";
import type { LiveMark } from "../../live/request.ts";
import { html } from "../html.ts";
import { inlineCode } from "../inline_code.ts";
import { KIND_TITLES, kindOf } from "../mark_kind.ts";

export interface MarksProperties {
  /** Null if they aren't kept anymore. */
  readonly marks: readonly LiveMark[] | null;
  readonly isRunning: boolean;
  readonly focused: number | undefined;
  readonly focus: (mark: number | undefined) => void;
}

export function Marks({ marks, isRunning, focused, focus }: MarksProperties) {
  if (marks === null) return html`<p class="empty">The decisions of this request aren't kept anymore.</p>`;
  if (marks.length === 0) {
    return html`<p class="empty">${
      isRunning ? "No decisions yet." : "No decisions: nothing looked like a call."
    }</p>`;
  }
  return html`
    <h2>Decisions, repairs and remarks</h2>
    <ol class="marks">${marks.map((mark, index) =>
      html`
        <li class=${index === focused ? "focused" : ""} onMouseEnter=${() => focus(index)}
          onMouseLeave=${() => focus(undefined)}>
          <${Mark} mark=${mark} />
        </li>
      `
    )}</ol>
  `;
}

function Mark({ mark: { reason, rule, tool, detail, atMs, characters } }: { readonly mark: LiveMark }) {
  const kind = kindOf(reason, outcomeOf(reason));
  const place = [
    tool === null ? "" : tool,
    rule === "" ? "" : `rule ${rule}`,
    detail ?? "",
    characters === null ? "" : `${characters} characters`,
  ]
    .filter((part) => part !== "").join(" · ");
  return html`
    <span class=${`chip ${kind}`}>${KIND_TITLES[kind]}</span>
    <code>${reason}</code>
    <span>${place}</span>
    <span class="quiet">after ${duration(atMs)}</span>
    <span class="quiet block">${inlineCode(reasonEntry(reason)?.meaning ?? "")}</span>
  `;
}
