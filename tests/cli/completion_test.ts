import assert from "node:assert/strict";
import { runCommandLine } from "../../src/cli/cli.ts";
import { createTestContext } from "../support/context.ts";
import { join } from "node:path";
import { COMPLETIONS, loadNames } from "../../src/cli/completion.ts";
import { loadVerbs } from "../../src/cli/cli.ts";
import { IS_THOROUGH } from "../support/fuzz.ts";
import { findProgram } from "../support/find_program.ts";
import { temporaryFolder } from "../support/temporary_folder.ts";

Deno.test("completion prints the script of a shell, and suggests one for a misspelled name", async () => {
  const context = createTestContext();
  assert.equal(await runCommandLine(["completion", "bash"], context), 0);
  assert.match(
    context.printed.stdout,
    /^_dragoman_rules=[^]*_dragoman\(\) \{[^]*complete -o default -F _dragoman dragoman\n$/,
  );
  assert.equal(await runCommandLine(["completion", "bsh"], context), 2);
  assert.match(context.printed.stderr, /Unknown shell `bsh`[^]*did you mean `bash`/);
});

Deno.test("completion runs no plugin of the folder in which a shell starts, and completes its rules", async () => {
  const workingDirectory = await temporaryFolder({
    "dragoman.yaml": "plugins:\n  - use: ./mine.ts\n",
    "mine.ts": "globalThis.hasRunMine = true;\n",
  });
  const { rules } = await loadNames(createTestContext({ workingDirectory }));
  assert.ok(rules.includes("qwen_xml_tags"));
  assert.equal(Reflect.get(globalThis, "hasRunMine"), undefined);
});

const VERBS = await loadVerbs();
const NAMES = await loadNames(createTestContext());

/** What a person types after `dragoman` → what Tab makes of the last word; without a second text, nothing. */
const CASES: readonly (readonly [typed: string, completed: string])[] = [
  ["che", "check"],
  ["--v", "--version"],
  ["help transf", "transform"],
  ["serve --tool-m", "--tool-mode"],
  ["serve --port 1 --aud", "--audit"],
  ["rules sh", "show"],
  ["completion f", "fish"],
  ["init --agent openc", "opencode"],
  ["serve --enable shell_b", "shell_block"],
  ["rules show qwen_xml_ta", "qwen_xml_tags"],
  ["explain upstream_unreac", "upstream_unreachable"],
  ["plugins strict", "strict_validation"],
  ["transform --client roo", "roo"],
  ["serve --tool-mode nat", "native"],
];

/** Runs a shell on a script in an empty folder and home, and gives what it prints. */
async function runShell(name: string, { args, files }: { args: string[]; files: Record<string, string> }) {
  const shell = await findProgram(name);
  if (shell === undefined) return undefined;
  const folder = await temporaryFolder();
  for (const [path, text] of Object.entries(files)) await Deno.writeTextFile(join(folder, path), text);
  const { code, stdout, stderr } = await new Deno.Command(shell, {
    args,
    cwd: folder,
    clearEnv: true,
    env: { HOME: folder, PATH: Deno.env.get("PATH") ?? "", TERM: "dumb" },
    stdin: "null",
  }).output();
  const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
  assert.deepEqual([code, text(stderr)], [0, ""]);
  return text(stdout);
}

Deno.test("every shell's script has every verb and every flag", () => {
  for (const [shell, write] of Object.entries(COMPLETIONS)) {
    const script = write(VERBS, NAMES);
    for (const { name, options, words = [] } of VERBS) {
      for (const word of [name, ...words]) assert.ok(script.includes(word), `${shell}: ${word}`);
      const sign = shell === "fish" ? "-l " : "--";
      for (const flag of Object.keys(options)) {
        assert.ok(script.includes(`${sign}${flag}`), `${shell}: ${flag}`);
      }
    }
  }
});

Deno.test("bash completes verbs, flags and words, and leaves files to itself", async (t) => {
  const cases = [...CASES, ["check some_fi", ""], ["serve --config some_fi", ""]] as const;
  const asks = cases.map(([typed]) => {
    const words = typed.split(" ");
    return `COMP_WORDS=(dragoman ${typed}); COMP_CWORD=${words.length}; _dragoman; echo "\${COMPREPLY[*]}"\n`;
  });
  const files = { "script.bash": COMPLETIONS.bash!(VERBS, NAMES) + asks.join("") };
  const printed = await runShell("bash", { args: ["--norc", "script.bash"], files });
  if (printed === undefined) return console.log(`SKIPPED ${t.name}: bash isn't installed`);
  assert.deepEqual(printed.split("\n").slice(0, -1), cases.map(([, completed]) => completed));
});

Deno.test("fish completes verbs, flags and words", { ignore: !IS_THOROUGH }, async (t) => {
  const asks = CASES.map(([typed]) => `complete -C 'dragoman ${typed}'\n`);
  const files = { "script.fish": COMPLETIONS.fish!(VERBS, NAMES) + asks.join("") };
  const printed = await runShell("fish", { args: ["--no-config", "script.fish"], files });
  if (printed === undefined) return console.log(`SKIPPED ${t.name}: fish isn't installed`);
  // Each line has a word and its description.
  const words = printed.split("\n").slice(0, -1).map((line) => line.split("\t")[0]);
  assert.deepEqual(words, CASES.map(([, completed]) => completed));
});

/*
 * zsh completes only in its line editor, so a second zsh runs in a terminal of its own (zpty). After Tab, Ctrl-X prints the
 * line between marks and empties it.
 */
const TYPE_IN_ZSH = `zmodload zsh/zpty
zpty typist zsh -f -i
zpty -w typist 'PS1= PS2=; autoload -Uz compinit; compinit -D -u; source ./_dragoman'
zpty -w typist 'show() { print -r -- "<<$BUFFER>>"; BUFFER= }; zle -N show; bindkey "^I" complete-word "^X" show'
zpty -w typist 'print REA""DY'
zpty -r -m typist shown '*READY*'
while read -r line; do
  zpty -w -n typist "dragoman $line"$'\\t\\x18'
  zpty -r -m typist shown '*<<*>>*'
  print -r -- "\${\${shown##*<<}%%>>*}"
done < typed
zpty -d typist
`;

Deno.test("zsh completes verbs, flags, words and files", { ignore: !IS_THOROUGH }, async (t) => {
  const cases = [...CASES.slice(5), ["check some_fi", "some_file.yaml"], [
    "serve --config some_fi",
    "some_file.yaml",
  ]] as const;
  const files = {
    "_dragoman": COMPLETIONS.zsh!(VERBS, NAMES),
    "typed": cases.map(([typed]) => `${typed}\n`).join(""),
    "some_file.yaml": "",
    "script.zsh": TYPE_IN_ZSH,
  };
  const printed = await runShell("zsh", { args: ["-f", "script.zsh"], files });
  if (printed === undefined) return console.log(`SKIPPED ${t.name}: zsh isn't installed`);
  const expected = cases.map(([typed, completed]) =>
    `dragoman ${[...typed.split(" ").slice(0, -1), completed].join(" ")}`
  );
  assert.deepEqual(printed.split("\n").slice(0, -1).map((line) => line.trimEnd()), expected);
});
