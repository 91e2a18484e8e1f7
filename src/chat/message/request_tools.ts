/** The tools of a request that an answer can call. @module */
import { present } from "../../engine/object/present.ts";
import { isRecord } from "../../engine/object/record.ts";
import { isWithinBudget } from "../../engine/tool/schema_budget.ts";
import type { OfferedTool } from "../../engine/tool/offered.ts";
import { chosenTools } from "./conversation.ts";
import type { ChatRequest } from "./request.ts";

/** The tools of `tools`, else of the legacy `functions`, of which the request may choose some; an entry without a name is left out. A schema over its budget allows everything. */
export function requestTools(request: ChatRequest): OfferedTool[] {
  const { tools, functions } = request;
  const listed = Array.isArray(tools) ? tools.map((tool) => tool?.function) : [];
  const legacy = Array.isArray(functions) ? functions : [];
  const chosen = chosenTools(request);
  return (listed.length > 0 ? listed : legacy).flatMap((entry): OfferedTool[] => {
    if (typeof entry?.name !== "string" || entry.name === "" || chosen?.has(entry.name) === false) return [];
    const given = isRecord(entry.parameters) ? entry.parameters : undefined;
    const isReadable = given === undefined || isWithinBudget(given);
    return [{
      name: entry.name,
      ...present({ schema: isReadable ? given : undefined }),
      ...isReadable ? {} : { isUnreadable: true },
    }];
  });
}
