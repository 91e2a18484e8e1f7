/**
 * Builds the project's site from the repository: static files with relative links, which any host, or a folder below one, serves.
 *
 *     deno task site [FOLDER]      # the default folder is dist/site
 *
 *     README.md to "Start" ─▶ index.html      src/docs, and all pages that they link ─▶ PATH.html
 *     agents.md's tables ─▶ recipes.html      the text of all pages ─▶ search.json
 *     the page's playground, and the shipped rules as a file ─▶ playground/
 *
 * Every link is followed while it is built: one that leads nowhere is an error.
 *
 * @module
 */
import { dirname, join, normalize, relative, resolve } from "node:path";
import { escapeHtml } from "../../../admin/figures/escape_html.ts";
import type { CliContext } from "../../service/context.ts";
import { playgroundSetup } from "../../service/playground.ts";
import { loadSetup } from "../../service/setup.ts";
import { bundlePage } from "../page.ts";
import { plain, renderMarkdown } from "./markdown.ts";
import { writeRecipes, type Written } from "./recipes.ts";

const ROOT = join(import.meta.dirname ?? ".", "..", "..", "..", "..");

/** Nothing that a page loads, or sends, is from or to another host. */
const POLICY = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; " +
  "connect-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'none'";

const VIEWS: readonly (readonly [path: string, title: string])[] = [
  ["playground/index.html", "Playground"],
  ["src/docs/recipes.html", "Recipes"],
  ["src/docs/get_started.html", "Docs"],
  ["CHANGELOG.html", "Changes"],
];

/** Builds the site into a folder, which is emptied first; gives the number of its pages. */
export async function buildSite(output: string): Promise<number> {
  await Deno.remove(output, { recursive: true }).catch(() => undefined);
  await Deno.mkdir(output, { recursive: true });
  await buildPlayground(join(output, "playground"));
  for (const file of ["site.css", "search.js"]) {
    await Deno.copyFile(join(import.meta.dirname!, file), join(output, file));
  }
  const pages = await writePages(await firstPages(), output);
  checkAnchors(pages);
  const titles = Array.from(pages, ([path, { title }]) => ({ path, title }));
  for (const [path, page] of pages) {
    await Deno.mkdir(join(output, dirname(path)), { recursive: true });
    const isOpening = path === "index.html";
    const text = isOpening ? documentOf({ path, ...page }) : documentWithSides(path, page, titles);
    await Deno.writeTextFile(join(output, path), text);
  }
  const sections = Array.from(pages, ([path, page]) => sectionsOf(path, page)).flat();
  await Deno.writeTextFile(join(output, "search.json"), JSON.stringify(sections));
  return pages.size + 1;
}

/** The pages from which all others are linked: the opening, the recipes, the README and the docs. */
async function firstPages(): Promise<Written[]> {
  const [readme, agents] = await Promise.all(["README.md", "src/docs/agents.md"].map(readText));
  const paths = await pagesBelow("src/docs");
  return [
    { path: "index.md", markdown: opening(readme!) },
    ...writeRecipes(agents!),
    ...await Promise.all(
      ["README.md", ...paths].map(async (path) => ({ path, markdown: await readText(path) })),
    ),
  ];
}

/** What it is, before and after; how to start; what comes next. */
function opening(readme: string): string {
  const [what, rest] = readme.split("\n## Start\n");
  const [start, next] = [rest?.split("\n## Connect your agent\n")[0], rest?.split("\n## Next steps\n")[1]];
  if (start === undefined || next === undefined) {
    throw new Error("README.md needs the sections Start, Connect your agent, and Next steps");
  }
  return `${what}
## Start
${start}
[Recipes](src/docs/recipes.md) list the settings of each agent for each model server.

## Try it here

In the [playground](playground/index.html), paste what your model printed and see what Dragoman reads, with all shipped rules. It
runs in your browser, and nothing leaves it.

## Next steps
${next.split("\nRun the tests")[0]}`;
}

interface Page {
  readonly title: string;
  readonly html: string;
}

