/**
 * `rules compile FILE`: a rule file, or the rules of a folder, as plain data for the library `dragoman-engine`.
 *
 * @module
 */
import { resolve } from "node:path";
import project from "../../deno.json" with { type: "json" };
import { readTextFile, readYamlFolder } from "../engine/document/load.ts";
import { packRules } from "../engine/rule/pack.ts";
import { noSettings, readRules } from "../engine/rule/read.ts";
import { complain } from "./complain.ts";
import type { World } from "./service/world.ts";

/** Prints the compiled rules; prints none if one of them has an error. */
export async function compileToData(path: string, world: World): Promise<number> {
  const full = resolve(world.workingDirectory, path);
  const isFolder = await Deno.stat(full).then((info) => info.isDirectory, () => false);
  const read = isFolder
    ? await readYamlFolder({ path: full, isRequired: true }, world)
    : await readTextFile(full, world);
  const { rules, diagnostics } = readRules([read.files], noSettings);
  const found = [...read.diagnostics, ...diagnostics];
  complain(found, world);
  if (found.some(({ severity }) => severity === "error")) return 1;
  const on = rules.filter(({ enabled }) => enabled);
  world.stdout(`${JSON.stringify(packRules(on, { by: `dragoman ${project.version}`, withSpeech: true }))}\n`);
  return 0;
}
