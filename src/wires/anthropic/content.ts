/**
 * Reads the content blocks of Anthropic's messages.
 *
 * @see https://docs.anthropic.com/en/api/messages (version 2023-06-01)
 * @module
 */
import { isRecord } from "../../engine/object/record.ts";
import { recordsIn } from "../chat_body.ts";
import { type ContentPart, partList, type Parts } from "../conversation.ts";
import type { JsonObject } from "../wire.ts";

/** A content as a list of blocks; a text is one block. */
export function blocksOf(content: unknown): readonly JsonObject[] {
  if (typeof content === "string") return content === "" ? [] : [{ type: "text", text: content }];
  return recordsIn(content);
}

/** The text of the text blocks, joined by an empty line. */
export function textOf(content: unknown): string {
  return blocksOf(content).flatMap(({ type, text }) =>
    type === "text" && typeof text === "string" ? [text] : []
  )
    .join("\n\n");
}

/** The parts of a chat message for a content: a text, or a list of blocks. */
export function partsOf(content: unknown): Parts {
  if (typeof content === "string") return content;
  const blocks = recordsIn(content);
  return blocks.length === 1
    ? partsOfBlock(blocks[0]!)
    : blocks.flatMap((block) => partList(partsOfBlock(block)));
}

/** The parts for a block; none for a block that a chat can't represent. */
function partsOfBlock(block: JsonObject): Parts {
  const { type } = block;
  switch (type) {
    case "text":
      return typeof block["text"] === "string" ? block["text"] : [];
    case "image":
      return imageParts(block["source"]);
    case "document":
      return documentParts(block);
    case "tool_reference":
      return `The tool ${block["tool_name"] ?? ""} is loaded`;
    case "search_result":
      return `${block["title"] ?? ""}\n${block["source"] ?? ""}\n${textOf(block["content"])}`;
    default:
      return [];
  }
}

function imageParts(source: unknown): ContentPart[] {
  if (!isRecord(source)) return [];
  const url = source["type"] === "url"
    ? source["url"]
    : `data:${source["media_type"]};base64,${source["data"]}`;
  return typeof url === "string" ? [{ type: "image_url", image_url: { url } }] : [];
}

function documentParts({ source, title }: JsonObject): Parts {
  if (!isRecord(source)) return [];
  const { type, data, media_type: mediaType } = source;
  if (type === "text") return String(data ?? "");
  if (type === "content") return partsOf(source["content"]);
  if (type !== "base64") return [];
  const filename = typeof title === "string" && title !== "" ? title : "document.pdf";
  return [{ type: "file", file: { filename, file_data: `data:${mediaType};base64,${data}` } }];
}

/** Why a block cannot be sent to a chat server; undefined if it can. */
export function unreadable(block: JsonObject): string | undefined {
  const { source } = block;
  return block["type"] === "document" && isRecord(source) && source["type"] === "url"
    ? "A chat server cannot fetch a document from a URL. Send it as base64 or text"
    : undefined;
}
