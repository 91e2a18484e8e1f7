/** The recent requests: a list that moves, a filter, and the request that someone opened. @module */
/// <reference lib="dom" />
import type { ComponentChildren } from "preact";
import { useMemo, useRef, useState } from "preact/hooks";
import type { LiveRequest } from "../../live/request.ts";
import { html } from "../html.ts";
import { choicesOf, FILTER_NAMES, filterRequests, type LiveFilter } from "../live_list.ts";
import { type Live, useLive } from "../live_stream.ts";
import { writeRoute } from "../route.ts";
import type { ViewProperties } from "../view_properties.ts";
import { useListKeys } from "./list_keys.ts";
import { LiveRow } from "./live_row.ts";
import { Command, RequestView } from "./request.ts";
import { tryCommand } from "../curl.ts";

/** The number of rows that are drawn at first: two screens. Each new row moves all others, so all are painted again. */
const ROWS_SHOWN = 60;

export function LiveView({ parameters }: ViewProperties) {
  const { live, isPaused, pause, clear } = usePaused(useLive());
  const [isHelpOpen, setHelpOpen] = useState(false);
  const filter = Object.fromEntries(
    FILTER_NAMES.map((name) => [name, parameters.get(name) ?? ""]),
  ) as unknown as
    & LiveFilter
    & Record<string, string>;
  const shown = useMemo(() => filterRequests(live.requests, filter), [live.requests, parameters.toString()]);
  const opened = useOpened(live.requests, parameters.get("request"));
  const [isWhole, setWhole] = useState(false);
  const drawn = isWhole ? shown : shown.slice(0, ROWS_SHOWN);
  const go = (changes: Readonly<Record<string, string>>) => {
    location.replace(writeRoute("live", { ...Object.fromEntries(parameters), ...changes }));
  };
  const open = (id: string) => go({ request: id });
  const toggleHelp = () => setHelpOpen((isOpen) => !isOpen);
  const acts = { pause, clear, help: toggleHelp };
  const selected = useListKeys({ ids: drawn.map(({ id }) => id), opened: opened?.id, open, acts });
  return html`
    <div class=${`live ${opened === undefined ? "" : "split"}`}>
      <section class="list" aria-label="Requests">
        ${opened === undefined && html`<h1 class="unseen">Requests</h1>`}
        <${FilterBar} filter=${filter} requests=${live.requests} go=${go}>
          <button type="button" onClick=${pause} aria-pressed=${isPaused} title="p">${isPaused
            ? "Go on"
            : "Pause"}</button>
          <button type="button" onClick=${clear} title="Hide the requests so far (c)">Clear</button>
          <button type="button" onClick=${toggleHelp} aria-expanded=${isHelpOpen} aria-label="Keys" title="Keys (?)">?</button>
        <//>
        ${isHelpOpen && html`<${Keys} />`}
        <${State} live=${live} shown=${shown.length} />
        <${Rows} requests=${drawn} opened=${opened?.id} selected=${selected} open=${open} />
        ${drawn.length < shown.length && html`
          <button class="more" onClick=${() => setWhole(true)}>Show ${shown.length -
            drawn.length} more</button>
        `}
      </section>
      ${opened !== undefined && html`
        <${RequestView}
          key=${opened.id} request=${opened} hasContents=${live.hasContents} close=${() => open("")} />
      `}
    </div>
  `;
}

interface Paused {
  readonly live: Live;
  readonly isPaused: boolean;
  readonly pause: () => void;
  readonly clear: () => void;
}

/** The list with a pause, in which it stays as it is, and without the requests before the last `clear`. */
function usePaused(live: Live): Paused {
  const [kept, setKept] = useState<Live>();
  const [since, setSince] = useState(0);
  const shown = kept ?? live;
  return {
    live: since === 0
      ? shown
      : { ...shown, requests: shown.requests.filter(({ beganAt }) => beganAt > since) },
    isPaused: kept !== undefined,
    pause: () => setKept(kept === undefined ? live : undefined),
    // The server's clock counts, which isn't the browser's.
    clear: () => setSince(Math.max(since, ...shown.requests.map(({ beganAt }) => beganAt))),
  };
}

const KEYS: Readonly<Record<string, string>> = {
  "j k": "select the next or the previous request",
  "Enter": "open it",
  "Esc": "close it",
  "/": "filter",
  "p": "pause",
  "c": "clear",
  "?": "show these keys",
};

function Keys() {
  return html`
    <dl class="notice keys">${Object.entries(KEYS).map(([key, text]) =>
      html`
        <div>
          <dt><kbd>${key}</kbd></dt>
          <dd>${text}</dd>
        </div>
      `
    )}</dl>
  `;
}

