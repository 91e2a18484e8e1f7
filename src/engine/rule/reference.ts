/**
 * Writes the reference of the rule format from its schema, so that the two always agree.
 *
 * @module
 */
import * as z from "zod";
import { type BODY_KINDS, ruleFileSchema } from "./schema.ts";

/** The parts of a JSON Schema that the reference shows. */
interface Field {
  readonly type?: string;
  readonly enum?: readonly string[];
  readonly description?: string;
  readonly default?: unknown;
  readonly properties?: Readonly<Record<string, Field>>;
  readonly items?: Field;
  readonly required?: readonly string[];
}

export function ruleReference(): string {
  const schema = z.toJSONSchema(ruleFileSchema, { io: "input" }) as Field;
  return `# The rule format

A rule describes how one dialect writes one tool call. It is one YAML file, named after the rule. This page is generated
from the schema that checks the files. For completion in an editor, start a rule with

    # yaml-language-server: $schema=rule.schema.json

## Two layers

A rule states how a dialect is written well, so that its calls are announced and sent while the model writes them. What no rule
reads, and what a model wrote with a damaged sign, is read by evidence at the answer's end, without any dialect:

    the model's text ─▶ rules ─▶ calls, while they arrive
                          │ text that can be a call, a call that breaks off
                          ▼
                        evidence: an offered name, its parameters, the marks around them ─▶ calls, or the text and the law

So write a rule for a dialect, not for its misspellings. What evidence made is noted as \`read_by_evidence\`; if a model writes so
again and again, a rule makes its calls arrive earlier. [The page of the second reader](../src/engine/evidence/README.md) has the laws.

## The shortest rules

The named groups of a regular expression are the parameters. Save this as \`rules/list.yaml\` (\`my_rules\` in a clone), and
\`ACTION[list]: src\` calls \`list_files\` with the path \`src\`:

\`\`\`yaml
rule: list
pattern: '^ACTION\\[list\\]: (?<path>.+)$'
call: { tool: list_files }
\`\`\`

| the model writes | rule |
|---|---|
| \`RUN: npm test\`, parameters of other names, a constant | \`pattern: '^RUN: (?<line>.+)$'\`, \`call: { tool: execute_command, parameters: { command: $line, background: false } }\` |
| two parameters on two lines | \`pattern: '^FILE: (?<path>.+)\\nTEXT: (?<content>.+)$'\`, \`call: { tool: write_file }\` |
| a text over several lines | \`pattern: '^WRITE (?<path>\\S+)\\n(?<content>[\\s\\S]+?)\\nEND$'\`, \`call: { tool: write_file }\` |
| JSON with other keys and tool names: \`<run>{"do": "shell", "with": {"cmd": "ls"}}</run>\` | \`pattern: '<run>(?<body>…)</run>'\`, \`body: envelope\`, \`envelope: { name: [do], arguments: [with] }\`, \`call: { tool: { shell: execute_command }, parameters: { command: $cmd } }\` |
| attributes: \`<call tool="f" k="v"/>\` | \`pattern: '<call tool="{tool}"(?<body>…)/>'\`, \`body: tagged\`, \`tagged: { item: '(?<key>\\w+)="(?<value>…)"' }\` |

Put patterns in single quotes, in which a backslash is a backslash. \`dragoman check rules/list.yaml\` prints each error with the
line to write instead, and \`dragoman transform --tools request.json answer.txt\` the calls of a text; \`trace\` explains them.

## Fields

${table(schema)}
## Bodies

${bodies()}
${BODY_FIELDS.map((body) => `### \`${body}\`\n\n${table(schema.properties?.[body] ?? {})}`).join("\n")}
## \`call\`

${table(schema.properties?.["call"] ?? {})}
## \`speak\`

How the dialect is spoken to a model that gets no \`tools\`: see [prompted tools](../src/docs/guide/prompted.md). Every text is a
template: a word in braces is replaced, \`\\{\` is a brace, and braces around anything but a word are ordinary text.

${table(schema.properties?.["speak"] ?? {})}
## Examples

${table(schema.properties?.["examples"]?.items ?? {})}
A case under \`untouched\` has the same fields except \`text\` and \`calls\`: it must come out unchanged. \`check\` and the tests run
each case whole, one character at a time, and cut at every position.

## Where a rule applies

| question | field |
|---|---|
| Where can a call begin? | \`begins\` |
| What can follow it? | \`followed_by\` |
| Can it be in code? | \`in_code\`: code shows an example, unless the dialect's marks are special tokens |
| Which rule wins? | \`confidence\`, if several rules match at the same position; below \`policy.minimum_confidence\` a rule makes no call |
| When does the client get it? | \`commit\` |

## Forms

Models spell one dialect in several ways: an empty call as a closed tag, JSON instead of items. \`forms\` lists them. Each form
is a rule with a \`name\`, a \`pattern\` and its own examples. Its other fields are those of the file, as far as its \`body\` can
have them, unless it states its own. Settings and logs use its name like that of any rule.

## Patterns

A pattern is a regular expression that an automaton can run while text is still arriving: literals, classes, groups,
\`| ? * + {m,n}\`, \`^\` at the start, \`$\` or a look-ahead at the end, a look-ahead before the hole, \`\\k<name>\` after the hole.
There is no look-behind, no negative look-ahead and no \`\\b\`; \`check\` prints the line to write instead.

- Without \`…\`, the last group is the hole (or the group \`body\`): what follows it closes the call where it comes first, and
  the group's text must match the group. A group at the end of the pattern, such as \`\\S+\`, ends at the first character that it can't have. If
  the pattern's groups are optional or in a choice, the whole pattern is the opener.
- \`$\` at the end matches before a line break and at the end of the answer. The end of the answer also closes a \`text\` body
  whose closer is a line break.
- \`(?<body>…)\` is the hole, \`(?<value>…)\` the hole of an item; \`…\` is the character U+2026.
- \`{tool}\` matches a tool's name.
- \`^\` matches at the start of a line, before or after its indentation.
- A look-ahead at the end of a pattern, \`…</call>(?=\\n)\`, also matches at the end of the answer. An item can't have
  one: its value ends only before another item, the end of the call or the end of the answer.
- A look-ahead directly before the hole, \`(?=<arg>)\`, reads the beginning of the body. With \`begins: answer\`, it can be the
  whole opener. \`$\` as one of its alternatives, \`(?=<arg>|$)\`, is the end of the answer.
- \`\\k<name>\` in an item refers to a group of the item's opener or of the rule's pattern.
- A counted repeat (\`{1,512}\`) is at most 512. A match is at most 512 characters long, look-ahead included; longer text
  doesn't match. A pattern has at most 4,096 characters, 50 nested groups, and 20,000 steps once its repeats are expanded.
- A group \`(?<before>…)\` at the very beginning matches text that introduces the call and remains text.
- An optional group at the very beginning and one at the very end are a wrapper. If the opener includes it,
  the closer counts only before the wrapper's closer, the next call or the end.
`;
}

