import assert from "node:assert/strict";
import { programHelp, verbHelp } from "../../src/cli/cli.ts";
import type { Verb } from "../../src/cli/verb.ts";

const VERB: Verb = {
  name: "look",
  summary: "Look at something",
  usage: "look [FILE]",
  operandsMax: 1,
  examples: ["look a.txt"],
  options: {
    port: { type: "string", short: "p", placeholder: "PORT", description: "A port" },
    json: { type: "boolean", description: "Long ".repeat(30).trim() },
  },
  run: () => Promise.resolve(0),
};

Deno.test("verbHelp shows usage, aligned flags and examples", () => {
  assert.equal(
    verbHelp({
      ...VERB,
      options: {
        ...VERB.options,
        json: { type: "boolean", description: "JSON" },
        tag: { type: "string", multiple: true, placeholder: "TAG", description: "A tag" },
      },
    }),
    [
      "Look at something.",
      "",
      "Usage: dragoman look [FILE]",
      "",
      "Flags:",
      "  -p, --port PORT  A port",
      "      --json       JSON",
      "      --tag TAG    A tag; can be repeated",
      "  -h, --help       Show this help",
      "",
      "Example:",
      "  dragoman look a.txt",
      "",
    ].join("\n"),
  );
});

Deno.test("verbHelp and programHelp stay within 110 columns", () => {
  for (const page of [verbHelp(VERB), programHelp([VERB], { version: "1.2.3" })]) {
    assert.ok(page.split("\n").every((line) => line.length <= 110), page);
  }
});

Deno.test("programHelp says what the program is and lists the verbs", () => {
  const page = programHelp([VERB], { version: "1.2.3" });
  assert.ok(page.startsWith("dragoman 1.2.3: converts tool calls"), page);
  assert.ok(page.includes("\n  look  Look at something\n"), page);
});
