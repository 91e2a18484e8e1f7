/**
 * The answers of a real server with real templates: nothing is lost or changed with `tools: raw` and `auto`. All templates take
 * half an hour; `tests/support/answer_table_page.ts` tries them and writes the table of `src/docs/guide/servers.md`.
 *
 * @module
 */
import assert from "node:assert/strict";
import { basename } from "node:path";
import { cellsOf, promptsOf, templateFiles } from "../support/answer_table.ts";
import { IS_SKIPPED, MISSING } from "../support/llama_server.ts";

if (MISSING !== undefined) console.log(MISSING);

/** A bare JSON dialect, a template that opens the reasoning, and one whose calls are between control tokens. */
const FEW = ["meta-llama-Llama-3.1-8B-Instruct.jinja", "Qwen3.5-4B.jinja", "Kimi-K2-Instruct.jinja"];

const files = IS_SKIPPED ? [] : templateFiles().filter((file) => FEW.includes(basename(file)));

for (const file of files) {
  Deno.test(`${basename(file)}: every answer arrives with raw, and the prompt is that of native`, async () => {
    const lost = [];
    for await (const { isPrinted, fate, ...cell } of cellsOf(file)) {
      if (!isPrinted) continue;
      if (cell.way !== "native" && (fate === "changed" || fate === "error")) lost.push({ fate, ...cell });
    }
    assert.deepEqual(lost, []);
    const [native, raw] = await promptsOf(file);
    assert.equal(raw, native);
    assert.match(raw ?? "", /read_file/);
  });
}
