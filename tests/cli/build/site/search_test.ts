import assert from "node:assert/strict";
import { renderMarkdown } from "../../../../src/cli/build/site/markdown.ts";
import { sectionsOf } from "../../../../src/cli/build/site/site.ts";

const PAGE = `# The page

It **begins** here.

## \`a\`: one

| key | value |
|---|---|
| \`k\` | 1 < 2 |

### Part

- first
- second, in *part*s

#### Deeper

It ends.
`;

Deno.test("sectionsOf has each section to the next heading, as words", () => {
  const sections = sectionsOf("docs/page.html", renderMarkdown(PAGE, (address) => address));
  assert.deepEqual(sections, [
    { address: "docs/page.html#the-page", title: "The page", heading: "The page", text: "It begins here." },
    { address: "docs/page.html#a-one", title: "The page", heading: "a: one", text: "key value k 1 < 2" },
    {
      address: "docs/page.html#part",
      title: "The page",
      heading: "Part",
      text: "first second, in parts Deeper It ends.",
    },
  ]);
});

Deno.test("sectionsOf has nothing of a page without headings", () => {
  assert.deepEqual(sectionsOf("page.html", renderMarkdown("Only text.", (address) => address)), []);
});
