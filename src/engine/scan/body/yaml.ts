/**
 * Reads a hole that contains a YAML mapping of parameters. The tool's schema decides the type of a plain scalar; a
 * quoted or block scalar is text. Text that isn't such a mapping isn't a call.
 *
 *     path: a.ts                 →   {"path": "a.ts", "lines": [1, 2]}
 *     lines:
 *       - 1
 *       - 2
 *
 * @module
 */
import { allowedTypes, parameterSchema } from "../../tool/schema.ts";
import { readValue } from "../../tool/value.ts";
import type { Progress } from "../body_reader.ts";
import type { Calls } from "../calls.ts";
import type { ElementSchema } from "./element.ts";
import { readYamlBlock, type YamlValue } from "./yaml_block.ts";
import type { JsonSchema } from "../../tool/offered.ts";

/** Writes the body as arguments. */
export function writeYaml(calls: Calls, text: string): Progress {
  const block = text.trim() === "" ? EMPTY : readYamlBlock(text);
  if (block?.kind !== "map") return { reason: "malformed", detail: "not a YAML mapping" };
  const writer = calls.beginNamed();
  writer.begin("object");
  const { tool } = writer;
  for (const [key, value] of block.entries) {
    writer.key(key);
    if (writer.isRefused) return { reason: "undeclared_parameter" };
    writer.value(toJson(value, { schema: parameterSchema(tool.schema, key), tool }));
  }
  writer.end();
  calls.finish();
  return "closed";
}

const EMPTY: YamlValue = { kind: "map", entries: new Map() };

function toJson(value: YamlValue, { schema, tool }: ElementSchema): string {
  switch (value.kind) {
    case "map": {
      const members = [...value.entries].map(([key, member]) =>
        `${JSON.stringify(key)}:${toJson(member, { schema: parameterSchema(schema, key), tool })}`
      );
      return `{${members.join()}}`;
    }
    case "list": {
      const items = typeof schema === "object" ? schema["items"] as JsonSchema | undefined : undefined;
      return `[${value.items.map((item) => toJson(item, { schema: items, tool })).join()}]`;
    }
    case "scalar":
      return value.isPlain
        ? readValue(value.text, allowedTypes(schema, tool.schema)).json
        : JSON.stringify(value.text);
  }
}
