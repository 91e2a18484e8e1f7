/**
 * Whether npm reaches its registry, for tests that install the package.
 *
 * @module
 */

/** Whether npm can install the Deno that the package depends on. */
export async function canInstall(): Promise<boolean> {
  const args = ["view", `deno@${Deno.version.deno}`, "version"];
  const npm = new Deno.Command("npm", { args, stdout: "null", stderr: "null" });
  return await npm.output().then(({ success }) => success, () => false);
}