/** Renders pages and all that they link, and copies the other files that they link. */
async function writePages(first: readonly Written[], output: string): Promise<Map<string, Page>> {
  const pages = new Map<string, Page>();
  const waiting = [...first];
  const seen = new Set(["playground/index.html", ...first.map(({ path }) => path)]);
  for (let page = waiting.shift(); page !== undefined; page = waiting.shift()) {
    const { path, markdown } = page;
    const linked: string[] = [];
    const rendered = renderMarkdown(markdown, (address) => {
      if (/^(?:[a-z]+:|#)/.test(address)) return address;
      const [file = "", ...anchor] = address.split("#");
      linked.push(normalize(join(dirname(path), file)).replaceAll("\\", "/"));
      return [siteName(file), ...anchor].join("#");
    });
    pages.set(siteName(path), rendered);
    for (const target of linked.filter((target) => !seen.has(target))) {
      seen.add(target);
      const bytes = await Deno.readFile(join(ROOT, target)).catch(() => {
        throw new Error(`${path}: the link to ${target} leads to no file; name a file of the repository`);
      });
      if (target.endsWith(".md")) {
        waiting.push({ path: target, markdown: new TextDecoder().decode(bytes) });
        continue;
      }
      await Deno.mkdir(join(output, dirname(target)), { recursive: true });
      await Deno.writeFile(join(output, siteName(target)), bytes);
    }
  }
  return pages;
}

/** The name of a repository's file in the site: a page, or a file that a browser shows as text. */
function siteName(path: string): string {
  if (/\.(?:html|png)$/.test(path)) return path;
  return path.endsWith(".md") ? path.replace(/\.md$/, ".html") : `${path}.txt`;
}

/** Throws if a link names a heading that its page doesn't have. */
function checkAnchors(pages: ReadonlyMap<string, Page>): void {
  for (const [path, { html }] of pages) {
    for (const [, file = "", id = ""] of html.matchAll(/<a href="([^":#]*)#([^"]+)"/g)) {
      const target = file === "" ? path : normalize(join(dirname(path), file)).replaceAll("\\", "/");
      if (pages.get(target)?.html.includes(` id="${id}"`) !== true) {
        throw new Error(`${path}: ${target} has no heading with the id ${id}; name one that it has`);
      }
    }
  }
}

/** The way from a page to the site's folder: `src/docs/a.html` → `../../`. */
function baseOf(path: string): string {
  return relative(dirname(path), ".").replaceAll("\\", "/").replace(/(.)$/, "$1/");
}

/** A page with the search, the list of all pages and its own contents. */
function documentWithSides(path: string, { title, html }: Page, pages: readonly Titled[]): string {
  const base = baseOf(path);
  const aside = `<aside>
<label for="search">Search</label><input id="search" type="search" autocomplete="off" data-base="${base}">
<ul id="found" aria-live="polite"></ul>
${sideNavigation(pages, { path, base })}
</aside>
`;
  const scripts = `\n<script type="module" src="${base}search.js"></script>`;
  return documentOf({ path, title, html: contents(html) + html, aside, scripts });
}

function documentOf({ path, title, html, aside, scripts = "", main = "prose" }: Page & {
  readonly path: string;
  /** What is next to the content. */
  readonly aside?: string;
  readonly scripts?: string;
  readonly main?: string;
}): string {
  const base = baseOf(path);
  const links = VIEWS.map(([target, name]) =>
    `<a href="${base}${target}"${target === path ? ' aria-current="page"' : ""}>${name}</a>`
  );
  const name = escapeHtml(title);
  const content = `<main id="main" class="${main}" tabindex="-1">\n${html}\n</main>`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<title>${name === "Dragoman" ? name : `${name} · Dragoman`}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${base}playground/app/style.css">
<link rel="stylesheet" href="${base}site.css">${scripts}
</head>
<body>
<a class="skip" href="#main">Skip to the content</a>
<header><a class="name" href="${base}index.html">Dragoman</a><nav aria-label="Site">${
    links.join("")
  }</nav></header>
${aside === undefined ? content : `<div class="columns">\n${aside}${content}\n</div>`}
</body>
</html>
`;
}

/** The playground of the page, with the shipped rules as the file that it asks a server for. */
async function buildPlayground(folder: string): Promise<void> {
  await bundlePage(join(folder, "app"), [
    "site.ts",
    "playground/worker.ts",
    "style.css",
    "playground/playground.css",
  ]);
  const workingDirectory = await Deno.makeTempDir();
  try {
    const context: CliContext = {
      stdout: () => {},
      stderr: () => {},
      readStdin: () => Promise.resolve(""),
      isTerminal: false,
      isTty: false,
      readEnvironment: () => undefined,
      command: "npx dragoman",
      workingDirectory,
      signal: new AbortController().signal,
    };
    const setup = await playgroundSetup(await loadSetup({}, context), context);
    const saving = {
      isPossible: false,
      message: "This page has no server that could save a rule",
      help: "choose Copy YAML, and save it as a file in your rules folder",
    };
    const shown = { ...setup, folder: "my_rules", schema: "rule.schema.json", saving };
    await Deno.writeTextFile(join(folder, "playground"), JSON.stringify(shown).replaceAll(`${ROOT}/`, ""));
  } finally {
    await Deno.remove(workingDirectory, { recursive: true });
  }
  const html = `<div id="app"><noscript>The playground needs JavaScript.</noscript></div>`;
  const scripts = `\n<script type="module" src="app/site.js"></script>`;
  const page = { path: "playground/index.html", title: "Playground", html, scripts, main: "wide-page" };
  await Deno.writeTextFile(join(folder, "index.html"), documentOf(page));
}

async function pagesBelow(folder: string): Promise<string[]> {
  const paths: string[] = [];
  for await (const { name, isDirectory } of Deno.readDir(join(ROOT, folder))) {
    if (isDirectory) paths.push(...await pagesBelow(`${folder}/${name}`));
    else if (name.endsWith(".md")) paths.push(`${folder}/${name}`);
  }
  return paths.sort();
}

async function readText(path: string): Promise<string> {
  return await Deno.readTextFile(join(ROOT, path));
}

/** A section: a heading, and the text to the next one. */
interface Section {
  /** The page and the heading's id. */
  readonly address: string;
  readonly title: string;
  readonly heading: string;
  readonly text: string;
}

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
  return plain(html.replace(/<(?!\/?(?:a|code|em|strong|wbr)\b)/g, " <")).replace(/\s+/g, " ").trim();
}

/** What the list names: the path of a page in the site, and its title. */
interface Titled {
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

if (import.meta.main) {
  const [folder = "dist/site"] = Deno.args;
  const output = resolve(Deno.env.get("INIT_CWD") ?? Deno.cwd(), folder);
  console.log(`Wrote ${await buildSite(output)} pages into ${output}`);
}
