import assert from "node:assert/strict";
import { contents, sideNavigation } from "../../../../src/cli/build/site/site.ts";

const PAGES = [
  ["index.html", "Dragoman"],
  ["src/docs/get_started.html", "Get started"],
  ["src/docs/recipe-an-agent.html", "An agent"],
  ["src/docs/guide/install.html", "Install"],
  ["src/docs/guide/b.html", "B & <c>"],
  ["src/docs/guide/a.html", "A"],
  ["rules/configuration.html", "Configuration"],
  ["rules/writing_rules.html", "Writing rules"],
  ["src/README.html", "The sources"],
].map(([path = "", title = ""]) => ({ path, title }));

Deno.test("sideNavigation lists each page once, in its group, by title, and marks the one that is open", () => {
  const html = sideNavigation(PAGES, { path: "src/docs/guide/a.html", base: "../../../" });
  const groups = html.split("<h2>").slice(1).map((group) => [
    group.split("</h2>")[0],
    ...Array.from(group.matchAll(/href="\.\.\/\.\.\/\.\.\/([^"]+)"/g), ([, path]) => path),
  ]);
  assert.deepEqual(groups, [
    ["Start", "src/docs/get_started.html", "src/docs/guide/install.html"],
    ["Guides", "src/docs/guide/a.html", "src/docs/guide/b.html"],
    ["Rules and plugins", "rules/writing_rules.html"],
    ["Reference", "rules/configuration.html"],
    ["Internals", "src/README.html"],
  ]);
  assert.deepEqual(html.match(/href="[^"]*" aria-current="page">[^<]*/g), [
    'href="../../../src/docs/guide/a.html" aria-current="page">A',
  ]);
  assert.match(html, />B &amp; &lt;c&gt;</);
});

Deno.test("contents lists the sections of a page that has at least three, without links in links", () => {
  const section = (id: string) => `<h2 id="${id}"><a href="x">The</a> <code>${id}</code></h2><p>Text.</p>`;
  assert.equal(contents(section("a") + section("b")), "");
  const html = contents(section("a") + section("b") + section("c"));
  assert.match(html, /<li><a href="#a">The <code>a<\/code><\/a><\/li><li><a href="#b">/);
  assert.equal(html.match(/<li>/g)?.length, 3);
});
