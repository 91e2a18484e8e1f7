/** The head and the foot of every page that a verb writes: one file, no script, no font, no request. @module */
import { escapeHtml } from "../figures/escape_html.ts";
import { POLICY, STYLE } from "./style.ts";

/** What a page has. `intro`, `body` and `footer` are HTML. */
export interface HtmlPage {
  readonly title: string;
  readonly intro: string;
  readonly body: string;
  readonly footer: string;
}

export function htmlPage({ title, intro, body, footer }: HtmlPage): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<style>${STYLE}</style>
</head>
<body>
<header>
<h1>${escapeHtml(title)}</h1>
<p>${intro}</p>
</header>
<main>
${body}
</main>
<footer>${footer}</footer>
</body>
</html>
`;
}

export function section(title: string, body: string): string {
  return `<section><h2>${escapeHtml(title)}</h2>${body}</section>`;
}
