import assert from "node:assert/strict";
import { readRoute, writeRoute } from "../../../src/admin/page/route.ts";

Deno.test("writeRoute writes what readRoute reads, without empty parameters", () => {
  const fragment = writeRoute("live", { text: "a&b=c?d#e", state: "", model: undefined });
  assert.equal(fragment, "#/live?text=a%26b%3Dc%3Fd%23e");
  assert.equal(readRoute(fragment).parameters.get("text"), "a&b=c?d#e");
  assert.equal(writeRoute("rules"), "#/rules");
});
