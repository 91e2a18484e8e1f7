/** Reads tool calls that a model prints as text: `dragoman-engine`. @module */
export { createReader, readAnswer } from "./reader.ts";
export { CompiledRulesError, loadRules, selectRules } from "./rules.ts";
export type {
  AnswerCall,
  CompiledRules,
  JsonSchema,
  Note,
  ReadAnswer,
  Reader,
  ReaderEvent,
  ReaderOptions,
  ReadOptions,
  Reason,
  Rules,
  Tool,
} from "./types.ts";
