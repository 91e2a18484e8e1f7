/** Prints the milliseconds from the first import to the first answer. */
const began = performance.now();
const [{ readAnswer }, { shippedRules }] = await Promise.all([
  import("dragoman-engine"),
  import("dragoman-engine/rules"),
]);
const imported = performance.now();
const { calls } = readAnswer('<tool_call>\n{"name": "f", "arguments": {}}\n</tool_call>', {
  rules: shippedRules,
});
if (calls.length !== 1) throw new Error("no call");
console.log(JSON.stringify([imported - began, performance.now() - began]));
