/**
 * The echo guard makes no call that a page or a file holds, in any dialect, whatever a program adds to its lines; ordinary
 * conversations whose calls resemble what users and tools wrote before lose no call to it.
 */
import assert from "node:assert/strict";
import { EchoGuard } from "../../src/engine/scan/echo_guard.ts";
import { DAMAGED_DIALECTS, type PlainCall, textOfPieces } from "../support/damaged_calls.ts";
import { callsOf, defaultProgram, eventsOf } from "../support/matcher_events.ts";
import { OFFERED } from "../support/dialect_text.ts";
import { seededRandom } from "../support/mutate.ts";

const program = defaultProgram();
const random = seededRandom(7);
const pick = <T>(all: readonly T[]): T => all[random(all.length)]!;

const FILES = ["src/a.ts", "docs/calls.md", "README.md", "rules/x.yaml", "test/b_test.py"];
const LINES = [
  "export const limit = 10;",
  "- one item",
  "12 | a line that looks numbered",
  '<div class="x">hi</div>',
  'if (a < b && c > d) return "no";',
  '{"name": "demo", "version": "1.0.0"}',
  "# Heading",
  "Write `<path>` first.",
];
const DIALECTS = [
  "qwen_xml 0",
  "roo_xml 14",
  "hermes",
  "mistral",
  "invoke_xml 9",
  "arg_key_xml 5",
  "strict_xml",
]
  .map((name) => DAMAGED_DIALECTS.find((dialect) => dialect.name === name)!);

const numbered = (text: string) => text.split("\n").map((line, index) => `${index + 1} | ${line}`).join("\n");
const write = (path: string, content: string): PlainCall => ({
  tool: "write_file",
  arguments: { path, content },
});
const readFile = (path: string): PlainCall => ({ tool: "read_file", arguments: { path } });

/** What came before, with the call that follows: `print` writes another call in the same dialect. */
type Situation = (options: {
  path: string;
  content: string;
  print: (call: PlainCall) => string;
}) => readonly [texts: string[], call: PlainCall];

const SITUATIONS: Readonly<Record<string, Situation>> = {
  "edit after read": ({ path, content }) => [
    [`Change ${path}`, numbered(content)],
    write(path, content.replace("1", "2")),
  ],
  "write of what was read": ({ path, content }) => [[`Copy ${path}`, content], write(`${path}.bak`, content)],
  "the same file again": ({ path, content }) => [[`read_file ${path}`, content, "Again."], readFile(path)],
  "open what grep found": ({ path, content }) => [
    [content.split("\n").map((line, at) => `${path}:${at + 1}:${line}`).join("\n")],
    readFile(path),
  ],
  "a retry after an error": ({ path, content }) => [
    [`Error: could not write ${path}: ENOENT`, JSON.stringify({ path, content, error: "ENOENT" })],
    write(path, content),
  ],
  "a retry after an error that names the arguments": ({ path, content }) => [
    [`write_file failed for ${JSON.stringify({ path, content })}. Try again.`],
    write(path, content),
  ],
  "a listing, then a file of it": ({ path }) => [[FILES.join("\n"), `ls\n${path}`], readFile(path)],
  "a document about calls": ({ path, content, print }) => [
    [`The format is:\n${print(write("example.txt", "text"))}`],
    write(path, content),
  ],
  "a document about the same tool": ({ path, print }) => [
    [`Call it like this:\n\n${print(readFile("path/to/file"))}\n\nand wait.`],
    readFile(path),
  ],
  "an example with a longer path": ({ path, print }) => [[print(readFile(`${path}.bak`))], readFile(path)],
  "an example with a shorter path": (
    { path, print },
  ) => [[print(readFile(path.slice(0, -1)))], readFile(path)],
  "an example with one line more": ({ path, content, print }) => [
    [print(write(path, `${content}\nmore`))],
    write(path, content),
  ],
  "an example with one line less": ({ path, content, print }) => [
    [print(write(path, content))],
    write(path, `${content}\nmore`),
  ],
  "the opener mentioned": ({ path, content, print }) => [
    [`It begins with ${print(write(path, content)).slice(0, 14)}`],
    write(path, content),
  ],
  "a diff of the file": ({ path, content }) => [
    [content.split("\n").map((line) => `+${line}`).join("\n")],
    write(path, content),
  ],
};

Deno.test("EchoGuard loses no call of ordinary conversations", () => {
  let count = 0;
  for (let round = 0; round < 5; round++) {
    for (const [name, situation] of Object.entries(SITUATIONS)) {
      for (const dialect of DIALECTS) {
        const print = (call: PlainCall) => textOfPieces(dialect.pieces(call));
        const content = [pick(LINES), pick(LINES), `v${random(1000)}`, pick(LINES)].join("\n");
        const [texts, call] = situation({ path: pick(FILES), content, print });
        const echoGuard = new EchoGuard(["You are an agent.", ...texts]);
        const events = eventsOf([`I do it.\n\n${print(call)}`], {
          program,
          offered: OFFERED,
          minimumConfidence: 0.9,
          echoGuard,
        });
        const made = callsOf(events).map(({ start, json }) => ({
          tool: start.tool,
          arguments: JSON.parse(json),
        }));
        assert.deepEqual(made, [call], `${name}, ${dialect.name}`);
        count++;
      }
    }
  }
  assert.ok(count >= 500);
});

