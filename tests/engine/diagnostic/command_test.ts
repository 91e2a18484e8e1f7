import assert from "node:assert/strict";
import { withCommand } from "../../../src/engine/diagnostic/command.ts";

Deno.test("withCommand writes commands as the user starts the program, and nothing else", () => {
  const cases: Readonly<Record<string, string>> = {
    "run `dragoman check x`": "run `npx $& check x`",
    "Usage: dragoman [VERB]": "Usage: npx $& [VERB]",
    "  dragoman --version": "  npx $& --version",
    "dragoman 0.1.0": "dragoman 0.1.0",
    "edit dragoman.yaml": "edit dragoman.yaml",
    "Cannot read my-dragoman check": "Cannot read my-dragoman check",
  };
  for (const [text, expected] of Object.entries(cases)) assert.equal(withCommand(text, "npx $&"), expected);
});
