/** One row of the list of requests. It is drawn again only if its request changed. @module */
/// <reference lib="dom" />
import { Component } from "preact";
import { clock, duration, plural, UNKNOWN } from "../../../engine/diagnostic/figures.ts";
import { leftText } from "../../audit/summary.ts";
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
        <td class="c-time"><a href=${`#/live?request=${id}`} aria-label=${`Open the request of ${
          clock(beganAt)
        }`}>${clock(beganAt)}</a></td>
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

/** `2 left as text (quoted)` → `2 left as text`, `(quoted)`: the reasons have no room in a narrow list. */
function splitLeft(text: string): readonly [left: string, reasons: string] {
  const at = text.indexOf(" (");
  return at < 0 ? [text, ""] : [text.slice(0, at), text.slice(at + 1)];
}

/** The status; an error in an answer with a good status is named, because the client has an error. */
export function statusOf({ status, state }: Pick<LiveRequest, "status" | "state">): string {
  if (status === null) return "…";
  return state === "error" && status < 400 ? `${status} error` : String(status);
}

export function Remarks({ request }: { readonly request: LiveRequest }) {
  const { calls, called, leftAsText, failed, repaired, nearMisses, accepted, rejected } = request;
  const { remarks, error, mode, tried } = request;
  const [left, reasons] = splitLeft(leftText(leftAsText));
  const would = mode === "live" ? "" : " (not converted)";
  return html`
    ${calls > 0 &&
      html`<span class=${`chip ${mode === "live" ? "good" : "plain"}`} title=${called.join(", ")}>${
        plural(calls, "call")
      }${would}</span>`}
    ${accepted > 0 && html`<span class="chip good">${accepted} accepted</span>`}
    ${rejected > 0 && html`<span class="chip bad">${rejected} rejected</span>`}
    ${left !== "" &&
      html`<span class="chip warn" title=${reasons}>${left} <span class="why">${reasons}</span></span>`}
    ${failed > 0 && html`<span class="chip bad">${failed} broke off</span>`}
    ${repaired > 0 && html`<span class="chip plain">${repaired} repaired</span>`}
    ${nearMisses > 0 &&
      html`<span class="chip warn">${plural(nearMisses, "near miss", "near misses")}</span>`}
    ${remarks.map((remark) => html`<span class="chip plain">${remark}</span>`)}
    ${error !== null &&
      html`<span class=${`chip ${error === "client_left" ? "plain" : "bad"}`}>${error}</span>`}
    ${tried.length > 0 && html`<span class="chip warn">after ${tried.join(", ")}</span>`}
  `;
}
