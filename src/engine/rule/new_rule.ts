/** The file of a rule to begin with, which passes the check. @module */

/** The text of the file of a rule, without the line of its schema. */
export function newRuleText(name: string): string {
  return `rule: ${name}
description: How the model writes a call, in one sentence
pattern: '<${name} {tool}>(?<body>…)</${name}>'   # {tool}: the tool's name; …: the body
body: json                            # the body is the JSON of the arguments; rules/README.md lists the others
confidence: 0.95
examples:
  - name: one call after a sentence
    offered: { read_file: { path: string } }
    input: |-
      I'll read it.
      <${name} read_file>{"path": "a.txt"}</${name}>
    text: "I'll read it.\\n"
    calls: [{ tool: read_file, arguments: { path: a.txt } }]
untouched:
  - name: a tool that the request does not offer
    offered: [write_file]
    input: '<${name} read_file>{"path": "a.txt"}</${name}>'
`;
}
