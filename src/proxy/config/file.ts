/** Reads the text of `dragoman.yaml` by its schema. @module */
import { readDocument } from "../../engine/document/document.ts";
import type { ConfigDocument } from "./resolve.ts";
import { configSchema } from "./schema.ts";

const KEY =
  "write `key_env: NAME`, the environment variable that contains the key, because a key in a file gets copied and committed";

const URL = "write `url`, the base URL that ends in /v1";

/** Names of a field in other programs → its name here. */
const FOREIGN = {
  api_key: KEY,
  apiKey: KEY,
  key: KEY,
  token: KEY,
  base_url: URL,
  baseURL: URL,
  baseUrl: URL,
  api_base: URL,
  endpoint: URL,
  host: "write `listen: { hostname: … }`",
  model: "write `models: [NAME]` in the upstream; without it, the upstream serves every model",
  upstream: "write `upstreams:`, a list of `{ name: local, url: http://127.0.0.1:8080/v1 }`",
  provider: "write `server`; without it, Dragoman asks the server what it is",
  dryRun: "write `policy: { dry_run: true }`",
  backends: "write `upstreams:`, a list of `{ name: local, url: http://127.0.0.1:8080/v1 }`",
  model_mapping: "write `model_names: { NAME: UPSTREAM_NAME }` in the upstream",
  patterns: "write each pattern as a separate rule, `rules/NAME.yaml`: `pattern: '…'`",
  enabled: "write `rules: { enable: [NAME], disable: [NAME] }`",
};

/** Reads a configuration file; the document has its values and every error. */
export function readConfigFile(file: { readonly file: string; readonly text: string }): ConfigDocument {
  return readDocument({ ...file, schema: configSchema.nullable(), foreign: FOREIGN });
}
