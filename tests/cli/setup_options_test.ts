import assert from "node:assert/strict";
import { SERVE_OPTIONS, SETUP_OPTIONS, setupFlags } from "../../src/cli/setup_options.ts";

Deno.test("setupFlags hands every flag on", () => {
  const values = {
    config: "c.yaml",
    host: "127.0.0.2",
    port: "2",
    upstream: "http://localhost:1",
    enable: ["a"],
    disable: ["b"],
    "min-confidence": "0.5",
    "upstream-name": "b",
    "tool-mode": "auto",
    rules: ["more"],
    "dry-run": true,
    audit: "audit.jsonl",
  };
  const {
    "min-confidence": minimumConfidence,
    "upstream-name": upstreamName,
    "tool-mode": toolMode,
    "dry-run": dryRun,
    ...same
  } = values;
  const flags = { ...same, minimumConfidence, upstreamName, toolMode, dryRun };
  assert.deepEqual(setupFlags({ values, positionals: [] }), flags);
  for (const name of Object.keys(values)) assert.ok(name in SETUP_OPTIONS || name in SERVE_OPTIONS, name);
});
