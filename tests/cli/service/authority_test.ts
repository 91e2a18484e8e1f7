import assert from "node:assert/strict";
import { join } from "node:path";
import { authorityProblems } from "../../../src/cli/service/authority.ts";
import { loadSetupConfig } from "../../../src/cli/service/setup.ts";
import { createTestWorld } from "../../support/world.ts";
import { temporaryFolder } from "../../support/temporary_folder.ts";

Deno.test("authorityProblems finds a file that is missing or has no certificate", async () => {
  const workingDirectory = await temporaryFolder();
  const file = join(workingDirectory, "dragoman.yaml");
  await Deno.writeTextFile(file, 'store: { url: "rediss://host", ca_env: STORE_CA }\n');
  await Deno.writeTextFile(join(workingDirectory, "key.pem"), "-----BEGIN PRIVATE KEY-----\n");
  await Deno.writeTextFile(join(workingDirectory, "ca.pem"), "-----BEGIN CERTIFICATE-----\n");
  const problemsWith = async (path: string) => {
    const world = createTestWorld({ workingDirectory, environment: { STORE_CA: path } });
    return await authorityProblems(await loadSetupConfig({}, world), world);
  };
  assert.deepEqual(await problemsWith("ca.pem"), []);
  const found = [await problemsWith("none.pem"), await problemsWith("key.pem")].flat();
  assert.deepEqual(found.map(({ message, location, help }) => [message, location?.line, help]), [
    ["Cannot read file none.pem: it does not exist", 1, "set STORE_CA to its path"],
    ["Cannot use file key.pem: it contains no certificate", 1, "set STORE_CA to its path"],
  ]);
});
