/**
 * One row of the list of requests. It is drawn again only if its request changed.
 *
 * @module
 */
/// <reference lib="dom" />
import { Component } from "preact";
import { clock, duration, plural, UNKNOWN } from "../../../engine/diagnostic/figures.ts";
import type { LiveRequest, LiveState } from "../../live/request.ts";
import { html } from "../html.ts";

/** What a row shows. */
export interface LiveRowProperties {
  readonly request: LiveRequest;
  readonly isOpened: boolean;
  readonly isSelected: boolean;
  readonly open: (id: string) => void;
}

/** What a state is called. */
export const STATE_TITLES: Readonly<Record<LiveState, string>> = {
  waiting: "waiting",
  streaming: "streaming",
  done: "done",
  error: "error",
  left: "client left",
};

/** A row. */
export class LiveRow extends Component<LiveRowProperties> {
  override shouldComponentUpdate(next: LiveRowProperties): boolean {
    const { request, isOpened, isSelected } = this.props;
    return next.request !== request || next.isOpened !== isOpened || next.isSelected !== isSelected;
  }

  override render({ request, isOpened, isSelected, open }: LiveRowProperties) {
    const { id, state, beganAt, model, client, upstream, status, firstMs, durationMs, route } = request;
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
        <td class="c-time"><a href=${`#/live?request=${id}`} aria-label=${`Open the request of ${
          clock(beganAt)
        }`}>${clock(beganAt)}</a></td>
        <td class="c-model" title=${model ?? ""}><span>${route === null
          ? model ?? UNKNOWN
          : html`<code>${route}</code>`}</span></td>
        <td class="c-client">${client ?? UNKNOWN}</td>
        <td class="c-upstream">${upstream ?? UNKNOWN}</td>
        <td class="number c-status">${status ?? "…"}</td>
        <td class="number c-first">${duration(firstMs)}</td>
        <td class="number c-total">${durationMs === null ? "…" : duration(durationMs)}</td>
        <td class="c-calls">
          <${Remarks} request=${request} />
        </td>
      </tr>
    `;
  }
}

/** Calls, and what someone should look at. */
export function Remarks({ request }: { readonly request: LiveRequest }) {
  const { calls, called, refused, failed, repaired, nearMisses, accepted, rejected, error, mode } = request;
  const refusals = Object.values(refused).reduce((sum, number) => sum + number, 0);
  const would = mode === "live" ? "" : " (not converted)";
  return html`
    ${calls > 0 &&
      html`<span class=${`chip ${mode === "live" ? "good" : "plain"}`} title=${called.join(", ")}>${
        plural(calls, "call")
      }${would}</span>`}
    ${accepted > 0 && html`<span class="chip good">${accepted} accepted</span>`}
    ${rejected > 0 && html`<span class="chip bad">${rejected} rejected</span>`}
    ${refusals > 0 &&
      html`<span class="chip warn" title=${Object.keys(refused).join(", ")}>${refusals} refused: ${
        Object.keys(refused)[0]
      }</span>`}
    ${failed > 0 && html`<span class="chip bad">${failed} broke off</span>`}
    ${repaired > 0 && html`<span class="chip plain">${repaired} repaired</span>`}
    ${nearMisses > 0 &&
      html`<span class="chip warn">${plural(nearMisses, "near miss", "near misses")}</span>`}
    ${error !== null &&
      html`<span class=${`chip ${error === "client_left" ? "plain" : "bad"}`}>${error}</span>`}
  `;
}
