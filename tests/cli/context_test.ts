import assert from "node:assert/strict";
import { commandOf, createCliContext } from "../../src/cli/context.ts";

async function runScript(script: string, options: { stdin?: string; env?: Record<string, string> } = {}) {
  const context = new URL("../../src/cli/context.ts", import.meta.url).href;
  const process = new Deno.Command(Deno.execPath(), {
    args: [
      "eval",
      "--no-lock",
      `import { createCliContext } from ${
        JSON.stringify(context)
      };\nconst context = createCliContext();\n${script}`,
    ],
    stdin: "piped",
    stdout: "piped",
    stderr: "piped",
    ...(options.env ? { env: options.env } : {}),
  }).spawn();
  const writer = process.stdin.getWriter();
  await writer.write(new TextEncoder().encode(options.stdin ?? ""));
  await writer.close();
  const { code, stdout, stderr } = await process.output();
  const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
  return { code, stdout: text(stdout), stderr: text(stderr) };
}

Deno.test("createCliContext reads the environment and the working directory", () => {
  const context = createCliContext();
  assert.equal(context.readEnvironment("PATH"), Deno.env.get("PATH"));
  assert.equal(context.workingDirectory, Deno.cwd());
});

Deno.test("createCliContext writes texts of any length whole, and reads the standard input", async () => {
  const script =
    "context.stdout((await context.readStdin()).repeat(100_000)); context.stderr(String(context.isTerminal));";
  const { stdout, stderr } = await runScript(script, { stdin: "añ" });
  assert.deepEqual([stdout.length, stdout.slice(0, 4), stderr], [200_000, "añañ", "false"]);
});

Deno.test({
  name: "createCliContext aborts at the first signal and ends at the second",
  ignore: Deno.build.os === "windows",
  async fn() {
    const script = `
      const timer = setInterval(() => {}, 1000);
      context.signal.addEventListener("abort", () => {
        context.stdout("first");
        Deno.kill(Deno.pid, "SIGTERM");
      });
      Deno.kill(Deno.pid, "SIGINT");`;
    const { code, stdout } = await runScript(script);
    assert.deepEqual([code, stdout], [130, "first"]);
  },
});

Deno.test("commandOf gives the command that starts the program again", () => {
  const start = {
    form: "source" as const,
    program: "/usr/bin/deno",
    version: "2.9.6",
    main: "/d/main.ts",
    workingDirectory: "/d",
  };
  assert.equal(commandOf(start), "deno task dragoman");
  assert.equal(commandOf({ ...start, workingDirectory: "/other" }), "deno run -A /d/main.ts");
  assert.equal(commandOf({ ...start, program: "/c/_npx/1/deno" }), "npx -y deno@2.9.6 task dragoman");
  assert.equal(commandOf({ ...start, form: "binary", program: "/my bin/dragoman" }), '"/my bin/dragoman"');
});
