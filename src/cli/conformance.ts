import type { Verb } from "./verb.ts";
export const conformance: Verb = {
  name: "conformance",
  summary: "",
  usage: "conformance",
  operandsMax: 0,
  examples: [],
  options: {},
  run: () => Promise.resolve(0),
};
