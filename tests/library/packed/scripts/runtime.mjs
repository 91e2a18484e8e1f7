import * as aiSdk from "dragoman-engine/ai-sdk";
import * as compile from "dragoman-engine/compile";
import * as connection from "dragoman-engine/fetch";
import * as engine from "dragoman-engine";
import * as prompted from "dragoman-engine/prompted";
import * as shipped from "dragoman-engine/rules";
import { checksOf } from "./checks.js";
import { runChecks } from "./harness.mjs";

await runChecks(
  Object.fromEntries(checksOf({ ...engine, ...shipped, ...connection, ...aiSdk, ...prompted, ...compile })),
);
