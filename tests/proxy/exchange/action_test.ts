import assert from "node:assert/strict";
import {
  actionForBody,
  actionForHead,
  type AnswerBody,
  type AnswerHead,
} from "../../../src/proxy/exchange/action.ts";

const STREAM: AnswerHead = {
  isAnswer: true,
  isWebPage: false,
  promised: "stream",
  canDecode: true,
  isLive: true,
  hasTranslator: true,
  wire: undefined,
};

const HEADS: readonly [name: string, head: Partial<AnswerHead>, action: string, why?: string][] = [
  ["a stream", {}, "stream"],
  ["a stream that is only converted", { hasTranslator: false }, "stream"],
  ["an error", { isAnswer: false, isWebPage: true }, "pass"],
  ["a web page", { isWebPage: true }, "refuse"],
  [
    "a web page in a dry run",
    { isWebPage: true, isLive: false, promised: undefined },
    "pass",
    "unreadable_type",
  ],
  ["another type", { promised: undefined }, "pass", "unreadable_type"],
  ["another coding", { canDecode: false }, "pass", "unreadable_encoding"],
  ["another coding in a dry run", { canDecode: false, isLive: false }, "pass", "unreadable_encoding"],
  ["a dry run", { isLive: false }, "watch"],
  ["a dry run of another wire", { isLive: false, wire: "stream", promised: "json" }, "watch"],
  ["a dry run without rules", { isLive: false, hasTranslator: false }, "stream"],
  ["JSON", { promised: "json" }, "look"],
  ["JSON for a stream of another wire", { promised: "json", wire: "stream" }, "stream"],
  ["JSON for a whole answer of another wire", { promised: "json", wire: "whole" }, "look"],
  ["no certain type", { promised: "unsure" }, "look"],
  ["no certain type for a stream of another wire", { promised: "unsure", wire: "stream" }, "look"],
];

for (const [name, head, kind, why] of HEADS) {
  Deno.test(`actionForHead: ${name}`, () => {
    const action = actionForHead({ ...STREAM, ...head });
    assert.deepEqual([action.kind, "why" in action ? action.why : undefined], [kind, why]);
  });
}

const BODIES: readonly [body: AnswerBody, action: string][] = [
  [{ kind: "stream", wire: undefined, wasDecoded: true }, "stream"],
  [{ kind: "json", wire: undefined, wasDecoded: false }, "whole"],
  [{ kind: "json", wire: "stream", wasDecoded: false }, "stream"],
  [{ kind: "json", wire: "whole", wasDecoded: false }, "whole"],
  [{ kind: "stream", wire: "stream", wasDecoded: false }, "stream"],
  [{ kind: "stream", wire: "whole", wasDecoded: false }, "pass"],
  [{ kind: "stream", wire: "whole", wasDecoded: true }, "refuse"],
  [{ kind: undefined, wire: undefined, wasDecoded: false }, "pass"],
  [{ kind: undefined, wire: "stream", wasDecoded: false }, "pass"],
  [{ kind: undefined, wire: undefined, wasDecoded: true }, "refuse"],
];

for (const [body, kind] of BODIES) {
  Deno.test(`actionForBody: ${JSON.stringify(body)}`, () => {
    assert.equal(actionForBody(body).kind, kind);
  });
}
