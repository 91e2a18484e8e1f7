import assert from "node:assert/strict";
import { renderMarkdown } from "../../../../src/cli/build/site/markdown.ts";

const HEADINGS: Readonly<Record<string, string>> = {
  "What's new?": "whats-new",
  "`tools: auto`: what it does": "tools-auto-what-it-does",
  "`check`s and [links](a.md), *both*": "checks-and-links-both",
  "a < b & c": "a--b--c",
};

Deno.test("renderMarkdown gives headings the ids that code hosts give them, each one once", () => {
  for (const [heading, id] of Object.entries(HEADINGS)) {
    const { html } = renderMarkdown(`## ${heading}\n\n## ${heading}\n`, (address) => address);
    const ids = Array.from(html.matchAll(/<h2 id="([^"]*)"/g), ([, found]) => found);
    assert.deepEqual(ids, [id, `${id}-1`], html);
  }
});

Deno.test("renderMarkdown: the title is the first heading as text, and links are rewritten", () => {
  const { title, html } = renderMarkdown("# `a`: b & c\n\n[x](y.md?a&b)\n", (address) => `z/${address}`);
  assert.equal(title, "a: b & c");
  assert.match(html, /<a href="z\/y\.md\?a&amp;b">/);
});

Deno.test("renderMarkdown labels the cells of a table, and lets a long code break only between its words", () => {
  const long = "upstreams[].begins_in_reasoning";
  const { html } = renderMarkdown(
    `| key | |\n|---|---|\n| \`${long}\` | a |\n\n| a | b "c" | d |\n|---|---|---|\n| \`x.y\` | 1 | 2 |\n| z | | |\n`,
    (address) => address,
  );
  assert.match(
    html,
    /<td><code>upstreams\[\]\.<wbr>begins_<wbr>in_<wbr>reasoning<\/code><\/td>\s*<td>a<\/td>/,
  );
  assert.match(html, /<td><code>x\.y<\/code><\/td>\s*<td data-head="b &quot;c&quot;">1<\/td>/);
  assert.match(html, /<td>z<\/td>\s*<td><\/td>/);
  // A single column needs no label: its cells follow the row's name.
  assert.match(renderMarkdown("| a | b |\n|---|---|\n| c | d |\n", String).html, /<td>c<\/td>\s*<td>d<\/td>/);
});

Deno.test("renderMarkdown makes parts that can be closed of long tables, if a page has several", () => {
  const table = `| a | b |\n|---|---|\n${"| $& | $& |\n".repeat(31)}\n`;
  const parts = renderMarkdown(table + table, String).html.split("<details").slice(1);
  assert.equal(parts.length, 2);
  for (const part of parts) {
    assert.match(part, /^ class="long" open><summary>All 31 rows<[^]*<\/table><\/div><\/details>/);
  }
  assert.ok(!renderMarkdown(table, String).html.includes("<details"));
});
