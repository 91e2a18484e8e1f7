import type { Verb } from "./verb.ts";
export const transform: Verb = {
  name: "transform",
  summary: "",
  usage: "transform",
  operandsMax: 0,
  examples: [],
  options: {},
  run: () => Promise.resolve(0),
};
