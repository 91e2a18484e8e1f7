import assert from "node:assert/strict";
import fc from "fast-check";
import { WholeEvents } from "../../../src/chat/sse/whole_events.ts";

const latin1 = (text: string) => Uint8Array.from(text, (character) => character.charCodeAt(0));
const text = (bytes: Uint8Array | undefined) => bytes && new TextDecoder("latin1").decode(bytes);

const STREAMS = fc.array(
  fc.constantFrom("data", ":", ": c", " a", "\n", "\r", "\r\n", "\n\n", "\r\n\r\n", "\xff", "event: x"),
  { maxLength: 20 },
).map((parts) => parts.join(""));

Deno.test("WholeEvents gives the same bytes in any cut, and stops in front of the same event", () => {
  fc.assert(fc.property(STREAMS, fc.array(fc.nat(9), { maxLength: 20 }), (stream, sizes) => {
    const given = (cuts: readonly number[], end: (events: WholeEvents) => Uint8Array | undefined) => {
      const events = new WholeEvents();
      let out = "";
      let rest = stream;
      for (const size of [...cuts, Infinity]) {
        out += text(events.push(latin1(rest.slice(0, size))));
        rest = rest.slice(size);
      }
      return out + text(end(events));
    };
    assert.equal(given(sizes, (events) => events.end()), stream);
    const broken = given(sizes, (events) => events.breakOff());
    assert.equal(broken, given([], (events) => events.breakOff()));
    assert.ok(stream.startsWith(broken));
    assert.match(broken, /(?:^|[\r\n])$/);
  }));
});

Deno.test("WholeEvents passes an event over its limit in pieces, and ends it when the stream breaks", () => {
  const events = new WholeEvents({ messageLengthMax: 10 });
  assert.equal(text(events.push(latin1("data: 123"))), "");
  assert.equal(text(events.push(latin1("456"))), "data: 123456");
  assert.equal(text(events.push(latin1("789"))), "789");
  assert.equal(text(events.breakOff()), "\n\n");
});
