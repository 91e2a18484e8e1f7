import type { Verb } from "./verb.ts";
export const demo: Verb = {
  name: "demo",
  summary: "",
  usage: "demo",
  operandsMax: 0,
  examples: [],
  options: {},
  run: () => Promise.resolve(0),
};
