/** What is around all views: their links, the server's state, and the view that the address names. @module */
import type { ComponentType } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { age, plural, share } from "../../engine/diagnostic/figures.ts";
import { html } from "./html.ts";
import { useLoaded } from "./loaded.ts";
import { change, messageOf, remove } from "./server.ts";
import { type KnownUpstreams, serverTitle } from "./server_title.ts";
import { readRoute, type Route, writeRoute } from "./route.ts";
import type { ViewProperties } from "./view_properties.ts";
import { LiveView } from "./views/live.ts";
import { Plugins } from "./views/plugins.ts";
import { Rules } from "./views/rules.ts";
import type { ServerFigures } from "../tally/timeline.ts";
import { FigureTable } from "./views/figure_table.ts";

/// <reference lib="dom" />

interface Status extends KnownUpstreams {
  readonly version: string;
  readonly uptimeSeconds: number;
}

const STATUS_MS = 10_000;

export function App() {
  const route = useRoute();
  const status = useLoaded<Status>("status", STATUS_MS);
  if (status.error?.status === 401) return html`<${KeyForm} onKnown=${status.reload} />`;
  return html`
    <a class="skip" href="#main">Skip to the content</a>
    <header>
      <a class="name" href="#/">Dragoman</a>
      <nav aria-label="Views">
        ${VIEWS.map(({ name, title }) =>
          html`<a href=${writeRoute(name)} aria-current=${
            route.view === name ? "page" : undefined
          }>${title}</a>`
        )}
      </nav>
      <${ServerState} status=${status.value} isLost=${status.error !== undefined} />
      <${SignOut} onEnded=${status.reload} />
    </header>
    <main id="main" tabindex="-1">
      <${CurrentView} key=${route.view} route=${route} />
    </main>
  `;
}

const RELOADED = "Reloaded";

/** How long a reload that worked is mentioned; an error stays. */
const RELOADED_MS = 5000;

interface ReloadResult {
  readonly isReloaded: boolean;
  readonly errors: number;
  readonly diagnostics: readonly { readonly message: string }[];
}

function ServerState({ status, isLost }: { readonly status: Status | undefined; readonly isLost: boolean }) {
  const [result, setResult] = useState("");
  useEffect(() => {
    const timer = result === RELOADED ? setTimeout(() => setResult(""), RELOADED_MS) : undefined;
    return () => clearTimeout(timer);
  }, [result]);
  const reload = async () => {
    setResult("Reloading…");
    setResult(await change<ReloadResult>("reload").then(reloadText, messageOf));
  };
  const text = isLost
    ? "no connection"
    : status === undefined
    ? ""
    : `v${status.version}, up ${age(status.uptimeSeconds)}`;
  return html`
    <span class=${`server ${isLost ? "bad" : ""}`} role="status" title=${status === undefined
      ? ""
      : serverTitle(status)}>${result === "" ? text : result}</span>
    <button onClick=${reload}
      title="Reload dragoman.yaml, the rules, the clients, and the plugins">Reload settings</button>
  `;
}

function reloadText({ isReloaded, errors, diagnostics }: ReloadResult): string {
  if (isReloaded) return RELOADED;
  return `Not reloaded: ${plural(errors, "error")}. ${diagnostics[0]?.message ?? ""}`;
}

function CurrentView({ route }: { readonly route: Route }) {
  const [view, setView] = useState<ComponentType<ViewProperties>>();
  const [failure, setFailure] = useState("");
  const found = VIEWS.find(({ name }) => name === route.view);
  useEffect(() => {
    if (found === undefined) return;
    document.title = `${found.title} · Dragoman`;
    found.load().then((component) => setView(() => component), (cause) => setFailure(messageOf(cause)));
  }, [found]);
  if (found === undefined) {
    return html`<p class="empty">There is no view with this name. Choose one of the links at the top.</p>`;
  }
  if (failure !== "") return html`<p class="empty bad">Cannot load this view: ${failure}</p>`;
  return view === undefined ? html`<p class="empty">Loading…</p>` : html`
    <${view} parameters=${route.parameters} />
  `;
}

