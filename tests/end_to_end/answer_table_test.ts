/**
 * The answers of a real server with real templates: nothing is lost or changed with `tools: raw` and `auto`. With DRAGOMAN_THOROUGH=1, these templates answer everything in every way. All templates take
 * half an hour; `tests/support/answer_table_page.ts` tries them and writes the table of `src/docs/guide/servers.md`.
 *
 * @module
 */
import assert from "node:assert/strict";
import { basename } from "node:path";
import { cellsOf, promptsOf, type TablePart, templateFiles } from "../support/answer_table.ts";
import { IS_THOROUGH } from "../support/fuzz.ts";
import { MISSING } from "../support/llama_server.ts";

if (MISSING !== undefined) console.log(MISSING);

/** A bare JSON dialect, a template that opens the reasoning, and one whose calls are between control tokens. */
const FEW = ["meta-llama-Llama-3.1-8B-Instruct.jinja", "Qwen3.5-4B.jinja", "Kimi-K2-Instruct.jinja"];

const PART: TablePart = IS_THOROUGH ? {} : {
  ways: ["auto", "raw", "completed"],
  answers: ["two calls", "text around a call", "a fence, then text", "an unknown tool"],
};

const files = MISSING !== undefined ? [] : templateFiles().filter((file) => FEW.includes(basename(file)));

for (const file of files) {
  Deno.test(`${basename(file)}: every answer arrives with raw, and the prompt is that of native`, async () => {
    const lost = [];
    let count = 0;
    for await (const { isPrinted, fate, ...cell } of cellsOf(file, PART)) {
      if (!isPrinted) continue;
      count++;
      if (cell.way !== "native" && (fate === "changed" || fate === "error")) lost.push({ fate, ...cell });
    }
    assert.deepEqual(lost, []);
    if (!IS_THOROUGH) assert.equal(count, 24);
    const [native, raw] = await promptsOf(file);
    assert.equal(raw, native);
    if (!IS_THOROUGH) assert.match(raw ?? "", /read_file/);
  });
}
