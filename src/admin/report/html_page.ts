/** The head and the foot of every page that a verb writes: one file, no script, no font, no request. @module */
import { escapeHtml } from "../figures/escape_html.ts";
import { createHash } from "node:crypto";

/** What a page has. `intro`, `body` and `footer` are HTML. */
interface HtmlPage {
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

/** For light and dark screens, 320 pixels to wide, and paper. Colors contrast 4.5 to their background as text, 3 as bars. */
export const STYLE = `
:root {
  color-scheme: light dark;
  --back: #fff; --text: #1c2024; --quiet: #5a636c; --line: #d5dadf; --raised: #f5f7f9;
  --plain: #7a838c; --accent: #3568c9; --good: #1f7f56; --warn: #94700f; --bad: #bb3d2a;
  font: 16px/1.5 system-ui, sans-serif;
}
@media (prefers-color-scheme: dark) {
  :root {
    --back: #15181b; --text: #e6e9ec; --quiet: #a3adb7; --line: #363d44; --raised: #1e2327;
    --plain: #7c858e; --accent: #7ba4f4; --good: #4cc38f; --warn: #d6b04c; --bad: #f08470;
  }
}
* { box-sizing: border-box; }
body { max-width: 64rem; margin: 0 auto; padding: 1.5rem 1rem 3rem; background: var(--back); color: var(--text); }
h1 { font-size: 1.6rem; line-height: 1.2; margin: 0; overflow-wrap: anywhere; }
h2 { font-size: 1.15rem; margin: 2.5rem 0 .75rem; }
p, dl, ul { margin: .5rem 0; padding: 0; }
ul { list-style: none; }
header p, footer, .more { color: var(--quiet); }
.figures { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(13rem, 45%), 1fr)); gap: 0 .75rem; margin: 1.5rem 0 .75rem; }
.figures div { display: grid; grid-row: span 3; grid-template-rows: subgrid; margin-bottom: .75rem; align-items: end; background: var(--raised); border: 1px solid var(--line); border-radius: .5rem; padding: .6rem .8rem; }
dt { font-size: .85rem; color: var(--quiet); }
dd { margin: 0; font-size: 1.4rem; line-height: 1.3; font-variant-numeric: tabular-nums; }
dd.more { font-size: .85rem; align-self: start; }
.legend { display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; font-size: .9rem; }
.quiet { color: var(--quiet); }
.swatch { width: .8em; height: .8em; margin-right: .4em; }
.bars li {
  display: grid; grid-template: "name bar value" auto "name note note" auto / minmax(8rem, 15rem) 1fr 4.5rem;
  gap: 0 .75rem; align-items: start; padding: .25rem 0;
}
.name { grid-area: name; overflow-wrap: anywhere; line-height: 1.3; }
.value { grid-area: value; text-align: right; line-height: 1.3; font-variant-numeric: tabular-nums; }
.bar { grid-area: bar; width: 100%; height: .9rem; margin-top: .2rem; }
.bars small { grid-area: note; font-size: .85rem; line-height: 1.35; color: var(--quiet); }
.charts { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(24rem, 100%), 1fr)); gap: 1.5rem; }
.chart { margin: 0; min-width: 0; }
.plot { display: block; width: calc(100% - 5rem); height: 10rem; margin: .5rem 1rem 1.75rem 4rem; overflow: visible; }
table { border-collapse: collapse; width: 100%; margin-top: .75rem; font-size: .95rem; font-variant-numeric: tabular-nums; }
th { font-weight: 600; }
thead th { font-size: .85rem; color: var(--quiet); vertical-align: bottom; }
th, td { text-align: right; padding: .35rem .5rem; border-bottom: 1px solid var(--line); }
td { white-space: nowrap; }
table.words td { white-space: normal; text-align: left; overflow-wrap: anywhere; }
table.words th { text-align: left; }
th:first-child { text-align: left; padding-left: 0; min-width: 9rem; overflow-wrap: break-word; }
footer { margin-top: 3rem; font-size: .9rem; }
.verdict { font-size: 1.15rem; margin: 1rem 0; }
.warning { color: var(--bad); }
h3 { font-size: 1rem; margin: 1.5rem 0 .25rem; overflow-wrap: anywhere; }
details { margin: .5rem 0; }
summary { cursor: pointer; overflow-wrap: anywhere; }
pre { background: var(--raised); border: 1px solid var(--line); border-radius: .5rem; padding: .6rem .8rem; margin: .25rem 0 .75rem; font-size: .85rem; white-space: pre-wrap; overflow-wrap: anywhere; }
main ol { margin: .5rem 0; padding-left: 1.25rem; }
main ul.advice { list-style: disc; padding-left: 1.25rem; }
@media (max-width: 60rem) {
  .bars li { grid-template: "name value" auto "bar bar" auto "note note" auto / 1fr auto; padding: .4rem 0; }
  table, tbody, tr, tbody th { display: block; }
  thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
  tr { display: grid; grid-template-columns: repeat(auto-fill, minmax(9.5rem, 1fr)); gap: .4rem .75rem; padding: .7rem 0; border-bottom: 1px solid var(--line); }
  th, td { text-align: left; padding: 0; border: 0; min-width: 0; white-space: normal; overflow-wrap: anywhere; }
  tbody th { grid-column: 1 / -1; }
  td::before { content: attr(data-head); display: block; font-size: .8rem; line-height: 1.3; color: var(--quiet); }
}
@media print { section { break-inside: avoid; } }
`;

/** No script, no request: only this style sheet. */
export const POLICY = `default-src 'none'; style-src 'sha256-${
  createHash("sha256").update(STYLE).digest("base64")
}'; base-uri 'none'; form-action 'none'`;