function useRoute(): Route {
  const [route, setRoute] = useState(currentRoute);
  useEffect(() => {
    const follow = () => setRoute(currentRoute());
    addEventListener("hashchange", follow);
    return () => removeEventListener("hashchange", follow);
  }, []);
  return route;
}

function currentRoute(): Route {
  const route = readRoute(location.hash);
  return route.view === "" ? { ...route, view: VIEWS[0]?.name ?? "" } : route;
}

/** Ends the session that the key form opened; without a session, there is no button. */
function SignOut({ onEnded }: { readonly onEnded: () => void }) {
  const { value } = useLoaded<{ readonly session: boolean }>("session");
  if (value?.session !== true) return null;
  const end = () => void remove("session").then(onEnded, onEnded);
  return html`<button onClick=${end}>Sign out</button>`;
}

/** Asks for the key of the page and exchanges it for a session; the key isn't kept. */
function KeyForm({ onKnown }: { readonly onKnown: () => void }) {
  const [failure, setFailure] = useState("");
  const field = useRef<HTMLInputElement>(null);
  // A browser obeys `autofocus` only in a page that it loads.
  useEffect(() => field.current?.focus(), []);
  const send = async (submitted: SubmitEvent) => {
    submitted.preventDefault();
    try {
      await change("session", field.current?.value.trim());
      onKnown();
    } catch (cause) {
      setFailure(messageOf(cause));
    }
  };
  return html`
    <main id="main" class="key">
      <h1>Dragoman</h1>
      <p>This page requires a key, because it shows users’ requests.</p>
      <form onSubmit=${send}>
        <label for="key">Key</label>
        <input id="key" ref=${field} type="password" autocomplete="current-password" required
          aria-describedby="key-help" />
        <button class="main">Sign in</button>
        <p id="key-help" class="quiet">
          Ask whoever runs the proxy. On the proxy’s own machine, your agent’s key works, too.
        </p>
        <p role="alert" class="bad">${failure}</p>
      </form>
    </main>
  `;
}

interface View {
  readonly name: string;
  readonly title: string;
  readonly load: () => Promise<ComponentType<ViewProperties>>;
}

const VIEWS: readonly View[] = [
  { name: "live", title: "Live", load: () => Promise.resolve(LiveView) },
  {
    name: "figures",
    title: "Figures",
    load: async () => (await import("./views/figures.ts")).FiguresView,
  },
  { name: "rules", title: "Rules", load: () => Promise.resolve(Rules) },
  {
    name: "playground",
    title: "Playground",
    load: async () => await (await import("./playground/lazy_view.ts")).loadPlayground(),
  },
  { name: "plugins", title: "Plugins", load: () => Promise.resolve(Plugins) },
  { name: "canary", title: "Canary", load: () => Promise.resolve(CanaryView) },
];

const MODES: Readonly<Record<string, string>> = {
  live: "live: converted",
  dry_run: "dry run: not converted",
  excluded: "canary: not converted",
};

function CanaryView() {
  const { value: figures, error } = useLoaded<ServerFigures>("figures", 5000);
  if (error !== undefined && figures === undefined) return html`<p class="empty bad">${error.message}</p>`;
  if (figures === undefined) return html`<p class="empty">Loading…</p>`;
  const { canary, modes } = figures;
  return html`
    <h1>Canary</h1>
    ${canary === null
      ? html`<p class="notice">One of the groups has no answers yet. With <code>policy.rollout_percent</code> below
          100, only this share of conversations is converted, and this page compares the groups.</p>`
      : html`<p class="notice"><strong>${canary.sentence}</strong> The live group has ${
        share(canary.share)
      } of the
          answers.</p>`}
    <${FigureTable} kind="mode" rows=${modes.map((row) => ({ ...row, name: MODES[row.name] ?? row.name }))} />
  `;
}
