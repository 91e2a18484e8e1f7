/**
 * The gates between a match and a call. If in doubt, the text remains text.
 *
 * @module
 */
import type { OfferedTool, OfferedTools } from "../tool/offered.ts";
import { own } from "../object/own.ts";
import { declares } from "../tool/schema.ts";
import { unescapeText } from "./body/unescape.ts";
import { type Failure, isFailure } from "./body_reader.ts";
import type { CompiledRule } from "./compiled_rule.ts";

export function gateTool(rule: CompiledRule, name: string, offered: OfferedTools): OfferedTool | Failure {
  const tool = known(rule, name, offered) ?? offered.nearest?.(name);
  if (!tool) return { reason: "unknown_tool" };
  if (offered.allows?.(tool.name) === false) return { reason: "not_whitelisted" };
  if (rule.allowedTools && !rule.allowedTools.includes(tool.name)) return { reason: "not_whitelisted" };
  return tool;
}

/** Whether a name is an offered one only apart from case, hyphens, a prefix or control tokens. */
export function isNearName(rule: CompiledRule, name: string, offered: OfferedTools): boolean {
  return known(rule, name, offered) === undefined;
}

function known(
  { isQualified, toolNames = {} }: CompiledRule,
  written: string,
  offered: OfferedTools,
): OfferedTool | undefined {
  const name = own(toolNames, written) ?? written;
  return offered.resolve(name) ?? (isQualified ? offered.resolve(unqualified(name)) : undefined);
}

/** `default_api.read_file` → `read_file`. */
function unqualified(name: string): string {
  return name.slice(name.lastIndexOf(".") + 1);
}

/** The target of a rule that names its tools itself: the first offered one. */
export function gateTarget(rule: CompiledRule, offered: OfferedTools): OfferedTool | Failure {
  for (const name of rule.tools ?? []) {
    const tool = gateTool(rule, name, offered);
    if ("name" in tool) return tool;
  }
  return { reason: "unknown_tool" };
}

/** The tool that the rule or its opener names, if any, or the reason that the match isn't a call. */
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

/** Whether a key can be an item of this call. If tags look like HTML, only a declared parameter can. */
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
