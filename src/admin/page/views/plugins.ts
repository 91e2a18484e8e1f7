/** The plugins in their order with their options, and what they remember about conversations. @module */
import { age } from "../../../engine/diagnostic/figures.ts";
import { html } from "../html.ts";
import { useLoaded } from "../loaded.ts";
import { change } from "../server.ts";

interface Entry {
  readonly key: string;
  readonly leftSeconds: number;
  readonly value: number | boolean | string;
}

interface PluginRow {
  readonly name: string;
  readonly description: string | null;
  readonly options: Readonly<Record<string, unknown>>;
  readonly onFailure: "pass" | "refuse";
}

export function Plugins() {
  const { value: plugins, error } = useLoaded<PluginRow[]>("plugins", 5000);
  const { value: entries, error: entriesError, reload } = useLoaded<Entry[]>("sections/store", 3000);
  const failure = error ?? entriesError;
  const reset = async (key: string) => {
    await change(`sections/store/reset?key=${encodeURIComponent(key)}`).catch(() => undefined);
    reload();
  };
  return html`
    <h1>Plugins</h1>
    ${failure !== undefined && html`<p class="notice bad" role="alert">${failure.message}</p>`}
    ${plugins === undefined
      ? html`<p class="empty">Loading…</p>`
      : html`<${PluginList} plugins=${plugins} />`}
    <h2>Stored values</h2>
    ${entries === undefined || entries.length === 0
      ? html`<p class="empty">None. Plugins store, for example, a conversation's strikes or queued calls.</p>`
      : html`<${Memory} entries=${entries} reset=${reset} />`}
  `;
}

/** JSON that can break between its items. */
function spacedJson(value: unknown): string {
  return JSON.stringify(value, undefined, 1).replace(/(?<=[[{])\n *|\n *(?=[\]}])/g, "").replace(
    /\n */g,
    " ",
  );
}

function PluginList({ plugins }: { readonly plugins: readonly PluginRow[] }) {
  if (plugins.length === 0) {
    return html`<p class="empty">No plugins. To add some, set <code>plugins</code> in dragoman.yaml.</p>`;
  }
  return html`
    <ol class="plugins">${plugins.map(({ name, description, options, onFailure }) =>
      html`
        <li key=${name}>
          <code><strong>${name}</strong></code>
          ${onFailure === "refuse" && html`
            <span class="chip plain">a failure refuses the call</span>
          `}
          ${description !== null && html`<span class="block">${description}</span>`}
          <dl class="options">${Object.entries(options).map(([option, value]) =>
            html`
              <div>
                <dt><code>${option}</code></dt>
                <dd><code>${spacedJson(value)}</code></dd>
              </div>
            `
          )}</dl>
        </li>
      `
    )}</ol>
  `;
}

function Memory(
  { entries, reset }: { readonly entries: readonly Entry[]; readonly reset: (key: string) => void },
) {
  return html`
    <div class="wide stored" tabindex="0" role="region" aria-label="Stored values">
      <table>
        <thead>
          <tr>
            <th scope="col">Key</th>
            <th scope="col">Value</th>
            <th scope="col" class="number">Expires in</th>
            <th scope="col"><span class="unseen">Action</span></th>
          </tr>
        </thead>
        <tbody>
          ${entries.map(({ key, value, leftSeconds }) =>
            html`
              <tr key=${key}>
                <th scope="row"><code>${key}</code></th>
                <td>${String(value)}</td>
                <td class="number">${age(leftSeconds)}</td>
                <td><button aria-label=${`Reset ${key}`} onClick=${() => reset(key)}>Reset</button></td>
              </tr>
            `
          )}
        </tbody>
      </table>
    </div>
  `;
}
