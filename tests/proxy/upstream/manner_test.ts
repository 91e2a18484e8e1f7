import assert from "node:assert/strict";
import { upstreamSchema } from "../../../src/proxy/config/schema.ts";
import { mannerOf } from "../../../src/proxy/upstream/manner.ts";
import { PROFILES } from "../../../src/proxy/upstream/profiles/profiles.ts";

const known = (server: string, more = {}) => ({ server, version: "1", profile: PROFILES[server]!, ...more });
const upstream = (settings = {}) => upstreamSchema.parse({ name: "local", url: "http://h/v1", ...settings });

Deno.test("mannerOf gives how requests begin, and why it was chosen", () => {
  const begins = (server: string, more = {}) => mannerOf(upstream(), known(server, more))?.begins;
  assert.equal(begins("vllm", { opensRoute: true }), "raw");
  assert.equal(begins("llama.cpp", { rawRules: [["hermes"]] }), "raw");
  assert.equal(begins("llama.cpp"), "native");
  assert.equal(begins("llama-cpp-python"), "prompted");
  assert.equal(mannerOf(upstream(), undefined), undefined);
  assert.equal(mannerOf(upstream({ tools: "native" }), known("vllm", { closesRoutes: true })), undefined);
  assert.match(
    mannerOf(upstream(), known("vllm", { closesRoutes: true }))?.warning ?? "",
    /--enable-scale-out/,
  );
});

Deno.test("servers.md has what is measured of each server", async () => {
  const page = await Deno.readTextFile(new URL("../../../src/docs/guide/servers.md", import.meta.url));
  for (const [server, { measured = {} }] of Object.entries(PROFILES)) {
    for (const [begins, why] of Object.entries(measured)) {
      assert(
        page.includes(`| ${server} | ${begins} | ${why} |`),
        `servers.md: | ${server} | ${begins} | ${why} |`,
      );
    }
  }
});
