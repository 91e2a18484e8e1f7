/** Reads the examples of every rule, whole, one character at a time and in pieces of seven, and compares the events. */
import { deepStrictEqual } from "node:assert";
import { readFileSync } from "node:fs";
import { createReader } from "dragoman-engine";
import { shippedRules } from "dragoman-engine/rules";

const joined = (events) => {
  const all = [];
  for (const { ...event } of events) {
    const last = all.at(-1);
    const piece = event.kind === "arguments" ? "json" : "text";
    const isPiece = ["text", "reasoning", "arguments"].includes(event.kind);
    if (isPiece && last?.kind === event.kind && last.call === event.call) last[piece] += event[piece];
    else all.push(event);
  }
  return all;
};

const all = JSON.parse(readFileSync("expected.json", "utf8"));
for (const { input, tools, events } of all) {
  for (const pieces of [[input], [...input], input.match(/[\s\S]{1,7}/g) ?? []]) {
    const reader = createReader({ rules: shippedRules, tools });
    const found = joined([...pieces.flatMap((piece) => reader.push(piece)), ...reader.end()]);
    deepStrictEqual(JSON.parse(JSON.stringify(found)), events, input);
  }
}
console.log(`${all.length} examples`);
