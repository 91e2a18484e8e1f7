/**
 * What the site's search knows: each section of each page, as text. The browser loads it when someone begins to search.
 *
 * @module
 */

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
    const text = plain(part.slice(part.indexOf("</h") + 5));
    return { address: `${path}#${id}`, title, heading: plain(heading), text };
  });
}

const ENTITIES: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"' };

/** HTML without tags and entities. */
export function plain(html: string): string {
  return html.replace(/<[^>]+>/g, " ").replace(/&(amp|lt|gt|quot);/g, (_, name) => ENTITIES[name] ?? "")
    .replace(/\s+/g, " ").trim();
}
