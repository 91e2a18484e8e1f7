/**
 * The one face of the engine: compiled rules and text in, events out. The proxy, the playground's worker, `transform` and
 * the library `dragoman-engine` use it. Nothing that this file loads needs a package, Node or Deno.
 *
 * @module
 */
export { type CompiledRules, USUAL_FIELDS, type WeightedRule } from "./compiled/format.ts";
export { CompiledRulesError, loadCompiled } from "./compiled/load.ts";
export { chooseRules, joinRules, rankRules, selectRules } from "./compiled/rank.ts";
export { unpackRules } from "./compiled/unpack.ts";
export { callableTools, readEvidence } from "./evidence/evidence.ts";
export type { ReadCall } from "./evidence/reading.ts";
export type { ContentEvent, MatchEvent, NoteEvent } from "./event/event.ts";
export { collect, type Sink, type Stage, textAnswer } from "./event/stage.ts";
export { parseJson } from "./object/parse.ts";
export { EchoGuard } from "./scan/echo_guard.ts";
export { Matcher, type MatcherOptions } from "./scan/matcher.ts";
export { createProgram, type Program } from "./scan/program.ts";
export { openAnswer, WholeAnswer } from "./scan/whole_answer.ts";
export { anyTool, offer, type OfferedTool, type OfferedTools } from "./tool/offered.ts";
