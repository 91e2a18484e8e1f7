/**
 * Bundles what Dragoman uses of the package `prom-client` into a file that is checked in, next to its types and its license.
 * The whole package can't be in a binary: its dependency `bintrees`, which Dragoman never runs, has a file without an extension
 * with 100,000 lines of numbers. Deno 2.9.6 parses it as JavaScript, where a line that begins with a minus continues the one
 * before it, and overflows its stack on the subtraction.
 *
 *     deno task prometheus      # after a change of the package's version in tests/deno.json
 *
 * @module
 */
import { join } from "node:path";
import { run } from "./package.ts";

const ROOT = join(import.meta.dirname ?? ".", "..", "..", "..");

export const BUNDLE = join(ROOT, "src", "admin", "metrics", "prometheus", "client.js");

/** The package's main module loads all of it, so each class is taken from its own. */
const ENTRY = ["Counter", "Gauge", "Histogram", "Registry"].map((name) =>
  `export { default as ${name} } from "prom-client/lib/${name.toLowerCase()}.js";\n`
).join("");

const HEAD =
  `// Parts of prom-client, by its authors, under the Apache License 2.0 in LICENSE; bundled and minified by
// \`deno task prometheus\`.
// @ts-self-types="./client.d.ts"
`;

if (import.meta.main) await bundlePrometheus(BUNDLE);

export async function bundlePrometheus(file: string): Promise<void> {
  const work = await Deno.makeTempDir({ prefix: "dragoman-prometheus-" });
  try {
    for (const name of ["deno.json", "deno.lock"]) {
      await Deno.copyFile(join(ROOT, "tests", name), join(work, name));
    }
    await Deno.writeTextFile(join(work, "entry.js"), ENTRY);
    const flags = ["--quiet", "--platform", "deno", "--minify", "--output", "bundle.js"];
    await run(Deno.execPath(), ["bundle", ...flags, "entry.js"], work);
    await Deno.writeTextFile(file, HEAD + await Deno.readTextFile(join(work, "bundle.js")));
  } finally {
    await Deno.remove(work, { recursive: true });
  }
}
