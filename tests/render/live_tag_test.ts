import assert from "node:assert/strict";
import { lastTagIn, LiveTags, makeInert } from "../../src/render/live_tag.ts";

const NAMES = { tools: new Set(["look", "write"]), parameters: new Set(["path"]) };

function openTool(text: string, isCut: boolean): string | undefined {
  const tags = new LiveTags(NAMES);
  for (const piece of isCut ? text : [text]) tags.feed(piece);
  return tags.openTool;
}

Deno.test("LiveTags knows the tool that the client believes to be open, in any cuts", () => {
  const cases: [string, string | undefined][] = [
    ["plain a < b > c", undefined],
    ["Use `<look>`", "look"],
    ["<look></look>", undefined],
    ["<look><path>x</look>", "look"],
    ["<look><path>x</path></look>", undefined],
    ["<look><path><path></look></path></look> <write>", "write"],
    ["<look><write></write>", "look"],
    ["<look >", undefined],
    ["< look>", undefined],
    ["</look>", undefined],
    ["<<look>", "look"],
    ["<look", undefined],
    [`<${"x".repeat(1000)}> <look>`, "look"],
  ];
  for (const [text, expected] of cases) {
    assert.equal(openTool(text, false), expected, text);
    assert.equal(openTool(text, true), expected, `cut: ${text}`);
  }
});

Deno.test("makeInert changes exact tags of tools and nothing else", () => {
  const cases: [string, string][] = [
    ["<look>", "<look >"],
    ["a <look><path>x</path></look> <write>", "a <look ><path>x</path></look> <write >"],
    ["<look >, </look>, <other>, a < b", "<look >, </look>, <other>, a < b"],
    ["<<look>>", "<<look >>"],
    ["<look", "<look"],
    ["", ""],
  ];
  for (const [text, expected] of cases) assert.equal(makeInert(text, NAMES.tools), expected);
});

Deno.test("LiveTags and makeInert take time in proportion to the text", () => {
  for (const piece of ["<", ">", "<look", "<x>", "< "]) {
    const text = piece.repeat(500_000);
    assert.equal(openTool(text, false), undefined);
    assert.equal(makeInert(text, NAMES.tools), text);
  }
});

Deno.test("lastTagIn finds a tool's tag that stands last, with white space behind it at most", () => {
  const tools = new Set(["look"]);
  const cases: [text: string, from: number][] = [
    ["Use <look>", 4],
    ["Use <look>\n ", 4],
    ["Use <look> now", 14],
    ["Use <list>", 10],
    ["look>", 5],
    ["", 0],
  ];
  for (const [text, from] of cases) assert.equal(lastTagIn(text, tools), from, text);
});
