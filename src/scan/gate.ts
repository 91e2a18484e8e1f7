/**
 * The gates between a match and a call: in doubt the text stays text.
 *
 * @module
 */
import type { OfferedTool, OfferedTools } from "../tool/offered.ts";
import { declares } from "../tool/schema.ts";
import { unescapeText } from "./body/unescape.ts";
import { type Failure, isFailure } from "./call_sink.ts";
import type { CompiledRule } from "./program.ts";

/** The offered tool of this name, if the rule may call it. */
export function gateTool(rule: CompiledRule, name: string, offered: OfferedTools): OfferedTool | Failure {
  const tool = offered.resolve(name) ?? (rule.isQualified ? offered.resolve(unqualified(name)) : undefined);
  if (!tool) return { reason: "unknown_tool" };
  if (offered.allows?.(tool.name) === false) return { reason: "not_whitelisted" };
  if (rule.allowedTools && !rule.allowedTools.includes(tool.name)) return { reason: "not_whitelisted" };
  return tool;
}

/** `default_api.read_file` → `read_file`. */
function unqualified(name: string): string {
  return name.slice(name.lastIndexOf(".") + 1);
}

/** The target of a rule that names its tools itself: the first that is offered. */
export function gateTarget(rule: CompiledRule, offered: OfferedTools): OfferedTool | Failure {
  for (const name of rule.tools ?? []) {
    const tool = gateTool(rule, name, offered);
    if ("name" in tool) return tool;
  }
  return { reason: "unknown_tool" };
}

/** The tool that a match of a rule's opener names, if it names one; or why the match is no call. */
export function gateCall(
  rule: CompiledRule,
  groups: Readonly<Record<string, string>>,
  { offered, minimumConfidence }: { offered: OfferedTools; minimumConfidence: number },
): OfferedTool | Failure | undefined {
  const named = groups["tool"];
  const tool = rule.tools
    ? gateTarget(rule, offered)
    : named === undefined
    ? undefined
    : gateTool(rule, unescapeText(named, rule.nameEscapes), offered);
  if (isFailure(tool)) return tool;
  return rule.confidence < minimumConfidence ? { reason: "below_confidence" } : tool;
}

/** Whether a key may be an item of this call: where tags look like HTML, only a parameter that is known. */
export function isItemKey(
  rule: CompiledRule,
  key: string,
  options: { tool: OfferedTool | undefined; meta: readonly string[] },
): boolean {
  if (!rule.needsDeclaredKeys || options.meta.includes(key)) return true;
  const { body } = rule;
  if (body.kind === "tagged" && [...body.extraKeys, ...body.containers].includes(key)) return true;
  return declares(options.tool?.schema, key);
}
