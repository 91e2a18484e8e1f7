/** In which form the program runs. The bundle of the npm package is JavaScript; a clone and the binary run TypeScript. @module */

/** From the sources of a clone, as an npm package, or as one binary. */
export type Distribution = "source" | "package" | "binary";

export const DISTRIBUTION: Distribution = Deno.build.standalone
  ? "binary"
  : import.meta.url.endsWith(".js")
  ? "package"
  : "source";