const BODY_FIELDS = ["json", "envelope", "call_list", "tagged", "opaque", "group"] as const;

const BODIES: Readonly<Record<(typeof BODY_KINDS)[number], readonly [reads: string, looks: string]>> = {
  text: ["text, which \`call.parameters\` makes a parameter", "npm test"],
  json: ["the arguments, one object", '{"path": "a"}'],
  envelope: ["an object with name and arguments, or a list of them", '{"name": "f", "arguments": {…}}'],
  call_list: [
    "a call in Python notation, or a list of calls; literals of Python and JSON",
    '[f(a=1, b=["x"]), g()]',
  ],
  tagged: ["items, each with a key and a value", "<p=path>a</p><p=line>5</p>"],
  yaml: [
    "a block of YAML with the arguments; the tool's schema decides the type of a plain scalar",
    "path: a",
  ],
  none: ["nothing: the call has no arguments", ""],
  opaque: ["text in which no call is made", "example"],
  group: ["calls of other rules", "<call>…</call><call>…</call>"],
};

function bodies(): string {
  const rows = Object.entries(BODIES).map(([kind, [reads, looks]]) =>
    `| \`${kind}\` | ${reads} | ${looks === "" ? "" : `\`${looks}\``} |`
  );
  return `| kind | the hole contains | for example |\n|---|---|---|\n${rows.join("\n")}\n`;
}

function table(schema: Field): string {
  const rows = Object.entries(schema.properties ?? {}).map(([name, field]) => {
    const isRequired = schema.required?.includes(name);
    const preset = field.default === undefined || field.properties !== undefined
      ? ""
      : ` Default \`${JSON.stringify(field.default)}\`.`;
    const values = field.enum ? ` One of ${field.enum.map((value) => `\`${value}\``).join(", ")}.` : "";
    const text = `${field.description ?? ""}.${values}${preset}`.replaceAll("|", "\\|").replace(/^\./, "");
    return `| \`${name}\`${isRequired ? " (required)" : ""} | ${text.trim()} |`;
  });
  return `| field | |\n|---|---|\n${rows.join("\n")}\n`;
}
