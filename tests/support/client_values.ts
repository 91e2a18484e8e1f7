/**
 * Values that a model gives a client's parameters, and what the client runs: written by the shipped client files, read
 * by models of the clients' own parsers. The cases in which a value can't be written are listed here and nowhere else.
 *
 * @module
 */
import { decodeCommand } from "../../src/chat/render/command_entities.ts";
import assert from "node:assert/strict";
import { chooseForm } from "../../src/chat/client/form.ts";
import { type DocumentedTools, listedTools } from "../../src/chat/client/prompt.ts";
import type { Client, Parameter, ToolForm } from "../../src/chat/client/schema.ts";
import { renderCall, shippedClient } from "./client_files.ts";
import { executeCline, parseCline } from "./cline_parser.ts";
import { executeRoo, parseRoo } from "./roo_parser.ts";

const PARSERS = {
  roo: { parse: parseRoo, execute: executeRoo },
  cline: { parse: parseCline, execute: executeCline },
} as const;

/** A client whose parser is modeled. */
export type ClientName = keyof typeof PARSERS;

/** One parameter of one tool, in one form, for one kind of model or file. */
export interface Subject {
  readonly client: ClientName;
  /** The tools of the prompt with the names that it documents, if the subject is one of a prompt. */
  readonly listed?: DocumentedTools;
  readonly tool: string;
  readonly documented: readonly string[];
  readonly parameter: string;
  /** The parameter of a list's entry. */
  readonly inner?: string;
  readonly model: string;
  /** Values of other parameters. */
  readonly others: Readonly<Record<string, unknown>>;
}

/** The subject without its client and model: `write_to_file.content`, `read_file.args.path`. */
export function fieldOf({ tool, parameter, inner }: Subject): string {
  return [tool, parameter, ...(inner === undefined ? [] : [inner])].join(".");
}

/** Every parameter that is text, in every form that the client's file has. */
export function subjectsOf(name: ClientName): Subject[] {
  const client = shippedClient(name);
  return Object.keys(client.tools).flatMap((tool) =>
    formsOf(client, tool).flatMap((documented) => subjectsOfForm(client, { name, tool, documented }))
  ).flatMap((subject) => variantsOf(subject));
}

/** Every parameter that is text, in the form that a prompt asks for. */
export function subjectsOfPrompt(name: ClientName, prompt: string): Subject[] {
  const client = shippedClient(name);
  const listed = listedTools(prompt, client);
  return [...listed].flatMap(([tool, documented]) =>
    subjectsOfForm(client, { name, tool, documented: [...documented], listed })
  ).flatMap((subject) => variantsOf(subject));
}

/** Every set of documented names that chooses another form; each documents all optional parameters. */
function formsOf(client: Client, tool: string): string[][] {
  const declared = client.tools[tool];
  assert.ok(declared);
  const everywhere = Object.keys(client.every_tool);
  return [declared, ...declared.forms].map((form) => [
    ...("if_documented" in form ? form.if_documented : []),
    ...Object.keys(form.parameters),
    ...everywhere,
  ]);
}

function subjectsOfForm(
  client: Client,
  { name, tool, documented, listed }: {
    name: ClientName;
    tool: string;
    documented: readonly string[];
    listed?: DocumentedTools;
  },
): Subject[] {
  const common = { client: name, tool, documented, model: "qwen3", ...(listed && { listed }) };
  const { parameters } = formOf(client, common);
  return Object.entries(parameters).flatMap(([parameter, declaration]): Subject[] => {
    const others = Object.fromEntries(
      Object.entries(parameters).filter(([other, { required }]) => required && other !== parameter)
        .map(([other, { type }]) => [other, type === "list" ? [{ path: "p", diff: "d" }] : "v"]),
    );
    if (declaration.only_if_documented && !documented.includes(parameter)) return [];
    if (declaration.type !== "list") {
      return isText(declaration) ? [{ ...common, parameter, others }] : [];
    }
    return Object.entries(declaration.each).filter(([, inner]) => isText(inner))
      .map(([inner]) => ({ ...common, parameter, inner, others }));
  });
}

/** The form in which a subject's tool is written. */
function formOf(
  client: Client,
  { tool, documented, listed }: Pick<Subject, "tool" | "documented" | "listed">,
): ToolForm {
  const declared = client.tools[tool];
  assert.ok(declared);
  return chooseForm(declared, { client, documented: new Set(documented), listed });
}

/** Numbers and booleans are tested as what they are, in the renderer's own tests. */
function isText({ type, lines_of }: Parameter): boolean {
  return (type === "string" || type === "object") && lines_of === undefined;
}

