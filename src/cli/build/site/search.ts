/**
 * What the site's search knows: each section of each page, as text. The browser loads it when someone begins to search.
 *
 * @module
 */
import { plain } from "./markdown.ts";

/** A section: a heading, and the text to the next one. */
interface Section {
  /** The page and the heading's id. */
  readonly address: string;
  /** The page's title. */
  readonly title: string;
  readonly heading: string;
  readonly text: string;
}

/** The sections of a rendered page. */
export function sectionsOf(
  path: string,
  { title, html }: { readonly title: string; readonly html: string },
): Section[] {
  const parts = html.split(/(?=<h[1-3] id=")/).filter((part) => part.startsWith("<h"));
  return parts.map((part) => {
    const [, id = "", heading = ""] = /^<h[1-3] id="([^"]+)">(.*?)<\/h[1-3]>/.exec(part) ?? [];
    const text = textOf(part.slice(part.indexOf("</h") + 5));
    return { address: `${path}#${id}`, title, heading: plain(heading), text };
  });
}

/** The text of HTML. A tag separates words, apart from those inside a line. */
function textOf(html: string): string {
  return plain(html.replace(/<(?!\/?(?:a|code|em|strong)\b)/g, " <")).replace(/\s+/g, " ").trim();
}
