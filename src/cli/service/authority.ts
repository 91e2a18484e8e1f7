/** The certificate authority of the store that replicas share. @module */
import { resolve } from "node:path";
import type { LoadedConfig } from "../../proxy/config/load.ts";
import type { Diagnostic } from "../../engine/diagnostic/diagnostic.ts";
import { readTextFile } from "../../engine/document/load.ts";
import { present } from "../../engine/object/present.ts";
import type { World } from "./world.ts";

/** What is wrong with the file that the variable of `store.ca_env` names. */
export async function authorityProblems(
  config: LoadedConfig,
  { workingDirectory }: Pick<World, "workingDirectory">,
): Promise<Diagnostic[]> {
  const { storeServer, config: { store } } = config;
  if (storeServer?.caFile === undefined) return [];
  const read = await readTextFile(resolve(workingDirectory, storeServer.caFile), {
    workingDirectory,
    isRegular: true,
  });
  const location = config.locate(["store", "ca_env"]);
  const [file] = read.files;
  const isCertificate = file?.text.includes("-----BEGIN CERTIFICATE-----");
  const problem = file && `Cannot use file ${file.file}: it contains no certificate`;
  const messages = isCertificate ? [] : [problem, ...read.diagnostics.map(({ message }) => message)];
  return messages.filter((message) => message !== undefined).map((message) => ({
    code: "file_unreadable",
    severity: "error",
    message,
    ...present({ location }),
    expected: "a PEM file with the certificate of the authority that signed the store's certificate",
    help: `set ${store.ca_env} to its path`,
  }));
}
