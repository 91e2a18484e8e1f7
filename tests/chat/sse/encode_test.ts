import assert from "node:assert/strict";
import fc from "fast-check";
import { SseDecoder } from "../../../src/chat/sse/decode.ts";
import { encodeMessage } from "../../../src/chat/sse/encode.ts";
import { anyText } from "../../support/any_text.ts";

Deno.test("encodeMessage writes what SseDecoder reads", () => {
  const line = anyText(10).map((text) => text.toWellFormed().replace(/[\r\n]/g, ""));
  fc.assert(
    fc.property(fc.array(line, { minLength: 1 }), fc.option(fc.constantFrom("ping", "x")), (lines, event) => {
      const data = lines.join("\n");
      const bytes = new TextEncoder().encode(encodeMessage(data, event ?? undefined));
      const messages = new SseDecoder().push(bytes);
      assert.deepEqual(messages.map((message) => [message.data, message.event]), [[
        data,
        event ?? undefined,
      ]]);
    }),
  );
});
