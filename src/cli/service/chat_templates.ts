/** Loads the upstreams' chat templates; the template engine is loaded only if there is one. @module */
import { dirname, resolve } from "node:path";
import type { LoadedConfig } from "../../proxy/config/load.ts";
import type { Diagnostic, Location } from "../../engine/diagnostic/diagnostic.ts";
import { readTextFile } from "../../engine/document/load.ts";
import { isTemplateServer } from "../../proxy/upstream/applied_template.ts";
import { type PromptTemplate, writeWith } from "../../proxy/upstream/completions.ts";
import { refusalsIn } from "../../proxy/upstream/profiles/heals.ts";
import { present } from "../../engine/object/present.ts";
import type { CliContext } from "./context.ts";

export interface LoadedTemplates {
  /** Upstream's name → its template. */
  readonly templates: ReadonlyMap<string, PromptTemplate>;
  /** The absolute paths of the files, for watching. */
  readonly files: readonly string[];
  readonly diagnostics: readonly Diagnostic[];
}

export async function loadTemplates(
  config: LoadedConfig,
  { workingDirectory }: Pick<CliContext, "workingDirectory">,
): Promise<LoadedTemplates> {
  const templates = new Map<string, PromptTemplate>();
  const files: string[] = [];
  const diagnostics: Diagnostic[] = [];
  for (const [index, { name, chat_template: file, tools }] of config.config.upstreams.entries()) {
    if (file === undefined || isTemplateServer(file)) continue;
    const location = config.locate(["upstreams", index, "chat_template"]);
    const path = resolve(dirname(config.path), file);
    files.push(path);
    const read = await readTextFile(path, { workingDirectory, isRegular: true });
    diagnostics.push(...read.diagnostics.map((one) => ({ ...one, ...present({ location }) })));
    const [text] = read.files;
    if (text === undefined) continue;
    const { ChatTemplate, readTemplates } = await import("../../analysis/derive/template.ts");
    try {
      const [source] = readTemplates(text.text);
      if (source === undefined) throw new Error("the file has no `chat_template`");
      // The server adds the token that begins a prompt.
      const template = new ChatTemplate(source.text, { ...source.tokens, bos_token: "" });
      const refusals = refusalsIn(source.text).map(({ text: refusal }) => refusal);
      templates.set(name, {
        render: (conversation) => template.render(conversation),
        refusals,
        source: source.text,
      });
      diagnostics.push(
        ...await tryOut(template, { file: text.file, location, getsTools: tools !== "prompted" }),
      );
    } catch (cause) {
      diagnostics.push({
        code: "template_unreadable",
        severity: "error",
        message: `Cannot read the chat template ${text.file}: ${
          cause instanceof Error ? cause.message : String(cause)
        }`,
        ...present({ location }),
        expected: "a Jinja chat template, or a tokenizer_config.json that contains one",
        help: "use the template from the model's own files",
      });
    }
  }
  return { templates, files, diagnostics };
}

const MESSAGES = [{ role: "user", content: "hello" }];
const TOOL_NAME = "read_file";
const TOOLS = [{
  type: "function",
  function: {
    name: TOOL_NAME,
    description: "Reads a file",
    parameters: {
      type: "object",
      properties: { path: { type: "string", description: "Its path" } },
      required: ["path"],
    },
  },
}];

interface Trial {
  readonly file: string;
  readonly location: Location | undefined;
  readonly getsTools: boolean;
}

/** Writes a short conversation without and with tools. */
async function tryOut(template: PromptTemplate, { file, location, getsTools }: Trial): Promise<Diagnostic[]> {
  const write = writeWith(template);
  const plain = await write({ messages: MESSAGES });
  const full = getsTools ? await write({ messages: MESSAGES, tools: TOOLS }) : TOOL_NAME;
  if (typeof plain === "string" && typeof full === "string" && full.includes(TOOL_NAME)) return [];
  const what = typeof plain === "string" ? "tools" : "a short conversation";
  return [{
    code: "template_unreadable",
    severity: "warning",
    message: `The chat template ${file} can't write ${what}`,
    ...present({ location }),
    expected: "a template for the model that Dragoman's template engine can run",
    help: what === "tools"
      ? "set `tools: prompted`, or use the model's own template for tools"
      : "take another template of the model; `derive` shows what it writes",
  }];
}
