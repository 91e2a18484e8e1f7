import assert from "node:assert/strict";
import { readRoute, writeRoute } from "../../../src/admin/page/route.ts";

Deno.test("readRoute reads the view and its parameters from the fragment", () => {
  for (
    const [fragment, view, query] of [["", "", ""], ["#/", "", ""], ["#rules", "rules", ""], [
      "#/live?state=error&text=a%20b",
      "live",
      "state=error&text=a+b",
    ]] as const
  ) {
    const route = readRoute(fragment);
    assert.deepEqual([route.view, route.parameters.toString()], [view, query]);
  }
});

Deno.test("writeRoute writes what readRoute reads, without empty parameters", () => {
  const fragment = writeRoute("live", { text: "a&b=c?d#e", state: "", model: undefined });
  assert.equal(fragment, "#/live?text=a%26b%3Dc%3Fd%23e");
  assert.equal(readRoute(fragment).parameters.get("text"), "a&b=c?d#e");
  assert.equal(writeRoute("rules"), "#/rules");
});
