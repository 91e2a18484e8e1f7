/**
 * A match of a rule's opener, of which a frame makes calls.
 *
 * @module
 */
import type { OfferedTool } from "../tool/offered.ts";
import type { CompiledRule } from "./compiled_rule.ts";
import type { Group } from "./group.ts";

export interface Opening {
  readonly rule: CompiledRule;
  readonly groups: Readonly<Record<string, string>>;
  /** The tool, if the opener or the rule names it. */
  readonly tool: OfferedTool | undefined;
  readonly offset: number;
  readonly atLineStart: boolean;
  readonly group: Group | undefined;
  /** Whether the text after the call decides whether it is meant, so that nothing is sent before it is whole. */
  readonly isDoubtful?: boolean;
}
