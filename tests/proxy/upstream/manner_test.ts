import assert from "node:assert/strict";
import { PROFILES } from "../../../src/proxy/upstream/profiles/profiles.ts";

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
