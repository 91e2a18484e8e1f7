import * as aiSdk from "../../src/library/connection/ai_sdk.ts";
import * as compile from "../../src/library/compile.ts";
import * as connection from "../../src/library/connection/fetch.ts";
import * as engine from "../../src/library/mod.ts";
import * as prompted from "../../src/library/prompted.ts";
import * as shipped from "../../src/library/shipped.ts";
import { checksOf } from "./checks.ts";

for (
  const [name, run] of checksOf({ ...engine, ...shipped, ...connection, ...aiSdk, ...prompted, ...compile })
) {
  Deno.test(`library: ${name}`, run);
}
