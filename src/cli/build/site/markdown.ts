/** Turns a Markdown page of the repository into HTML, with the ids that its headings have on code hosts. @module */
import { escapeHtml } from "../../../admin/figures/escape_html.ts";
import { micromark } from "micromark";
import { gfmTable, gfmTableHtml } from "micromark-extension-gfm-table";

interface MarkdownPage {
  readonly title: string;
  readonly html: string;
}

/** Renders a page, with the address of each link rewritten. What scrolls sideways can be reached by keyboard. */
export function renderMarkdown(text: string, rewrite: (address: string) => string): MarkdownPage {
  const options = { extensions: [gfmTable()], htmlExtensions: [gfmTableHtml()] };
  const ids = new Map<string, number>();
  let title = "";
  const html = micromark(text, options)
    .replace(/<h([1-6])>(.*?)<\/h\1>/g, (_, level, content) => {
      title ||= plain(content);
      const id = slug(plain(content));
      const count = ids.get(id) ?? 0;
      ids.set(id, count + 1);
      return `<h${level} id="${count === 0 ? id : `${id}-${count}`}">${content}</h${level}>`;
    })
    .replace(
      /<(a href|img src)="([^"]*)"/g,
      (_, start, address) => `<${start}="${rewrite(plain(address)).replaceAll("&", "&amp;")}"`,
    )
    .replace(/<table>.*?<\/table>/gs, labelCells)
    // A head without text isn't one for a screen reader.
    .replaceAll("<th></th>", "<td></td>")
    .replaceAll("<pre>", '<pre tabindex="0">')
    .replaceAll("<table>", '<div class="wide" tabindex="0"><table>').replaceAll("</table>", "</table></div>");
  return { title, html: folded(html) };
}

/** A table with more rows than this is long. */
const ROWS_MAX = 30;

/** Makes the long tables of a page that has several into parts that a narrow window shows closed. */
function folded(html: string): string {
  const tables = /<div class="wide".*?<\/table><\/div>/gs;
  const rowsOf = (table: string) => table.split("<tr>").length - 2;
  const isLong = (table: string) => rowsOf(table) > ROWS_MAX;
  if ((html.match(tables) ?? []).filter(isLong).length < 2) return html;
  return html.replace(tables, (table) => {
    const summary = `<summary>All ${rowsOf(table)} rows</summary>`;
    return isLong(table) ? `<details class="long" open>${summary}${table}</details>` : table;
  });
}

/** Gives each cell its column's heading, for narrow screens, unless there is only one besides the first, and a code in a cell places to break at. */
function labelCells(table: string): string {
  const heads = [...table.matchAll(/<th[^>]*>(.*?)<\/th>/g)].map(([, head = ""]) => plain(head));
  return table.replace(/<tr>.*?<\/tr>/gs, (row) => {
    let column = 0;
    return row.replace(/<td>(.*?)<\/td>/gs, (_, content: string) => {
      const head = column > 0 && heads.length > 2 ? heads[column] ?? "" : "";
      column++;
      const label = head === "" || content === "" ? "" : ` data-head="${escapeHtml(head)}"`;
      return `<td${label}>${content.replace(/<code>.*?<\/code>/g, breakable)}</td>`;
    });
  });
}

/** A code that isn't longer than this doesn't break. */
const UNBROKEN_MAX = 30;

/** A code that can break after a dot, a slash or an underscore. */
function breakable(code: string): string {
  return code.length <= UNBROKEN_MAX ? code : code.replace(/(?<!<)[./_](?=[a-z])/g, "$&<wbr>");
}

/** The id of a heading: `What's new?` → `whats-new`. */
function slug(heading: string): string {
  return heading.toLowerCase().replace(/[^\p{L}\p{N}\s_-]/gu, "").replaceAll(" ", "-");
}

const ENTITIES: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"' };

/** HTML without tags and entities. */
export function plain(html: string): string {
  return html.replace(/<[^>]+>/g, "").replace(/&(amp|lt|gt|quot);/g, (_, name) => ENTITIES[name] ?? "");
}