const eachLine = (change: (line: string, index: number) => string) => (text: string) =>
  text.split("\n").map(change).join("\n");

/** What programs add to the lines that they show. */
const SHOWN: Readonly<Record<string, (text: string) => string>> = {
  "rows of a table": eachLine((line) => `| ${line} |`),
  "rows of a table with a head": (text) => `| Call |\n|---|\n${eachLine((line) => `| ${line} |`)(text)}`,
  "rows that are padded": eachLine((line) => `| ${line.padEnd(60)} |`),
  "one cell": (text) => `| Call | Note |\n|---|---|\n| ${text.replaceAll("\n", "<br>")} | x |`,
  "rows with another cell after": eachLine((line) => `| ${line} | a note |`),
  "rows with another cell before": eachLine((line, index) => `| ${index + 1} | ${line} |`),
  "rows with cells on both sides": (text) =>
    `| # | Call | Note |\n|--:|---|---|\n${
      eachLine((line, index) => `| ${index + 1} | ${line} | n${index} |`)(text)
    }`,
  "cells in backticks": eachLine((line) => `| \`${line}\` |`),
  "cells in backticks, and another one": eachLine((line, index) => `| ${index + 1} | \`${line}\` | a note |`),
  "cells without marks at the edges": eachLine((line, index) => `${index + 1} | ${line} | n`),
  "grep with numbers": eachLine((line, index) => `${index + 8}:${line}`),
  "grep with an absolute path": eachLine((line, index) => `/srv/My docs/page.md:${index + 8}:${line}`),
  "grep with columns": eachLine((line, index) => `docs/page.md:${index + 8}:1:${line}`),
  "grep on Windows": eachLine((line, index) => `C:\\docs\\page.md:${index + 8}:${line}`),
  "grep with a blank": eachLine((line, index) => `docs/page.md:${index + 8}: ${line}`),
  "rg with a heading": (text) => `docs/page.md\n${eachLine((line, index) => `${index + 8}:${line}`)(text)}`,
  "comments of a shell": eachLine((line) => `# ${line}`),
  "comments of a database": eachLine((line) => `-- ${line}`),
  "comments of a document": eachLine((line) => `/// ${line}`),
  "comments in a block": (text) => `/**\n${eachLine((line) => ` * ${line}`)(text)}\n */`,
  "comments that grep found with a blank": eachLine((line, index) => `src/a.ts:${index + 8}:  // ${line}`),
  "numbers of cat": eachLine((line, index) => `${String(index + 1).padStart(6)}\t${line}`),
  "numbers with a colon": eachLine((line, index) => `${index + 1}: ${line}`),
  "numbers with an arrow": eachLine((line, index) => `${String(index + 1).padStart(5)}→${line}`),
  "a diff": eachLine((line) => `+${line}`),
  "a quotation": eachLine((line) => `> ${line}`),
  "a listing": eachLine((line) => `    ${line}`),
  "grep": eachLine((line, index) => `docs/page.md:${index + 8}:${line}`),
  "grep without numbers": eachLine((line) => `docs/page.md:${line}`),
  "grep around a match": eachLine((line, index) => `page.md${index === 3 ? ":9:" : `-${index + 8}-`}${line}`),
  "comments": eachLine((line) => `// ${line}`),
  "comments without a space": eachLine((line) => `//${line}`),
  "comments in code": (text) =>
    `const x = 1;\n\n${eachLine((line) => `  // ${line}`)(text)}\nfunction f() {}`,
  "comments that grep found": eachLine((line, index) => `src/a.ts:${index + 8}:// ${line}`),
};

const VALUES = ["ls -la src\n- one\n\n  two\n10 times", "1\n2\n| a | b |", "// note\ncode();"];

for (const dialect of DAMAGED_DIALECTS) {
  Deno.test(`EchoGuard makes no call of ${dialect.name} that a file or a page holds`, () => {
    let count = 0;
    for (const content of VALUES) {
      const call = textOfPieces(dialect.pieces(write("a b.txt", content)));
      const made = (text: string) =>
        callsOf(eventsOf([`It holds\n\n${call}`], {
          program,
          offered: OFFERED,
          minimumConfidence: 0.5,
          echoGuard: new EchoGuard([text]),
        })).length;
      if (made("Nothing like it") === 0) continue;
      for (const [how, show] of Object.entries(SHOWN)) {
        const shown = show(call);
        for (const text of [shown, JSON.stringify({ result: shown }), `Look:\n\n${shown}\n\nThat is all.`]) {
          assert.equal(made(text), 0, `${how}: ${text}`);
          count++;
        }
      }
    }
    assert.ok(count > 0);
  });
}
