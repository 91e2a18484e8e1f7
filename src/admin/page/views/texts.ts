/** The two texts of a request: what the model wrote, with its calls highlighted, and what the client got. @module */
/// <reference lib="dom" />
import type { AfterPart, BeforePart, LiveMark } from "../../live/request.ts";
import { END_ORDER, ENDS } from "../../audit/ends.ts";
import { html } from "../html.ts";

interface BeforeProperties {
  readonly parts: readonly BeforePart[];
  readonly isRunning: boolean;
  readonly marks: readonly LiveMark[];
  readonly focused: number | undefined;
  readonly focus: (mark: number | undefined) => void;
}

export function Before({ parts, isRunning, marks, focused, focus }: BeforeProperties) {
  if (parts.every(({ text }) => text === "")) {
    return html`<p class="empty">${isRunning ? "No text yet." : "The answer has no text."}</p>`;
  }
  return html`
    <pre class="text" tabindex="0" aria-label="What the model wrote">${parts.map((part) => {
      const about = part.marks.flatMap((index) => marks[index] === undefined ? [] : [marks[index]]);
      if (about.length === 0) return part.text;
      // The strongest end is the color of a piece that several decisions are about.
      const end = END_ORDER.find((each) => about.some((mark) => mark.end === each)) ?? "remark";
      const { color, word } = ENDS[end];
      const title = about.map(({ reason, rule }) => `${reason} (${rule})`).join("\n");
      const isFocused = focused !== undefined && part.marks.includes(focused);
      return html`
        <mark class=${`${color} ${isFocused ? "focused" : ""}`} title=${`${word}: ${title}`}
          onMouseEnter=${() => focus(part.marks[0])} onMouseLeave=${() => focus(undefined)}>${part
            .text}</mark>
      `;
    })}</pre>
  `;
}

interface AfterProperties {
  readonly parts: readonly AfterPart[];
  readonly isRunning: boolean;
}

export function After({ parts, isRunning }: AfterProperties) {
  if (parts.length === 0) {
    return html`<p class="empty">${isRunning ? "Nothing yet." : "The answer has no text and no call."}</p>`;
  }
  return html`
    <div class="text" tabindex="0" role="region" aria-label="What the client got">${parts.map((part) =>
      part.tool === null ? afterText(part) : html`<${Call} part=${part} tool=${part.tool} />`
    )}</div>
  `;
}

function afterText({ text, call, isReasoning }: AfterPart) {
  if (isReasoning) {
    return html`
      <div class="reasoning" role="group" aria-label="Reasoning">
        <div class="quiet">Reasoning</div>
        <pre>${text}</pre>
      </div>
    `;
  }
  return call === null
    ? html`<pre>${text}</pre>`
    : html`<pre class="written"><mark class="good">${text}</mark></pre>`;
}

const STATES = { open: "is still written", done: "whole", broken: "broke off" } as const;

function Call({ part, tool }: { readonly part: AfterPart; readonly tool: string }) {
  const { text, state } = part;
  return html`
    <div class=${`made ${state === "broken" ? "broken" : ""}`}>
      <div class="head"><strong>${tool}</strong><span class="quiet">tool call, ${state &&
        STATES[state]}</span></div>
      <pre>${prettyJson(text)}</pre>
    </div>
  `;
}

/** Whole JSON with line breaks; anything else unchanged. */
function prettyJson(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
