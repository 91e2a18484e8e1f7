import {
  CompiledRulesError,
  createReader,
  loadRules,
  readAnswer,
  type Reader,
  type ReaderEvent,
  type Rules,
  selectRules,
} from "../../../src/library/mod.ts";
import { dragomanMiddleware } from "../../../src/library/connection/ai_sdk.ts";
import { compileRules } from "../../../src/library/compile.ts";
import { dragomanFetch } from "../../../src/library/connection/fetch.ts";
import { prompted } from "../../../src/library/prompted.ts";
import { compiledRules, shippedRules } from "../../../src/library/shipped.ts";

const rules: Rules = selectRules(loadRules(compiledRules, shippedRules), ["hermes"]);
const reader: Reader = createReader({
  rules,
  tools: [{ name: "f", parameters: { type: "object" } }],
  wholeCalls: true,
});
const events: ReaderEvent[] = [...reader.push("a"), ...reader.end({ truncated: true })];
for (const event of events) {
  if (event.kind === "call_start") event.tool.trim();
  else if (event.kind === "text") event.text.trim();
  // @ts-expect-error: there is no such kind
  else if (event.kind === "nothing") throw event;
}
const first: string | undefined = readAnswer("a", { rules }).calls[0]?.tool;
// @ts-expect-error: rules are opaque
createReader({ rules: { program: {} } });
// @ts-expect-error: they aren't numbers
createReader({ rules: 1 });
const error: Error = new CompiledRulesError("format", "x");
const body: string = prompted(rules, { model: "x" }).write("{}");
const code: string | undefined = compileRules([{ file: "a.yaml", text: "" }]).diagnostics[0]?.code;
export default [first, error, body, code, dragomanFetch({ prompt: true }), dragomanMiddleware({ rules })];
