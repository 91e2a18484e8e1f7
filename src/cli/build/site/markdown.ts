/** Turns a Markdown page of the repository into HTML, with the ids that its headings have on code hosts. @module */
import { micromark } from "micromark";
import { gfmTable, gfmTableHtml } from "micromark-extension-gfm-table";

interface MarkdownPage {
  /** Its first heading, as text. */
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
    // A head without text isn't one for a screen reader.
    .replaceAll("<th></th>", "<td></td>")
    .replaceAll("<pre>", '<pre tabindex="0">')
    .replaceAll("<table>", '<div class="wide" tabindex="0"><table>').replaceAll("</table>", "</table></div>");
  return { title, html };
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
