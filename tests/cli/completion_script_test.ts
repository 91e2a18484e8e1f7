import assert from "node:assert/strict";
import { COMPLETIONS } from "../../src/cli/completion_script.ts";
import { loadVerbs } from "../../src/cli/verbs.ts";

const VERBS = await loadVerbs();

/** Runs a shell with a script on its standard input; undefined if the shell isn't installed. */
async function runShell(args: readonly string[], script: string) {
  const options = { args: [...args], stdin: "piped", stdout: "piped", stderr: "piped" } as const;
  let shell: Deno.ChildProcess;
  try {
    shell = new Deno.Command(args[0]!, { ...options, args: options.args.slice(1) }).spawn();
  } catch {
    return undefined;
  }
  const writer = shell.stdin.getWriter();
  await writer.write(new TextEncoder().encode(script));
  await writer.close();
  const { code, stdout, stderr } = await shell.output();
  const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
  return { code, stdout: text(stdout), stderr: text(stderr) };
}

Deno.test("every shell's script has every verb and every flag", () => {
  for (const [shell, write] of Object.entries(COMPLETIONS)) {
    const script = write(VERBS);
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
  const cases: readonly (readonly [line: readonly string[], expected: string])[] = [
    [["che"], "check"],
    [["--v"], "--version"],
    [["help", "transf"], "transform"],
    [["serve", "--ups"], "--upstream"],
    [["serve", "--port", "1", "--aud"], "--audit"],
    [["rules", "sh"], "show"],
    [["completion", "f"], "fish"],
    [["check", "some_fi"], ""],
  ];
  const asks = cases.map(([line]) =>
    `COMP_WORDS=(dragoman ${line.join(" ")}); COMP_CWORD=${line.length}; _dragoman; echo "\${COMPREPLY[*]}"`
  );
  const result = await runShell(["bash", "--norc", "-s"], COMPLETIONS.bash!(VERBS) + asks.join("\n"));
  if (result === undefined) return console.log(`SKIPPED ${t.name}: no bash`);
  assert.deepEqual([result.code, result.stderr], [0, ""]);
  assert.deepEqual(result.stdout.split("\n").slice(0, -1), cases.map(([, expected]) => expected));
});

for (const shell of ["zsh", "fish"] as const) {
  Deno.test(`the script of ${shell} is valid`, async (t) => {
    const result = await runShell([shell, "-n"], COMPLETIONS[shell]!(VERBS));
    if (result === undefined) return console.log(`SKIPPED ${t.name}: no ${shell}`);
    assert.deepEqual([result.code, result.stderr], [0, ""]);
  });
}
