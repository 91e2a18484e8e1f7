const { readAnswer } = require("dragoman-engine");
const { shippedRules } = require("dragoman-engine/rules");
const names = ["fetch", "ai-sdk", "prompted", "compile"].map((path) =>
  Object.keys(require(`dragoman-engine/${path}`)).sort().join()
);
const { calls } = readAnswer('<tool_call>\n{"name": "f", "arguments": {}}\n</tool_call>', {
  rules: shippedRules,
});
console.log(JSON.stringify([calls.length, ...names]));
