import assert from "node:assert/strict";
import { join } from "node:path";
import { explain } from "../../src/cli/explain.ts";
import { CODES } from "../../src/engine/diagnostic/codes.ts";
import type { ReasonEntry } from "../../src/engine/event/reason_entry.ts";
import { ERROR_CODES } from "../../src/proxy/exchange/error_codes.ts";
import { MISTAKES } from "../../src/proxy/plugin/model_errors.ts";
import { REASONS } from "../../src/engine/event/reasons.ts";
import { runVerb } from "../support/run_verb.ts";

const run = (...positionals: string[]) => runVerb(explain, { positionals });

Deno.test("explain prints the paragraph and the example of a diagnostic code", async () => {
  const { code, stdout } = await run("pattern_hole");
  assert.equal(code, 0);
  assert.ok(
    stdout.startsWith(
      "pattern_hole: A pattern has no hole, or more than one\n\nA pattern has exactly one hole",
    ),
  );
  assert.ok(stdout.endsWith("\n\n    pattern: '<call>(?<body>…)</call>'\n"));
  assert.ok(stdout.split("\n").every((line) => line.length <= 84));
});

Deno.test("explain prints the paragraph of a reason code", async () => {
  const { code, stdout } = await run("unknown_tool");
  assert.equal(code, 0);
  assert.ok(stdout.startsWith("unknown_tool: the reason for a decision\n\nThe text names a tool"));
});

Deno.test("explain knows a reason by its words on a request's line, quoted or not", async () => {
  const lines = Object.entries<ReasonEntry>(REASONS).flatMap(([code, reason]) =>
    reason.kind === "decision" || reason.word === undefined ? [] : [[code, reason.word] as const]
  );
  assert.ok(lines.length > 5);
  for (const [code, word] of lines) {
    for (const words of [[word], word.split(" ")]) {
      const { stdout } = await run(...words);
      assert.ok(stdout.startsWith(`${code}: `) && stdout.includes(`\`${word}\` on a request's line`), stdout);
    }
  }
});

Deno.test("explain knows every code that the source gives an error, a diagnostic or a request's line", async () => {
  const found = new Map<string, string>();
  for await (const path of sourceFiles(join(import.meta.dirname!, "..", "..", "src"))) {
    const text = await Deno.readTextFile(path);
    const places =
      /\b(?:code|error|why):? (?:=\s*)?"([a-z]+(?:_[a-z]+)+)"|(?:forbidden|ended)\(\s*"([a-z_]+)"|_CODE = "([a-z_]+)"/g;
    for (const [, one, two, three] of text.matchAll(places)) found.set(one ?? two ?? three ?? "", path);
  }
  assert.ok(found.size > 60, `${found.size}`);
  const unknown = [...found].filter(([code]) => !isExplained(code));
  assert.deepEqual(unknown, []);
  const { stdout } = await run("upstream_broke_off");
  assert.match(stdout, /^upstream_broke_off: an error on a request's line\n\nThe model server closed/);
});

async function* sourceFiles(folder: string): AsyncGenerator<string> {
  for await (const { name, isDirectory } of Deno.readDir(folder)) {
    const path = join(folder, name);
    if (isDirectory && name !== "built") yield* sourceFiles(path);
    else if (name.endsWith(".ts")) yield path;
  }
}

function isExplained(code: string): boolean {
  return [CODES, REASONS, ERROR_CODES, MISTAKES].some((table) => Object.hasOwn(table, code));
}

Deno.test("explain of an unknown code says which one was meant", async () => {
  const { code, stdout, stderr } = await run("patern_hole");
  assert.deepEqual([code, stdout], [1, ""]);
  assert.ok(stderr.includes("= help: did you mean `pattern_hole`?"));
});

Deno.test("explain knows no names of JavaScript's own objects", async () => {
  for (const name of ["constructor", "__proto__", "toString"]) assert.equal((await run(name)).code, 1, name);
});

Deno.test("explain without a code lists every code", async () => {
  const { code, stdout } = await run();
  assert.equal(code, 0);
  for (const name of [CODES, REASONS, ERROR_CODES, MISTAKES].flatMap((table) => Object.keys(table))) {
    assert.ok(stdout.includes(`  ${name} `), name);
  }
});

Deno.test("explain lists each reason with a summary of its own, and no half one", async () => {
  const { stdout } = await run();
  const summaries = [REASONS, ERROR_CODES].flatMap((table) => Object.keys(table)).map((name) => {
    const line = stdout.split("\n").find((line) => line.startsWith(`  ${name} `)) ?? "";
    return line.slice(name.length + 2).trim();
  });
  assert.deepEqual(summaries.filter((text, at) => summaries.indexOf(text) !== at), []);
  const isHalf = (text: string) =>
    text.split(" ").length < 3 || text.length > 100 || text.split("`").length % 2 === 0;
  assert.deepEqual(summaries.filter(isHalf), []);
});

Deno.test("explain states what to do about each decision", () => {
  const action =
    /[.;,:] (?:[Tt]o \w+[^.]*, )?(?:[Tt]here is nothing to do|[Nn]o action is needed|[Ii]f |[Cc]heck|[Rr]aise|[Aa]dd|[Rr]un|[Uu]se|[Ss]witch|[Ss]et|[Rr]ecord|[Cc]ompare|[Aa]sk|[Cc]hange|[Ff]or commands|[Tt]o )/;
  const without = Object.entries(REASONS).filter(([, { kind }]) => kind === "decision")
    .filter(([, { meaning }]) => !action.test(meaning)).map(([code]) => code);
  assert.deepEqual(without, []);
});
