/** `evaluate collect FOLDER`: the table of model and server, from the files of many evaluations. @module */
import { resolve } from "node:path";
import { collectionPage } from "../desk/report/collection_page.ts";
import { count } from "../engine/diagnostic/figures.ts";
import { poolReports } from "../lab/evaluate/collection.ts";
import { complain, complainOfReading, complainOfUsage, writeNamed } from "./complain.ts";
import { readCollection } from "./evaluate_files.ts";
import { NOT_MEASURED } from "./evaluate_result.ts";
import type { World } from "./service/world.ts";
import { textValue, type VerbInput } from "./verb.ts";

/** Writes the table, and returns the exit code: 1 if a file of the folder isn't an evaluation. */
export async function collectEvaluations(input: VerbInput, world: World): Promise<number> {
  const [_, folder, ...more] = input.positionals;
  const html = textValue(input, "html");
  if (folder === undefined || more.length > 0 || html === undefined) {
    const help = "write `dragoman evaluate collect evaluations --html table.html`";
    return complainOfUsage({ message: "`evaluate collect` needs a folder and --html FILE", help }, world);
  }
  const read = await readCollection(resolve(world.workingDirectory, folder))
    .catch((cause) => complainOfReading(folder, cause, world));
  if (read === undefined) return NOT_MEASURED;
  complain(read.diagnostics, world);
  const pools = poolReports(read.reports);
  if (!await writeNamed(html, collectionPage(pools), world)) return NOT_MEASURED;
  world.stdout(`Wrote ${html}: ${count(read.reports.length)} reports, ${count(pools.length)} rows\n`);
  return read.diagnostics.length > 0 ? 1 : 0;
}
