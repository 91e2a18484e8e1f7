import assert from "node:assert/strict";
import { isAllowedCommand } from "../../../src/engine/tool/shell.ts";

const WORDS = ["ls", "cat", "npm", "git"];

const allowed = [
  "ls",
  "ls -la src",
  "  ls\n",
  "npm test && ls | cat",
  "ls || cat a.txt",
  "ls; git status",
  "git commit -m 'a $(b) message'",
  'git commit -m "a message"',
  "ls *.ts",
  "cat a\\ b.txt",
];

for (const text of allowed) {
  Deno.test(`isAllowedCommand lets ${JSON.stringify(text)} through`, () => {
    assert.equal(isAllowedCommand(text, WORDS), true);
  });
}

const refused: [text: string, why: string][] = [
  ["", "nothing"],
  [" \n", "nothing but whitespace"],
  ["curl x", "a word that is not on the list"],
  ["ls && rm -rf x", "another word behind &&"],
  ["ls | xargs rm", "another word in a pipe"],
  ["ls; rm x", "another word behind ;"],
  ["ls $(rm x)", "a substitution"],
  ["ls `rm x`", "a substitution in backticks"],
  ['ls "$(rm x)"', "a substitution in quotes"],
  ["ls $HOME", "a variable"],
  ['ls "$HOME"', "a variable in quotes"],
  ["ls ${A:-$(rm x)}", "a parameter expansion"],
  ["ls <(rm x)", "a process substitution"],
  ["ls > x", "a redirection"],
  ["cat < x", "a redirection of the input"],
  ["cat <<< x", "a here string"],
  ["ls 2>&1", "a redirection of errors"],
  ["ls &", "a command in the background"],
  ["ls & cat x", "a command in the background before another"],
  ["A=1 ls", "an assignment"],
  ["A=1", "nothing but an assignment"],
  ["(ls)", "a subshell"],
  ["{ ls; }", "a group"],
  ["if ls; then cat x; fi", "a condition"],
  ["for a in b; do ls; done", "a loop"],
  ["ls() { cat x; }", "a function"],
  ["ls\ncat x", "several lines"],
  ["ls\rcat x", "a carriage return"],
  ["ls\\\nrm", "a continued line"],
  ["$ls", "a variable as the command"],
  ["l's' ; rm", "another word behind a quoted one"],
  ["./ls", "a path"],
  ["ls $((1+1))", "arithmetic"],
  ["ls {a,b}", "a brace expansion"],
  ["ls 'a", "an unclosed quote"],
  [`ls ${"a".repeat(4096)}`, "a line that is too long"],
];

for (const [text, why] of refused) {
  Deno.test(`isAllowedCommand refuses ${why}`, () =>
    assert.equal(isAllowedCommand(text, WORDS), false, text));
}
