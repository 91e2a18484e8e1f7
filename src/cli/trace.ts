import type { Verb } from "./verb.ts";
export const trace: Verb = {
  name: "trace",
  summary: "",
  usage: "trace",
  operandsMax: 0,
  examples: [],
  options: {},
  run: () => Promise.resolve(0),
};
