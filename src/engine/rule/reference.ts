/** Writes the reference of the rule format from its schema, so that the two always agree. @module */
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

A rule describes how one dialect writes one tool call. Each rule is a YAML file named after the rule. This page is
generated from the schema that checks the files. For completion in an editor, start a rule with this line:

    # yaml-language-server: $schema=rule.schema.json

To write your first rule, see [Support a new model](writing_rules.md).

## The shortest rules

Each named group of the regular expression is a parameter. Save this rule as \`rules/list.yaml\` (in a clone,
\`my_rules/list.yaml\`), and \`ACTION[list]: src\` calls \`list_files\` with the path \`src\`:

\`\`\`yaml
rule: list
pattern: '^ACTION\\[list\\]: (?<path>.+)$'
call: { tool: list_files }
\`\`\`

| the model writes | rule |
|---|---|
| \`RUN: npm test\`, with a renamed parameter and a constant | \`pattern: '^RUN: (?<line>.+)$'\`, \`call: { tool: execute_command, parameters: { command: $line, background: false } }\` |
| two parameters on two lines | \`pattern: '^FILE: (?<path>.+)\\nTEXT: (?<content>.+)$'\`, \`call: { tool: write_file }\` |
| a multi-line string | \`pattern: '^WRITE (?<path>\\S+)\\n(?<content>[\\s\\S]+?)\\nEND$'\`, \`call: { tool: write_file }\` |
| JSON with other keys and tool names: \`<run>{"do": "shell", "with": {"cmd": "ls"}}</run>\` | \`pattern: '<run>(?<body>…)</run>'\`, \`body: envelope\`, \`envelope: { name: [do], arguments: [with] }\`, \`call: { tool: { shell: execute_command }, parameters: { command: $cmd } }\` |
| attributes: \`<call tool="f" k="v"/>\` | \`pattern: '<call tool="{tool}"(?<body>…)/>'\`, \`body: tagged\`, \`tagged: { item: '(?<key>\\w+)="(?<value>…)"' }\` |

Put patterns in single quotes, so that you don't have to escape backslashes. To test a rule, run these commands:

- \`dragoman check rules/list.yaml\` prints each error with the corrected line.
- \`dragoman transform --tools request.json answer.txt\` prints the calls in a text.
- \`dragoman trace answer.txt\` explains each decision.

## Rules and evidence

Write a rule for a dialect, not for its misspellings. Rules describe the correct notation, so that Dragoman can send calls while
the model is still writing them. At the end of an answer, a second reader looks at calls that no rule reads or that are damaged. It
uses evidence instead of a dialect: the name of an offered tool, its parameters, and the markup around them.

    the model's text ─▶ rules ─▶ calls, while they arrive
                          │ unread or damaged calls
                          ▼
                        evidence: an offered name, its parameters, the markup around them ─▶ calls, or text with a reason

The log marks such calls with the reason \`read_by_evidence\`. If that reason appears often for a model, write a rule, so that
those calls arrive earlier. For details, see [Evidence](../src/engine/evidence/README.md).

## Fields

${table(schema)}
## Bodies

${bodies()}
${BODY_FIELDS.map((body) => `### \`${body}\`\n\n${table(schema.properties?.[body] ?? {})}`).join("\n")}
## \`call\`

${table(schema.properties?.["call"] ?? {})}
## \`speak\`

