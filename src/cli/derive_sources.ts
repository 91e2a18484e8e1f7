/** Reads what `derive` learns from: files, recorded answers with their tools, and the rules that exist. @module */
import { resolve } from "node:path";
import { recognize } from "../chat/client/recognize.ts";
import type { Client } from "../chat/client/schema.ts";
import { readAnswers } from "../lab/derive/answer_file.ts";
import type { RecordedAnswer } from "../lab/derive/from_answers.ts";
import { type Folder, readTextFile, readYamlFolders, shownPath } from "../engine/document/load.ts";
import type { TextFile } from "../engine/document/text_file.ts";
import { parseJson } from "../engine/object/parse.ts";
import { isRecord } from "../engine/object/record.ts";
import { offeredTool, parseTools } from "../lab/replay/tool_list.ts";
import { SHIPPED_RULES } from "../engine/rule/folder.ts";
import type { World } from "./service/world.ts";
import type { OfferedTool } from "../engine/tool/offered.ts";
import { complain } from "./complain.ts";

/** The texts of files; undefined if one cannot be read, which is printed. */
export async function readAll(names: readonly string[], world: World): Promise<string[] | undefined> {
  const texts: string[] = [];
  for (const name of names) {
    const { files: [file], diagnostics } = await readTextFile(resolve(world.workingDirectory, name), world);
    complain(diagnostics, world);
    if (file === undefined) return undefined;
    texts.push(file.text);
  }
  return texts;
}

/** The tools of a file; none without a file, undefined if it cannot be read, which is printed. */
export async function readTools(name: string | undefined, world: World): Promise<OfferedTool[] | undefined> {
  if (name === undefined) return [];
  const texts = await readAll([name], world);
  if (texts === undefined) return undefined;
  const tools = parseTools(texts[0]!);
  if (tools === undefined) {
    complain([{
      code: "wrong_value",
      severity: "error",
      message: `Cannot read tools from ${shownPath(resolve(world.workingDirectory, name), world)}`,
      expected: "a JSON list of tools in OpenAI's form, or an object with `tools`",
      help: "copy the raw `tools` of a request",
    }], world);
    return undefined;
  }
  return tools.map(offeredTool);
}

/** Whether a file is a recorded answer, not a template: JSON with the model's `text`. */
export function isRecording(text: string): boolean {
  const value = parseJson(text);
  return isRecord(value) && typeof value["text"] === "string" && value["chat_template"] === undefined;
}

/** Whether a text can be a chat template, or JSON with one: a template has a block or an expression of Jinja. */
export function looksLikeTemplate(text: string): boolean {
  return /\{[{%]/.test(text) || isRecord(parseJson(text));
}

/**
 * The answers of a file. A recording of a client that lists its tools in the system prompt has those tools, with their
 * aliases.
 */
export function answersOf(
  text: string,
  { tools, clients }: { readonly tools: readonly OfferedTool[]; readonly clients: readonly Client[] },
): RecordedAnswer[] {
  return readAnswers(text, promptTools(text, clients) ?? tools);
}

function promptTools(text: string, clients: readonly Client[]): OfferedTool[] | undefined {
  const value = parseJson(text);
  if (!isRecord(value) || typeof value["system"] !== "string" || typeof value["client"] !== "string") {
    return undefined;
  }
  const request = { messages: [{ role: "system", content: value["system"] }] };
  const offered = recognize(request, new Headers(), clients, value["client"])?.offered;
  return (offered?.spellings ?? offered?.names)?.flatMap((name) => {
    const tool = offered?.resolve(name);
    return tool === undefined ? [] : [{ ...tool, name }];
  });
}

/** The files of the built-in rules and of other folders. */
export async function ruleTexts(folders: readonly Folder[], world: World): Promise<TextFile[]> {
  const all = [SHIPPED_RULES, ...folders];
  return (await readYamlFolders(all, world)).folders.flat();
}
