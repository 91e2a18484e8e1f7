/**
 * The task `test:suite`: CanIToolCall, the field's own suite, over the running proxy, with its own runner and checks. It is
 * installed once from PyPI. Where Python is absent or its registry can't be reached, it prints SKIPPED and exits with 0.
 *
 * Every fixture has to pass, or pass but for whitespace at the ends, except those in accepted.json, each with its reason.
 *
 * @module
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { serversFolder } from "../servers/folder.ts";
import accepted from "./accepted.json" with { type: "json" };

const PACKAGE = "canitoolcall==0.1.1";
const HERE = new URL(".", import.meta.url).pathname;
const PROJECT = new URL("../..", import.meta.url).pathname;

interface Case {
  readonly fixture_id: string;
  readonly status: "pass" | "soft_pass" | "fail" | "error";
}

/** How calls are sent → the least number of fixtures that pass, and the fixtures that may fail. */
const RUNS = [
  { name: "calls: whole", policy: "{ calls: whole }", passesMin: 464, mayFail: isAlways },
  {
    name: "calls: streamed",
    policy: "{}",
    passesMin: 440,
    mayFail: (id: string) =>
      isAlways(id) || id.includes("trunc") || id.endsWith("invalid-json-missing-brace"),
  },
];

function isAlways(id: string): boolean {
  return id in accepted.always;
}

/** The Python with the suite, or why there is none. */
async function installSuite(): Promise<{ readonly python: string } | { readonly reason: string }> {
  const folder = join(serversFolder(), PACKAGE.replace("==", "-"));
  const python = join(folder, "bin", "python");
  const stamp = join(folder, "installed");
  if (existsSync(stamp)) return { python };
  const made = await run("python3", ["-m", "venv", folder]);
  if (!made) return { reason: "Python is absent, or makes no virtual environment" };
  if (!await run(python, ["-m", "pip", "install", "-q", PACKAGE])) {
    return { reason: "pip can't install the suite" };
  }
  await Deno.writeTextFile(stamp, PACKAGE);
  return { python };
}

async function run(program: string, args: readonly string[]): Promise<boolean> {
  const command = new Deno.Command(program, {
    args: [...args],
    stdin: "null",
    stdout: "null",
    stderr: "null",
  });
  return await command.output().then(({ success }) => success, () => false);
}

async function runSuite(python: string, policy: string): Promise<readonly Case[]> {
  const out = await Deno.makeTempDir({ prefix: "dragoman-suite-" });
  try {
    const { success, stderr } = await new Deno.Command(python, {
      args: [join(HERE, "run.py"), out],
      env: { DENO: Deno.execPath(), PROJECT, POLICY: policy },
      stdin: "null",
    }).output();
    const [file] = [...Deno.readDirSync(out)].filter(({ name }) => name.endsWith(".json"));
    if (!success || file === undefined) throw new Error(new TextDecoder().decode(stderr));
    return JSON.parse(await Deno.readTextFile(join(out, file.name))).cases;
  } finally {
    await Deno.remove(out, { recursive: true });
  }
}

async function testSuite(): Promise<number> {
  const installed = await installSuite();
  if ("reason" in installed) {
    console.log(`SKIPPED the field's suite: ${installed.reason}`);
    return 0;
  }
  let problems = 0;
  for (const { name, policy, passesMin, mayFail } of RUNS) {
    const cases = await runSuite(installed.python, policy);
    const failed = cases.filter(({ status }) => status === "fail" || status === "error");
    const passes = cases.length - failed.length;
    console.log(`CanIToolCall, ${name}: ${passes} of ${cases.length} pass`);
    const wrong = failed.filter(({ fixture_id: id }) => !mayFail(id));
    for (const { fixture_id: id } of wrong) console.log(`  FAILED ${id}`);
    if (passes < passesMin) console.log(`  FAILED: at least ${passesMin} have to pass`);
    problems += wrong.length + Number(passes < passesMin);
  }
  return problems === 0 ? 0 : 1;
}

Deno.exit(await testSuite());