const DECODED: Readonly<Record<ClientName, readonly string[]>> = {
  roo: ["write_to_file.content", "apply_diff.diff", "apply_diff.args.diff", "execute_command.command"],
  cline: ["write_to_file.content", "replace_in_file.diff"],
};

function variantsOf(subject: Subject): Subject[] {
  if (!DECODED[subject.client].includes(fieldOf(subject))) return [subject];
  const variants = [subject, { ...subject, model: "claude-sonnet-5" }];
  if (subject.client === "cline") variants.push({ ...subject, others: { ...subject.others, path: "a.xml" } });
  return variants;
}

/** The client decodes nothing here. */
function isRaw({ client, model, others, tool }: Subject): boolean {
  if (client === "roo" && tool === "execute_command") return false;
  return model.includes("claude") || (client === "cline" && String(others.path).endsWith(".xml"));
}

/** Every case in which a value cannot reach the client, by name. */
const UNWRITABLE: Readonly<Record<string, (value: string, subject: Subject) => boolean>> = {
  own_closing_tag: (value, subject) => isWrittenRaw(subject) && value.includes(`</${elementOf(subject)}>`),
  numbered_lines: (value, subject) =>
    subject.client === "roo" && fieldOf(subject) === "write_to_file.content" &&
    value.split("\n").every((line) => /^\s*\d+\s+\|/.test(line)),
  entity_always_decoded: (value, subject) =>
    subject.client === "cline" && DECODED.cline.includes(fieldOf(subject)) && !isRaw(subject) &&
    value.includes("&apos;"),
  character_removed: (value, subject) =>
    subject.client === "cline" && [...DECODED.cline, "new_rule.content"].includes(fieldOf(subject)) &&
    value.includes("\uFFFD"),
  entity_perhaps_decoded: (value, { client, tool, parameter }) =>
    client === "cline" && tool === "new_rule" && parameter === "content" &&
    /&(?:lt|gt|quot|amp|apos);/.test(value),
  content_tag_in_path: (value, subject) =>
    subject.parameter === "path" && value.includes("<content>") &&
    ["write_to_file", ...(subject.client === "cline" ? ["replace_in_file", "new_rule"] : [])].includes(
      subject.tool,
    ),
  carriage_return: (value, subject) =>
    ["read_file.args.path", "apply_diff.args.path"].includes(fieldOf(subject)) &&
      value.trim().includes("\r") ||
    fieldOf(subject) === "apply_diff.args.diff" && value.includes("\r"),
  tag_in_path: (value, subject) => fieldOf(subject) === "apply_diff.args.path" && value.includes("<"),
  open_tag_in_raw_diff: (value, subject) =>
    fieldOf(subject) === "apply_diff.args.diff" && isRaw(subject) && value.includes("<"),
  markup_in_mode: (value, subject) =>
    fieldOf(subject) === "ask_followup_question.follow_up.mode" && /["<>&\n\r]/.test(value.trim()),
};

/** Classes in which a careful writer may refuse, but need not. */
const MAY_REFUSE: ReadonlySet<string> = new Set(["open_tag_in_raw_diff"]);

function isWrittenRaw(subject: Subject): boolean {
  const outer = formOf(shippedClient(subject.client), subject).parameters[subject.parameter];
  const isJson = outer?.escape === "json";
  const isEscaped = DECODED[subject.client].includes(fieldOf(subject)) && !isRaw(subject);
  const isXml = ["read_file.args.path", "ask_followup_question.follow_up.text"].includes(fieldOf(subject));
  return !isJson && !isEscaped && !isXml;
}

/** The element that holds the value. */
function elementOf(subject: Subject): string {
  return fieldOf(subject) === "apply_diff.args.diff" ? "content" : subject.inner ?? subject.parameter;
}

function argumentsOf(subject: Subject, value: string): Record<string, unknown> {
  const { client, tool, parameter, inner, others } = subject;
  const declared = shippedClient(client).tools[tool];
  if (inner !== undefined) {
    const entry = { path: "p", diff: "d", ...(inner === "mode" ? { text: "t" } : {}), [inner]: value };
    return { ...others, [parameter]: [entry, { path: "q", diff: "e", text: "u", option: "o", domain: "m" }] };
  }
  const isObject = declared?.parameters[parameter]?.type === "object";
  return { ...others, [parameter]: isObject ? { text: value, list: [value] } : value };
}

/** Where the value is among those that the client executes. */
function readBack(subject: Subject, effective: Readonly<Record<string, unknown>>): unknown {
  const { parameter } = subject;
  const at = (value: unknown, ...keys: readonly (string | number)[]) =>
    keys.reduce<unknown>(
      (inner, key) => (inner as Record<string | number, unknown> | undefined)?.[key],
      value,
    );
  switch (`${subject.client} ${fieldOf(subject)}`) {
    case "roo read_file.args.path":
      return at(effective, "files", 0, "path");
    case "roo apply_diff.diff":
      return at(effective, "diff", "diff");
    case "roo apply_diff.args.path":
      return at(effective, "files", 0);
    case "roo apply_diff.args.diff":
      return at(effective, "diff", 0, "content");
    case "roo ask_followup_question.follow_up.text":
    case "roo ask_followup_question.follow_up.mode":
      return at(effective, "follow_up", 0, subject.inner ?? "");
    default:
      return subject.inner === undefined ? effective[parameter] : at(effective, parameter, 0);
  }
}

/** Parameters whose text is a list, one entry a line. */
const LISTS: ReadonlySet<string> = new Set(["todos", "task_progress"]);

/** The list that a client reads: a line that isn't in its notation becomes one that is. */
function checklist({ client }: Subject, value: string): string {
  const [own, box] = client === "roo" ? [/^(?:- )?\[[ xX~-]\]|^- \[/, "[ ] "] : [/^[-*] /, "- [ ] "];
  const lines = value.split("\n").map((line) => line.trim()).filter((line) => line !== "");
  if (lines.every((line) => own.test(line))) return value.trim();
  return lines.map((line) =>
    own.test(line) ? line : box + line.replace(/^(?:[-*+•]|\d+[.)]) /, "").trimStart()
  ).join("\n").trim();
}

/** The values that count as exact: one, but for suggestions, which are shown and not executed. */
function expectedValues(subject: Subject, value: string): unknown[] {
  const field = fieldOf(subject);
  if (subject.client === "roo" && field === "ask_followup_question.follow_up.text") {
    const shown = value.replace(/\r\n?/g, "\n");
    return [shown, shown.replaceAll("<", "&lt;")];
  }
  if (LISTS.has(subject.parameter)) return [checklist(subject, value)];
  if (subject.parameter === "arguments") return [{ text: value, list: [value] }];
  const declared = formOf(shippedClient(subject.client), subject).parameters[subject.parameter];
  const keepsSpace = declared?.trimmed === false || field === "apply_diff.args.diff";
  const isExact = declared?.escape === "json" || (subject.client === "roo" && keepsSpace);
  // What no shell can mean is decoded once.
  const meant = declared?.shell ? decodeCommand(value) : value;
  return [isExact ? meant : meant.trim()];
}

/** What became of a value. */
export type Outcome = "exact" | "abstained";

/**
 * Sends a value through a client.
 *
 * @throws Error where the client runs another value, or where a value is not written for no known reason
 */
export function send(subject: Subject, value: string): Outcome {
  const { client, tool, documented, model, listed } = subject;
  const rendered = renderCall({
    client: shippedClient(client),
    tool,
    documented,
    model,
    arguments: argumentsOf(subject, value),
    ...(listed && { listed }),
  });
  const classes = Object.keys(UNWRITABLE).filter((name) => UNWRITABLE[name]?.(value, subject));
  if (rendered.text === "SOURCE") {
    assert.notDeepEqual(classes, [], "refused without a known reason");
    assert.deepEqual(rendered.notes.map(({ reason }) => reason), ["unwritable"]);
    return "abstained";
  }
  assert.deepEqual(classes.filter((name) => !MAY_REFUSE.has(name)), [], "written although it cannot be");
  const blocks = PARSERS[client].parse(rendered.text);
  assert.equal(blocks.length, 1);
  const [block] = blocks;
  assert.ok(block);
  const { name, effective } = PARSERS[client].execute(block, model);
  assert.equal(name, tool);
  const got = asRead(subject, readBack(subject, effective));
  const expected = expectedValues(subject, value);
  assert.ok(
    expected.some((one) => JSON.stringify(one) === JSON.stringify(got)),
    `got ${JSON.stringify(got)} from ${JSON.stringify(rendered.text)}`,
  );
  return "exact";
}

/** An old version, which is known by its prompt, removes the whitespace that the model of the parser keeps. */
function asRead(subject: Subject, value: unknown): unknown {
  const { trimmed, trimmed_if } = formOf(shippedClient(subject.client), subject)
    .parameters[subject.parameter]!;
  return typeof value === "string" && trimmed && trimmed_if !== undefined ? value.trim() : value;
}