\`speak\` defines how Dragoman writes the dialect for a model that gets no \`tools\`; see
[Servers without tools](../src/docs/guide/prompted.md). Each string is a template with placeholders, which are words in braces. To
write a literal brace before a word, use \`\\{\`.

${table(schema.properties?.["speak"] ?? {})}
## Examples

${table(schema.properties?.["examples"]?.items ?? {})}
A case under \`untouched\` has the same fields except \`text\` and \`calls\`, because its text must stay unchanged. \`check\` reads
each case as a whole, one character at a time, and split at every position.

## Where a rule applies

| question | field |
|---|---|
| Where can a call begin? | \`begins\` |
| What can follow it? | \`followed_by\` |
| Can it be in code? | \`in_code\`. A call in code is usually an example, unless the dialect's markers are special tokens |
| Which rule wins if several match at the same position? | \`confidence\`. Below \`policy.minimum_confidence\`, a rule makes no call |
| When does the client get it? | \`commit\` |

## Forms

Models write a dialect in several ways; for example, an empty call can be a self-closing tag. List the variants under \`forms\`.
Each form is a rule with its own \`name\`, \`pattern\`, and examples. It inherits all of the file's other fields that apply to its
\`body\`. Settings and logs use a form's name like a rule's name.

## Patterns

A pattern is a regular expression that can run while the text is arriving. It supports literals, classes, groups,
\`| ? * + {m,n}\`, \`^\` at the start, \`$\` or a look-ahead at the end, a look-ahead before the hole, and \`\\k<name>\` after the
hole. Look-behind, negative look-ahead, and \`\\b\` aren't supported; \`check\` suggests an alternative.

- \`(?<body>…)\` is the hole of a rule, and \`(?<value>…)\` is the hole of an item. \`…\` is the character U+2026. The call ends at
  the first text that matches the part after the hole.
- Without \`…\`, the last group (or the group \`body\`) is the hole, and the hole's content must match that group. If the groups are optional
  or alternatives, the whole pattern is the opener. A group at the end, such as \`\\S+\`, ends before the first character that
  doesn't match.
- \`{tool}\` matches the name of a tool.
- \`^\` matches at the start of a line, before or after its indentation.
- \`$\` at the end matches before a line break and at the end of the answer. If the closer of a \`text\` body is a line break, the
  end of the answer also closes the body.
- A look-ahead at the end, \`…</call>(?=\\n)\`, also matches at the end of the answer. An item can't have one, because its value
  always ends before another item, the end of the call, or the end of the answer.
- A look-ahead directly before the hole, \`(?=<arg>)\`, checks the beginning of the body. With \`begins: answer\`, it can be the
  whole opener. The alternative \`$\`, as in \`(?=<arg>|$)\`, matches at the end of the answer.
- \`\\k<name>\` in an item refers to a group of the item's opener or of the rule's pattern.
- A group \`(?<before>…)\` at the very beginning matches text that introduces the call. Dragoman leaves that text in the
  answer.
- Optional groups at the very beginning and the very end form a wrapper. If a call begins with the wrapper, the
  call's closer counts only if the wrapper's closer, the next call, or the end of the answer follows.
- A counted repeat such as \`{1,512}\` can't exceed 512, and a match can't be longer than 512 characters, including look-ahead.
  A pattern is limited to 4,096 characters, 50 nested groups, and 20,000 steps after its repeats are expanded.
`;
}

const BODY_FIELDS = ["json", "envelope", "call_list", "tagged", "opaque", "group"] as const;

const BODIES: Readonly<Record<(typeof BODY_KINDS)[number], readonly [reads: string, looks: string]>> = {
  text: ["text, which becomes a parameter (`call.parameters`)", "npm test"],
  json: ["the arguments as one object", '{"path": "a"}'],
  envelope: ["one or more objects with a name and arguments", '{"name": "f", "arguments": {…}}'],
  call_list: [
    "one or more calls in Python notation, with Python or JSON literals",
    '[f(a=1, b=["x"]), g()]',
  ],
  tagged: ["items, each with a key and a value", "<p=path>a</p><p=line>5</p>"],
  yaml: [
    "the arguments as a YAML block; the tool's schema decides the types of plain scalars",
    "path: a",
  ],
  none: ["nothing: the call has no arguments", ""],
  opaque: ["text in which Dragoman makes no calls", "example"],
  group: ["calls that other rules read", "<call>…</call><call>…</call>"],
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
  return `| field | meaning |\n|---|---|\n${rows.join("\n")}\n`;
}
