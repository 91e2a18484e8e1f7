/**
 * What plugins remember about conversations, and a button that removes it.
 *
 * @module
 */
import { html } from "../html.ts";
import { useLoaded } from "../loaded.ts";
import { change } from "../server.ts";

/** An entry of the memory. */
interface Entry {
  readonly key: string;
  readonly leftSeconds: number;
  readonly value: number | boolean | string;
}

/** The view. */
export function Plugins() {
  const { value: entries, error, reload } = useLoaded<Entry[]>("sections/store", 3000);
  if (error !== undefined) return html`<p class="empty bad">${error.message}</p>`;
  const reset = async (key: string) => {
    await change(`sections/store/reset?key=${encodeURIComponent(key)}`);
    reload();
  };
  return html`
    <h1>Plugins</h1>
    <h2>Memory</h2>
    ${entries === undefined || entries.length === 0
      ? html`<p class="empty">No plugin remembers anything.</p>`
      : html`<${Memory} entries=${entries} reset=${reset} />`}
  `;
}

function Memory(
  { entries, reset }: { readonly entries: readonly Entry[]; readonly reset: (key: string) => void },
) {
  return html`
    <div class="wide" tabindex="0" role="region" aria-label="Memory">
      <table>
        <thead>
          <tr>
            <th scope="col">Key</th>
            <th scope="col">Value</th>
            <th scope="col" class="number">Kept for</th>
            <th></th>
          </tr>
        </thead>
        <tbody>
          ${entries.map(({ key, value, leftSeconds }) =>
            html`
              <tr key=${key}>
                <th scope="row"><code>${key}</code></th>
                <td>${String(value)}</td>
                <td class="number">${leftSeconds} s</td>
                <td><button aria-label=${`Reset ${key}`} onClick=${() => reset(key)}>Reset</button></td>
              </tr>
            `
          )}
        </tbody>
      </table>
    </div>
  `;
}
