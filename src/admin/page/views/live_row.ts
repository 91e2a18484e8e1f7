/** One row of the list of requests. It is drawn again only if its request changed. @module */
/// <reference lib="dom" />
import { Component } from "preact";
import { clock, dateAndClock, duration, UNKNOWN } from "../../../engine/diagnostic/figures.ts";
import { ENDS } from "../../audit/ends.ts";
import { endsOf } from "../../audit/summary.ts";
import type { LiveRequest, LiveState } from "../../live/request.ts";
import { html } from "../html.ts";

interface LiveRowProperties {
  readonly request: LiveRequest;
  readonly isOpened: boolean;
  readonly isSelected: boolean;
  readonly open: (id: string) => void;
}

export const STATE_TITLES: Readonly<Record<LiveState, string>> = {
  waiting: "waiting",
  streaming: "streaming",
  done: "done",
  cut: "cut off",
  error: "error",
  left: "client left",
};

export class LiveRow extends Component<LiveRowProperties> {
  override shouldComponentUpdate(next: LiveRowProperties): boolean {
    const { request, isOpened, isSelected } = this.props;
    return next.request !== request || next.isOpened !== isOpened || next.isSelected !== isSelected;
  }

  override render({ request, isOpened, isSelected, open }: LiveRowProperties) {
    const { id, state, beganAt, model, client, upstream, wire, key, firstMs, durationMs, route } = request;
    const press = (pressed: MouseEvent) => {
      pressed.preventDefault();
      open(id);
    };
    return html`
      <tr id=${`row-${id}`} class=${`${state} ${isSelected ? "selected" : ""}`} aria-current=${isOpened
        ? "true"
        : undefined} onClick=${press}>
        <td class="c-state"><span class=${`dot ${state}`}></span><span class="word">${STATE_TITLES[
          state
        ]}</span></td>
        <td class="c-time"><a href=${`#/live?request=${id}`} title=${dateAndClock(
          beganAt,
        )} aria-label=${`Open the request of ${clock(beganAt)}`}>${clock(beganAt)}</a></td>
        <td class="c-model" title=${model ?? ""}><span>${route === null
          ? model ?? UNKNOWN
          : html`<code>${route}</code>`}</span></td>
        <td class="c-client">${client ?? UNKNOWN}</td>
        <td class="c-key" title=${key ?? ""}>${[wire, key].filter((one) => one !== null).join(" · ") ||
          UNKNOWN}</td>
        <td class="c-upstream">${upstream ?? UNKNOWN}</td>
        <td class="number c-status">${statusOf(request)}</td>
        <td class="number c-first">${duration(firstMs)}</td>
        <td class="number c-total">${durationMs === null ? "…" : duration(durationMs)}</td>
        <td class="c-calls">
          <${Remarks} request=${request} />
        </td>
      </tr>
    `;
  }
}

/** A code that a narrow list can break after a `_`. */
function breakable(code: string) {
  return code.split(/(?<=_)/).map((part, at) => [at > 0 && html`<wbr />`, part]);
}

/** The status; an error in an answer with a good status is named, because the client has an error. */
export function statusOf({ status, state }: Pick<LiveRequest, "status" | "state">): string {
  if (status === null) return "…";
  return state === "error" && status < 400 ? `${status} error` : String(status);
}

export function Remarks({ request }: { readonly request: LiveRequest }) {
  const { accepted, rejected, remarks, error, message, tried } = request;
  // The reasons have no room in a narrow list.
  return html`
    ${endsOf(request).map(({ end, text, more }) =>
      html`<span class=${`chip ${ENDS[end].color}`} title=${`${text} ${more}`}>${text}${
        more === "" ? "" : [" ", html`<span class="why">${more}</span>`]
      }</span>`
    )}
    ${accepted > 0 && html`<span class="chip good">${accepted} accepted</span>`}
    ${rejected > 0 && html`<span class="chip bad">${rejected} rejected</span>`}
    ${remarks.map((remark) => html`<span class="chip plain">${remark}</span>`)}
    ${error !== null &&
      html`<span class=${`chip ${error === "client_left" ? "plain" : "bad"}`} title=${message ?? ""}>${
        breakable(error)
      }${message === null ? "" : html`<span class="why">: ${message}</span>`}</span>`}
    ${tried.length > 0 && html`<span class="chip warn">after ${tried.join(", ")}</span>`}
  `;
}
