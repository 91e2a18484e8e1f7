/** Where a reader of the site is: the list of all pages at the side, and the sections of this page. @module */
import { escapeHtml } from "../../../admin/figures/escape_html.ts";

/** What the list names: the path of a page in the site, and its title. */
export interface Titled {
  readonly path: string;
  readonly title: string;
}

/** The groups of the list, in order, and which pages each one has. A page that no group names is only reached by its links. */
const GROUPS: readonly (readonly [name: string, pages: RegExp])[] = [
  ["Start", /^src\/docs\/(?:get_started|which_setup|agents|recipes|guide\/install)\.html$/],
  ["Guides", /^src\/docs\/guide\//],
  ["Rules and plugins", /^(?:rules|plugins)\/(?!configuration)/],
  ["Reference", /^(?:src\/docs\/reference\/|rules\/configuration\.html$)/],
  ["Security", /^(?:src\/docs\/security\/|SECURITY\.html$)/],
  ["Internals", /^(?:src\/|tests\/|CONTRIBUTING\.html$)(?!docs\/recipe-)/],
];

/** The list of all pages, for a page from which `base` leads to the site's folder. A page is in the first group that has it. */
export function sideNavigation(
  pages: readonly Titled[],
  here: { readonly path: string; readonly base: string },
): string {
  const left = new Set(pages);
  const groups = GROUPS.map(([name, pattern]) => {
    const mine = [...left].filter(({ path }) => pattern.test(path));
    mine.forEach((page) => left.delete(page));
    const items = mine.sort((a, b) => a.title.localeCompare(b.title, "en")).map(({ path, title }) =>
      `<li><a href="${here.base}${path}"${path === here.path ? ' aria-current="page"' : ""}>${
        escapeHtml(title)
      }</a></li>`
    );
    return mine.length === 0 ? "" : `<h2>${name}</h2><ul>${items.join("")}</ul>`;
  });
  return `<details class="pages"><summary>All pages</summary><nav aria-label="Pages">${
    groups.join("")
  }</nav></details>`;
}

/** The sections of a page that has at least three; else nothing. */
export function contents(html: string): string {
  const items = Array.from(
    html.matchAll(/<h2 id="([^"]+)">(.*?)<\/h2>/g),
    ([, id, text = ""]) => `<li><a href="#${id}">${text.replace(/<\/?a\b[^>]*>/g, "")}</a></li>`,
  );
  if (items.length < 3) return "";
  return `<details class="contents"><summary>On this page</summary><ul>${items.join("")}</ul></details>`;
}
