/**
 * Every command that a message prints works where the user is: it begins as the program was started.
 *
 * @module
 */
import assert from "node:assert/strict";
import { runCommandLine } from "../../src/cli/cli.ts";
import { CODES } from "../../src/engine/diagnostic/codes.ts";
import { REASONS } from "../../src/engine/event/reasons.ts";
import { createTestContext } from "../support/context.ts";
import { temporaryFolder } from "../support/temporary_folder.ts";

const COMMAND = "npx -y deno@1.2.3 task dragoman";
const VERBS = [
  "check",
  "completion",
  "conformance",
  "demo",
  "derive",
  "explain",
  "init",
  "plugins",
  "replay",
  "report",
  "rules",
  "serve",
  "trace",
  "transform",
];

/** Command lines whose messages name a command. */
const NAMING: readonly (readonly string[])[] = [
  ["help"],
  ...VERBS.map((verb) => ["help", verb]),
  ["explain"],
  ["explain", "no_such_code"],
  ["check", "--no-such-flag"],
  ["demo", "too", "many"],
  ["rules", "new", "hermes"],
  ["rules", "new", "fresh"],
  ["rules", "show", "no_such_rule"],
  ["rules", "no_such_word"],
  ["report"],
  ["replay"],
  ["conformance"],
  ["trace", "answer.txt"],
  ["serve", "--enable", "no_such_rule"],
  ["init"],
];

/** A command that begins with the program's bare name. */
const BARE = /(?<!task\s)\bdragoman (?:[a-z]+\b|VERB|\[VERB\]|--\w+)/;

async function printed(words: readonly string[], folder: string): Promise<string> {
  const context = { ...createTestContext({ workingDirectory: folder }), command: COMMAND };
  await runCommandLine(words, context);
  return context.printed.stdout + context.printed.stderr;
}

Deno.test("every command in a message begins as the program was started", async () => {
  const folder = await temporaryFolder({
    "answer.txt": '<tool_call>{"name": "a", "arguments": {}}</tool_call>',
  });
  for (const words of NAMING) {
    const text = await printed(words, folder);
    assert.ok(text.includes(`${COMMAND} `), `${words.join(" ")} names no command:\n${text}`);
    assert.doesNotMatch(text, BARE, words.join(" "));
  }
  for (const code of [...Object.keys(CODES), ...Object.keys(REASONS)]) {
    assert.doesNotMatch(await printed(["explain", code], folder), BARE, code);
  }
});
