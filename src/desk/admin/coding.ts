/**
 * Chooses how a file is compressed, by the header `Accept-Encoding` (RFC 9110, section 12.5.3).
 *
 * @module
 */

/** A content coding, in the order in which they are preferred. */
export type Coding = "br" | "gzip";

const CODINGS: readonly Coding[] = ["br", "gzip"];

/** The name that older clients give to gzip. */
const SAME: Readonly<Record<string, string>> = { "x-gzip": "gzip" };

/**
 * The coding that a client prefers; undefined if it takes none, or prefers the raw content. A client that refuses everything
 * gets the raw content too.
 */
export function codingFor(acceptEncoding: string | null): Coding | undefined {
  const weights = weightsIn(acceptEncoding ?? "");
  const others = weights.get("*");
  const raw = weights.get("identity") ?? 0;
  let best: Coding | undefined;
  let highest = 0;
  for (const coding of CODINGS) {
    const weight = weights.get(coding) ?? others ?? 0;
    if (weight > highest) [best, highest] = [coding, weight];
  }
  // Who refuses only the raw content, and names nothing else, most likely reads gzip.
  const refusesGzip = (weights.get("gzip") ?? others) === 0;
  if (best === undefined && weights.get("identity") === 0 && !refusesGzip) return "gzip";
  return highest >= raw ? best : undefined;
}

/** The weight of each named coding, from 0 to 1; one that can't be read is 0. */
function weightsIn(header: string): Map<string, number> {
  const weights = new Map<string, number>();
  for (const part of header.toLowerCase().split(",")) {
    const [name = "", ...parameters] = part.split(";").map((text) => text.trim());
    if (name === "") continue;
    const written = parameters.find((text) => /^q\s*=/.test(text))?.replace(/^q\s*=\s*/, "") ?? "1";
    const weight = /^(?:0(?:\.\d*)?|1(?:\.0*)?)$/.test(written) ? Number(written) : 0;
    weights.set(SAME[name] ?? name, weight);
  }
  return weights;
}
