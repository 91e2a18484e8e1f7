import assert from "node:assert/strict";
import project from "../../deno.json" with { type: "json" };
import { runCommandLine } from "../../src/cli/cli.ts";
import { createTestContext } from "../support/context.ts";

const VERBS = ["serve", "demo", "check", "transform", "trace", "explain", "conformance"];

async function run(...words: string[]) {
  const context = createTestContext();
  const code = await runCommandLine(words, context);
  return { code, ...context.printed };
}

Deno.test("runCommandLine prints the version of deno.json and what it runs on", async () => {
  for (const word of ["--version", "-V", "version"]) {
    const { code, stdout, stderr } = await run(word);
    assert.deepEqual([code, stderr], [0, ""]);
    assert.ok(
      stdout.startsWith(`dragoman ${project.version} (from source, Deno ${Deno.version.deno}, `),
      stdout,
    );
  }
});

Deno.test("runCommandLine prints an overview of every verb", async () => {
  for (const word of ["--help", "-h", "help"]) {
    const { code, stdout } = await run(word);
    assert.equal(code, 0);
    for (const verb of VERBS) assert.match(stdout, new RegExp(`^  ${verb} +[A-Z]`, "m"));
  }
});

for (const verb of VERBS) {
  Deno.test(`runCommandLine prints the help of ${verb}, by whichever name it is asked`, async () => {
    const { code, stdout } = await run("help", verb);
    assert.equal(code, 0);
    assert.ok(stdout.includes(`Usage: dragoman`) && stdout.includes("  -h, --help"), stdout);
    assert.match(stdout, /Examples?:\n {2}dragoman /);
    assert.equal((await run(verb, "--help")).stdout, stdout);
    assert.equal((await run(verb, "-h")).stdout, stdout);
  });
}

Deno.test("runCommandLine runs serve where no verb is named", async () => {
  assert.equal((await run("--port", "1", "--help")).stdout, (await run("help", "serve")).stdout);
});

Deno.test("runCommandLine suggests the verb that was meant and ends with 2", async () => {
  for (const words of [["serv"], ["help", "serv"]]) {
    const { code, stdout, stderr } = await run(...words);
    assert.deepEqual([code, stdout], [2, ""]);
    assert.equal(stderr, "error[unknown_verb]: Unknown verb `serv`\n  = help: did you mean `serve`?\n");
  }
  for (const word of ["constructor", "toString"]) assert.equal((await run(word)).code, 2);
});

Deno.test("runCommandLine names every wrong flag and ends with 2", async () => {
  const { code, stderr } = await run("serve", "--prot", "--hots");
  assert.equal(code, 2);
  assert.ok(stderr.includes("`--port`") && stderr.includes("`--host`"), stderr);
});

Deno.test("runCommandLine gives the exit code of the verb", async () => {
  assert.equal((await run("explain", "unknown_tool")).code, 0);
  assert.equal((await run("explain", "no_such_code")).code, 1);
});
