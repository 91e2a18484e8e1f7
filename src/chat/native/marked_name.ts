/** A call whose server left the model's marks in its name: `read<arg_key>path</arg_key><arg_value>a.txt</arg_value>`. @module */
import { callableTools, readEvidence } from "../../engine/evidence/evidence.ts";
import type { OfferedTools } from "../../engine/tool/offered.ts";

export type MarkedNameReader = (name: string, offered: OfferedTools | undefined) => MarkedName | undefined;

/** The longest name that is read, in characters. */
const NAME_MAXIMUM = 64 * 1024;

export interface MarkedName {
  readonly tool: string;
  /** Its arguments in JSON. */
  readonly json: string;
}

/**
 * Reads a name with marks in it by evidence, as the text between the marks of a call that its server took.
 *
 * @param name the name as it arrived, which is not offered
 * @param offered the tools that can be called
 *
 * @example
 * ```ts
 * import { readMarkedName } from "./marked_name.ts";
 * import { offer } from "../../engine/tool/offered.ts";
 * const offered = offer([{ name: "read", schema: { properties: { path: { type: "string" } }, required: ["path"] } }]);
 * const read = readMarkedName("read<arg_key>path</arg_key><arg_value>a.txt</arg_value>", offered);
 * console.assert(read?.tool === "read" && read.json === '{"path":"a.txt"}');
 * ```
 */
export const readMarkedName: MarkedNameReader = (name, offered) => {
  if (offered === undefined || offered.keepsShapes) return undefined;
  if (name.length > NAME_MAXIMUM || !name.includes("<") || !name.trimEnd().endsWith(">")) return undefined;
  const { calls: [call, ...others] } = readEvidence(`<tool_call>${name}</tool_call>`, {
    tools: callableTools(offered),
    isCut: false,
    isShown: () => false,
  });
  if (call === undefined || others.length > 0 || Object.keys(call.arguments).length === 0) return undefined;
  return { tool: call.tool.name, json: JSON.stringify(call.arguments) };
};
