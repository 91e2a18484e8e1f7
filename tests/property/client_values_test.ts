/**
 * Whatever text a model gives a parameter, the client executes exactly it: written by the shipped client files,
 * read by models of the clients' own parsers. Where that cannot be, the call is not written; the cases in which
 * it cannot be are listed here and nowhere else.
 */
import assert from "node:assert/strict";
import fc from "fast-check";
import type { Client, Parameter } from "../../src/client/schema.ts";
import { chooseForm } from "../../src/client/form.ts";
import { renderCall, shippedClient } from "../support/client_files.ts";
import { executeCline, parseCline } from "../support/cline_parser.ts";
import { nastyText } from "../support/nasty_text.ts";
import { executeRoo, parseRoo } from "../support/roo_parser.ts";

const RUNS = 300;
const SEED = 20_261_121;

const PARSERS = {
  roo: { parse: parseRoo, execute: executeRoo },
  cline: { parse: parseCline, execute: executeCline },
} as const;

type ClientName = keyof typeof PARSERS;

/** One parameter of one tool, in one form, for one kind of model or file. */
interface Subject {
  readonly client: ClientName;
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
function fieldOf({ tool, parameter, inner }: Subject): string {
  return [tool, parameter, ...(inner === undefined ? [] : [inner])].join(".");
}

function subjectsOf(name: ClientName): Subject[] {
  const client = shippedClient(name);
  return Object.keys(client.tools).flatMap((tool) =>
    formsOf(client, tool).flatMap((documented) => subjectsOfForm(client, { name, tool, documented }))
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
  { name, tool, documented }: { name: ClientName; tool: string; documented: readonly string[] },
): Subject[] {
  const declared = client.tools[tool];
  assert.ok(declared);
  const { parameters } = chooseForm(declared, { client, documented: new Set(documented) });
  const common = { client: name, tool, documented, model: "qwen3" };
  return Object.entries(parameters).flatMap(([parameter, declaration]): Subject[] => {
    const others = Object.fromEntries(
      Object.entries(parameters).filter(([other, { required }]) => required && other !== parameter)
        .map(([other, { type }]) => [other, type === "list" ? [{ path: "p", diff: "d" }] : "v"]),
    );
    if (declaration.type !== "list") {
      return isText(declaration) ? [{ ...common, parameter, others }] : [];
    }
    return Object.entries(declaration.each).filter(([, inner]) => isText(inner))
      .map(([inner]) => ({ ...common, parameter, inner, others }));
  });
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
  fence: (value, subject) => {
    if (!isFile(subject)) return false;
    const read = subject.client === "roo" ? value : value.trim();
    return read.startsWith("```") || read.endsWith("```");
  },
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
  const client = shippedClient(subject.client);
  const declared = client.tools[subject.tool];
  assert.ok(declared);
  const { parameters } = chooseForm(declared, { client, documented: new Set(subject.documented) });
  const outer = parameters[subject.parameter];
  const isJson = outer?.escape === "json";
  const isEscaped = DECODED[subject.client].includes(fieldOf(subject)) && !isRaw(subject);
  const isXml = ["read_file.args.path", "ask_followup_question.follow_up.text"].includes(fieldOf(subject));
  return !isJson && !isEscaped && !isXml;
}

/** The element that holds the value. */
function elementOf(subject: Subject): string {
  return fieldOf(subject) === "apply_diff.args.diff" ? "content" : subject.inner ?? subject.parameter;
}

function isFile(subject: Subject): boolean {
  return fieldOf(subject) === "write_to_file.content" || fieldOf(subject) === "new_rule.content";
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

/** The values that count as exact: one, but for suggestions, which are shown and not executed. */
function expectedValues(subject: Subject, value: string): unknown[] {
  const field = fieldOf(subject);
  if (subject.client === "roo" && field === "ask_followup_question.follow_up.text") {
    const shown = value.replace(/\r\n?/g, "\n");
    return [shown, shown.replaceAll("<", "&lt;")];
  }
  if (subject.parameter === "arguments") return [{ text: value, list: [value] }];
  const declared = shippedClient(subject.client).tools[subject.tool]?.parameters[subject.parameter];
  const keepsSpace = ["write_to_file.content", "insert_content.content", "apply_diff.args.diff"];
  const isExact = declared?.escape === "json" || (subject.client === "roo" && keepsSpace.includes(field));
  return [isExact ? value : value.trim()];
}

function check(subject: Subject, value: string): "exact" | "refused" {
  const { client, tool, documented, model } = subject;
  const rendered = renderCall({
    client: shippedClient(client),
    tool,
    documented,
    model,
    arguments: argumentsOf(subject, value),
  });
  const classes = Object.keys(UNWRITABLE).filter((name) => UNWRITABLE[name]?.(value, subject));
  if (rendered.text === "SOURCE") {
    assert.notDeepEqual(classes, [], "refused without a known reason");
    assert.deepEqual(rendered.notes.map(({ reason }) => reason), ["unwritable"]);
    return "refused";
  }
  assert.deepEqual(classes.filter((name) => !MAY_REFUSE.has(name)), [], "written although it cannot be");
  const blocks = PARSERS[client].parse(rendered.text);
  assert.equal(blocks.length, 1);
  const [block] = blocks;
  assert.ok(block);
  const { name, effective } = PARSERS[client].execute(block, model);
  assert.equal(name, tool);
  const got = readBack(subject, effective);
  const expected = expectedValues(subject, value);
  assert.ok(
    expected.some((one) => JSON.stringify(one) === JSON.stringify(got)),
    `got ${JSON.stringify(got)} from ${JSON.stringify(rendered.text)}`,
  );
  return "exact";
}

function testSubject(subject: Subject): { exact: number; refused: number } {
  const counts = { exact: 0, refused: 0 };
  const names = [subject.tool, subject.parameter, ...(subject.inner === undefined ? [] : [subject.inner])];
  fc.assert(
    fc.property(nastyText(names), (value) => {
      counts[check(subject, value)]++;
    }),
    { numRuns: RUNS, seed: SEED },
  );
  return counts;
}

let exactCount = 0;

for (const client of ["roo", "cline"] as const) {
  const subjects = subjectsOf(client);
  for (const tool of new Set(subjects.map((subject) => subject.tool))) {
    Deno.test(`${client} gets every value of ${tool} exactly`, () => {
      for (const subject of subjects.filter((one) => one.tool === tool)) {
        const { exact, refused } = testSubject(subject);
        exactCount += exact;
        // A test that saw only refusals would say nothing.
        assert.ok(exact > 20, `${fieldOf(subject)} (${subject.model}): ${exact} exact, ${refused} refused`);
      }
    });
  }
}

Deno.test("roo and cline have a subject for every parameter that is text", () => {
  assert.ok(subjectsOf("roo").length > 50);
  assert.ok(subjectsOf("cline").length > 80);
});

Deno.test("roo and cline get no fewer values exactly than they did", () => {
  assert.ok(exactCount > 40_000, String(exactCount));
});
