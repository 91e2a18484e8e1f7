/** The list of choices at the cursor of the editor. @module */
/// <reference lib="dom" />
import { html } from "../html.ts";
import type { Completion } from "./completion.ts";
import type { Choice } from "./protocol.ts";

/** The id of the list; its selected choice has another. */
export const CHOICES_ID = "rule-choices";
export const CHOICE_ID = "rule-choice";

/** How many choices are shown at once; the keys lead to the others. */
const SHOWN_MAX = 8;

export function ChoiceList({ completion, place: { left, top }, take }: {
  readonly completion: Completion;
  /** Where the list is, from the corner of the editor, in pixels. */
  readonly place: { readonly left: number; readonly top: number };
  readonly take: (choice: Choice) => void;
}) {
  const { choices, selected } = completion;
  const first = Math.max(0, selected + 1 - SHOWN_MAX);
  const description = choices[selected]?.description ?? "";
  return html`
    <div class="choices" style=${{ left: `clamp(0px, ${left}px, 100% - 20rem)`, top: `${top}px` }}
      onMouseDown=${(pressed: MouseEvent) => pressed.preventDefault()}>
      <ul role="listbox" id=${CHOICES_ID} aria-label="Completions">${choices.slice(first, first + SHOWN_MAX)
        .map((choice, index) => {
          const isSelected = first + index === selected;
          return html`
            <li key=${choice.label} role="option" aria-selected=${isSelected} id=${isSelected
              ? CHOICE_ID
              : undefined}
              aria-setsize=${choices.length} aria-posinset=${first + index + 1}
              onClick=${() => take(choice)}>${choice.label} <span class="quiet">${withoutTicks(
                choice.detail,
              )}</span></li>
          `;
        })}</ul>
      ${description !== "" && html`<p class="small">${withoutTicks(description)}</p>`}
    </div>
  `;
}

function withoutTicks(text: string): string {
  return text.replaceAll("`", "");
}