/** The request that is opened; it stays when newer ones push it out of the list. */
function useOpened(requests: readonly LiveRequest[], id: string | null): LiveRequest | undefined {
  const kept = useRef<LiveRequest>();
  const before = kept.current?.id === id ? kept.current : undefined;
  return kept.current = requests.find((request) => request.id === id) ?? before;
}

interface FilterBarProperties {
  readonly filter: LiveFilter;
  readonly requests: readonly LiveRequest[];
  readonly go: (changes: Readonly<Record<string, string>>) => void;
  readonly children?: ComponentChildren;
}

const STATES: Readonly<Record<string, string>> = {
  running: "running",
  done: "done",
  cut: "cut off",
  error: "error",
  left: "client left",
  noted: "with remarks",
};

function FilterBar({ filter, requests, go, children }: FilterBarProperties) {
  const choices = choicesOf(requests);
  const change = (name: string) => (changed: { readonly target: EventTarget | null }) =>
    go({ [name]: (changed.target as HTMLInputElement | HTMLSelectElement).value });
  const select = (
    name: keyof typeof choices | "state",
    all: string,
    values: readonly (readonly [string, string])[],
  ) =>
    html`
      <select aria-label=${all} value=${filter[name]} onChange=${change(name)}>
        <option value="">${all}</option>
        ${values.map(([value, title]) => html`<option value=${value}>${title}</option>`)}
      </select>
    `;
  const names = (name: keyof typeof choices) =>
    [...new Set([...choices[name], ...(filter[name] === "" ? [] : [filter[name]])])].map((value) =>
      [value, value] as const
    );
  return html`
    <form class="filter" role="search" onSubmit=${(submitted: SubmitEvent) => submitted.preventDefault()}>
      <input id="filter" type="search" placeholder="Filter ( / )" aria-label="Filter by text" value=${filter
        .text}
        onInput=${change("text")} />
      ${select("client", "All clients", names("client"))}
      ${select("model", "All models", names("model"))}
      ${select("upstream", "All upstreams", names("upstream"))}
      ${select("wire", "All APIs", names("wire"))}
      ${hasKeys(choices.key, filter.key) && select("key", "All client keys", names("key"))}
      ${select("state", "All states", Object.entries(STATES))}
      ${children}
    </form>
  `;
}

/** Whether client keys have names: without any, there is nothing to choose. */
function hasKeys(keys: readonly string[], chosen: string): boolean {
  return chosen !== "" || keys.some((key) => key !== "none");
}

function State({ live, shown }: { readonly live: Live; readonly shown: number }) {
  const { requests, state } = live;
  if (state === "connecting") return html`<p class="empty">Loading…</p>`;
  if (state === "lost") {
    return html`<p class="notice bad" role="status">No connection to the server. Trying again…</p>`;
  }
  if (requests.length === 0) {
    return html`
      <div class="empty">
        <p>No requests yet. Set your agent's base URL to <code>${location.origin}/v1</code>, or try it:</p>
        <${Command} command=${tryCommand(location.origin)} />
      </div>
    `;
  }
  return shown > 0 ? null : html`<p class="empty">No request matches the filter.</p>`;
}

interface RowsProperties {
  readonly requests: readonly LiveRequest[];
  readonly opened: string | undefined;
  readonly selected: string | undefined;
  readonly open: (id: string) => void;
}

function Rows({ requests, opened, selected, open }: RowsProperties) {
  if (requests.length === 0) return null;
  return html`
    <div class="wide" tabindex="0" role="region" aria-label="List of requests">
      <table class="requests">
        <thead>
          <tr>
            <th scope="col" class="c-state">State</th>
            <th scope="col" class="c-time">Time</th>
            <th scope="col" class="c-model">Model</th>
            <th scope="col" class="c-client">Client</th>
            <th scope="col" class="c-key">API and key</th>
            <th scope="col" class="c-upstream">Upstream</th>
            <th scope="col" class="number c-status">Status</th>
            <th scope="col" class="number c-first">First token</th>
            <th scope="col" class="number c-total">Total</th>
            <th scope="col" class="c-calls">Calls and remarks</th>
          </tr>
        </thead>
        <tbody>
          ${requests.map((request) =>
            html`
              <${LiveRow} key=${request.id} request=${request} isOpened=${request.id === opened}
                isSelected=${request.id === selected} open=${open} />
            `
          )}
        </tbody>
      </table>
    </div>
  `;
}
