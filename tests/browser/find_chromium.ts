/**
 * Where the browser of the tests is, for a program that doesn't load the browser's driver.
 *
 * @module
 */

/** Where Chromium may be, the one that the environment names first. */
const PLACES = [
  Deno.env.get("DRAGOMAN_CHROMIUM") ?? "",
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
];

/** The path of Chromium; undefined where there is none. */
export async function findChromium(): Promise<string | undefined> {
  for (const place of PLACES.filter((place) => place !== "")) {
    if (await Deno.stat(place).then(({ isFile }) => isFile, () => false)) return place;
  }
  return undefined;
}
