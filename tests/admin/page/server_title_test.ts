import assert from "node:assert/strict";
import { serverTitle } from "../../../src/admin/page/server_title.ts";

Deno.test("serverTitle names the servers and what was learned about their models", () => {
  assert.equal(serverTitle({}), "");
  assert.equal(
    serverTitle({
      servers: [{ upstream: "a", server: "s", version: "1" }, { upstream: "b", server: "t", begins: "raw" }],
      learnedTools: [
        { upstream: "a", model: "m", reason: "unparsed", dialect: "" },
        { upstream: "b", model: "", reason: "refused", dialect: "hermes" },
      ],
      learnedChanges: [{
        upstream: "b",
        model: "m",
        changes: [{ source: "x", messages: ["no_developer"] }, {
          source: "y",
          messages: ["text_parts"],
          fields: {},
        }],
      }],
    }),
    "a: s 1\nb: t, raw mode from the first request\na, m: read raw, because of the server's parser\n" +
      "b, any model: tools in the prompt (hermes), because of a refused request\n" +
      "b, m: messages, fields changed, because of a refused request",
  );
});
