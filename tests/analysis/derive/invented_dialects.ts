/**
 * Dialects that no model speaks, each with an answer to learn from and other answers of the same dialect.
 *
 * @module
 */

export interface InventedDialect {
  /** What it looks like. */
  readonly name: string;
  /** The answer to learn from: a call of `write_file` with `path` `src/a.ts` and `content` `let x = 1;`. */
  readonly answer: string;
  /** Another answer: a call of `read_file` with `path` `b.md`. */
  readonly other: string;
  /** A call of `write_file` whose content is `LINES`, where the dialect can hold line breaks. */
  readonly lines?: string;
  /** Why there is no rule; absent: there is one. */
  readonly refused?: RegExp;
  /** Whether the answer is too much like ordinary text for a near miss. */
  readonly isOrdinary?: boolean;
}

/** A content of several lines. */
export const LINES = "let x = 1;\n\nlet y = 2;";

export const INVENTED_DIALECTS: readonly InventedDialect[] = [
  {
    name: "lines with :=",
    answer: "I will write it.\n@@call write_file\npath := src/a.ts\ncontent := let x = 1;\n@@end\n",
    other: "@@call read_file\npath := b.md\n@@end",
  },
  {
    name: "elements whose closing tags are indented",
    answer:
      'Okay.\n<run name="write_file">\n  <item key="path">\nsrc/a.ts\n  </item>\n  <item key="content">\nlet x = 1;\n  </item>\n</run>\n',
    other: '<run name="read_file">\n  <item key="path">\nb.md\n  </item>\n</run>',
    lines:
      `<run name="write_file">\n  <item key="path">\nb.md\n  </item>\n  <item key="content">\n${LINES}\n  </item>\n</run>`,
  },
  {
    name: "elements that close themselves in an element",
    answer:
      'Okay.\n<run tool="write_file">\n  <arg name="path" value="src/a.ts"/>\n  <arg name="content" value="let x = 1;"/>\n</run>\n',
    other: '<run tool="read_file">\n  <arg name="path" value="b.md"/>\n</run>',
    lines:
      '<run tool="write_file">\n  <arg name="path" value="b.md"/>\n  <arg name="content" value="let x = 1;&#10;&#10;let y = 2;"/>\n</run>',
  },
  {
    name: "parameters in the tool's own element",
    answer:
      "Okay.\n<write_file>\n<parameters>\n<path>src/a.ts</path>\n<content>let x = 1;</content>\n</parameters>\n</write_file>\n",
    other: "<read_file>\n<parameters>\n<path>b.md</path>\n</parameters>\n</read_file>",
    lines:
      `<write_file>\n<parameters>\n<path>b.md</path>\n<content>${LINES}</content>\n</parameters>\n</write_file>`,
  },
  {
    name: "a list with keys in code",
    answer: "Okay.\n## Use write_file\n* `path`: src/a.ts\n* `content`: let x = 1;\n## End\n",
    other: "## Use read_file\n* `path`: b.md\n## End",
    isOrdinary: true,
  },
  {
    name: "a call in a chain",
    answer: 'Okay.\ncall("write_file").with("path", "src/a.ts").with("content", "let x = 1;").go()\n',
    other: 'call("read_file").with("path", "b.md").go()',
  },
  {
    name: "a word in capitals after the last value",
    answer: 'Okay.\nUSE write_file WITH path="src/a.ts", content="let x = 1;" NOW\n',
    other: 'USE read_file WITH path="b.md" NOW',
  },
  {
    name: "a table in a frame",
    answer:
      "Okay.\nTOOL CALL\n| tool | write_file |\n| path | src/a.ts |\n| content | let x = 1; |\nEND TOOL CALL\n",
    other: "TOOL CALL\n| tool | read_file |\n| path | b.md |\nEND TOOL CALL",
    isOrdinary: true,
  },
  {
    name: "words that no spaces separate",
    answer: "Okay.\n调用:write_file\n参数 path:src/a.ts\n参数 content:let x = 1;\n结束调用\n",
    other: "调用:read_file\n参数 path:b.md\n结束调用",
  },
  {
    name: "lines with ->",
    answer: "Okay.\n%% write_file\npath -> src/a.ts\ncontent -> let x = 1;\n%% done\n",
    other: "%% read_file\npath -> b.md\n%% done",
  },
  {
    name: "lines with =>",
    answer: "Okay.\nAction => write_file\npath => src/a.ts\ncontent => let x = 1;\nAction => end\n",
    other: "",
    refused: /^The marker after a call looks like a parameter.*Next: /,
  },
  {
    name: "lines with ~>",
    answer: "Okay.\n$run write_file\n$with path ~> src/a.ts\n$with content ~> let x = 1;\n$go\n",
    other: "$run read_file\n$with path ~> b.md\n$go",
  },
  {
    name: "tags for key, type and value",
    answer:
      "Okay.\n<act>write_file</act>\n<k>path</k><t>string</t><v>src/a.ts</v>\n<k>content</k><t>string</t><v>let x = 1;</v>\n<end/>\n",
    other: "<act>read_file</act>\n<k>path</k><t>string</t><v>b.md</v>\n<end/>",
    lines:
      `<act>write_file</act>\n<k>path</k><t>string</t><v>b.md</v>\n<k>content</k><t>string</t><v>${LINES}</v>\n<end/>`,
  },
  {
    name: "S-expressions",
    answer: 'Okay.\n(call write_file (path "src/a.ts") (content "let x = 1;"))\n',
    other: '(call read_file (path "b.md"))',
    lines: '(call write_file (path "b.md") (content "let x = 1;\\n\\nlet y = 2;"))',
  },
  {
    name: "a table in two brackets",
    answer: 'Okay.\n\n[[write_file]]\npath = "src/a.ts"\ncontent = "let x = 1;"\n',
    other: '[[read_file]]\npath = "b.md"\n',
  },
  {
    name: "a section",
    answer: "Okay.\n\n[tool.write_file]\npath = src/a.ts\ncontent = let x = 1;\n[end]\n",
    other: "[tool.read_file]\npath = b.md\n[end]",
  },
  {
    name: "a block of YAML",
    answer: "Okay.\n\n%YAML-CALL\ntool: write_file\nargs:\n  path: src/a.ts\n  content: let x = 1;\n%END\n",
    other: "%YAML-CALL\ntool: read_file\nargs:\n  path: b.md\n%END",
    lines:
      "%YAML-CALL\ntool: write_file\nargs:\n  path: 'b.md'\n  content: |-\n    let x = 1;\n\n    let y = 2;\n%END",
  },
  {
    name: "a request of HTTP",
    answer: "Okay.\n\nCALL /write_file TOOL/1.0\npath: src/a.ts\ncontent: let x = 1;\n\n",
    other: "CALL /read_file TOOL/1.0\npath: b.md\n\n",
  },
  {
    name: "a call in code",
    answer: 'Okay.\n\ntools.write_file({ path: "src/a.ts", content: "let x = 1;" });\n',
    other: 'tools.read_file({ path: "b.md" });',
  },
  {
    name: "a call in code with the name as a text",
    answer: 'Okay.\n\nawait tool("write_file", {"path": "src/a.ts", "content": "let x = 1;"});\n',
    other: 'await tool("read_file", {"path": "b.md"});',
  },
  {
    name: "pipes",
    answer: "Okay.\n|tool|write_file|path=src/a.ts|content=let x = 1;|end|\n",
    other: "|tool|read_file|path=b.md|end|",
  },
  {
    name: "a table of Markdown",
    answer: "Okay.\n\n| tool | write_file |\n|---|---|\n| path | src/a.ts |\n| content | let x = 1; |\n",
    other: "| tool | read_file |\n|---|---|\n| path | b.md |\n",
    isOrdinary: true,
    refused: /^Nothing marks the end of a call.*Next: /,
  },
  {
    name: "attributes of a shell command",
    answer: "Okay.\n$ tool write_file --path='src/a.ts' --content='let x = 1;'\n",
    other: "$ tool read_file --path='b.md'\n",
    refused: /^Nothing marks the end of a call.*Next: /,
  },
  {
    name: "headers between two colons",
    answer: "Okay.\n:: write_file ::\n:path: src/a.ts\n:content: let x = 1;\n:: end ::\n",
    other: ":: read_file ::\n:path: b.md\n:: end ::",
  },
  {
    name: "values in backticks",
    answer: "Okay.\n>>> write_file\npath: `src/a.ts`\ncontent: `let x = 1;`\n<<<\n",
    other: ">>> read_file\npath: `b.md`\n<<<",
  },
  {
    name: "a type between key and value",
    answer: "Okay.\n@@write_file\npath: string = src/a.ts\ncontent: string = let x = 1;\n@@done\n",
    other: "",
    refused: /^Every value would begin with a type.*Next: /,
  },
  {
    name: "a type after the value",
    answer:
      "Okay.\n<a>write_file</a>\n<k>path</k><v>src/a.ts</v><t>string</t>\n<k>content</k><v>let x = 1;</v><t>string</t>\n<end/>\n",
    other: "",
    refused: /^Every value would begin or end with .*Next: /,
  },
  {
    name: "a sign after a tag",
    answer: "Okay.\n<tool:write_file>\n<path>: src/a.ts\n<content>: let x = 1;\n</tool>\n",
    other: "",
    refused: /^There are two interpretations: .*Next: /,
  },
  {
    name: "double angle brackets",
    answer:
      "Sure.\n<<TOOL:write_file>>\n<<ARG path>>src/a.ts<</ARG>>\n<<ARG content>>let x = 1;<</ARG>>\n<</TOOL>>\n",
    other: "<<TOOL:read_file>>\n<<ARG path>>b.md<</ARG>>\n<</TOOL>>",
    lines: `<<TOOL:write_file>>\n<<ARG path>>b.md<</ARG>>\n<<ARG content>>${LINES}<</ARG>>\n<</TOOL>>`,
  },
  {
    name: "directives with signs",
    answer: "Okay.\n#!tool write_file\n#path src/a.ts\n#content let x = 1;\n#!run\n",
    other: "#!tool read_file\n#path b.md\n#!run",
  },
  {
    name: "values on the lines after their keys",
    answer: "Okay.\n<<<write_file\n@path\nsrc/a.ts\n@content\nlet x = 1;\n>>>\n",
    other: "<<<read_file\n@path\nb.md\n>>>",
    lines: `<<<write_file\n@path\nb.md\n@content\n${LINES}\n>>>`,
  },
  {
    name: "options on lines of their own",
    answer: "Okay.\n@write_file\n--path\nsrc/a.ts\n--content\nlet x = 1;\n@@\n",
    other: "@read_file\n--path\nb.md\n@@",
  },
  {
    name: "two braces",
    answer: 'Okay.\n{{write_file | path: "src/a.ts" | content: "let x = 1;"}}\n',
    other: '{{read_file | path: "b.md"}}',
  },
  {
    name: "a block between words in capitals",
    answer: 'Okay.\nTOOL write_file\n  path = "src/a.ts"\n  content = "let x = 1;"\nEND TOOL\n',
    other: 'TOOL read_file\n  path = "b.md"\nEND TOOL',
  },
  {
    name: "a card that ends with its name",
    answer: "Okay.\nBEGIN:write_file\npath:src/a.ts\ncontent:let x = 1;\nEND:write_file\n",
    other: "BEGIN:read_file\npath:b.md\nEND:read_file",
  },
  {
    name: "keywords of Lisp",
    answer: 'Okay.\n(write_file :path "src/a.ts" :content "let x = 1;")\n',
    other: '(read_file :path "b.md")',
    lines: '(write_file :path "b.md" :content "let x = 1;\\n\\nlet y = 2;")',
  },
  {
    name: "keyword arguments with colons",
    answer: 'Okay.\ncall! write_file(path: "src/a.ts", content: "let x = 1;")\n',
    other: 'call! read_file(path: "b.md")',
    lines: 'call! write_file(path: "b.md", content: "let x = 1;\\n\\nlet y = 2;")',
  },
  {
    name: "a macro",
    answer: 'Okay.\ntool!(write_file, path = "src/a.ts", content = "let x = 1;");\n',
    other: 'tool!(read_file, path = "b.md");',
    lines: 'tool!(write_file, path = "b.md", content = "let x = 1;\\n\\nlet y = 2;");',
  },
  {
    name: "assignments in a block with a quoted name",
    answer: 'Okay.\ntool "write_file" {\n  path = "src/a.ts"\n  content = "let x = 1;"\n}\n',
    other: 'tool "read_file" {\n  path = "b.md"\n}',
    lines: 'tool "write_file" {\n  path = "b.md"\n  content = "let x = 1;\\n\\nlet y = 2;"\n}',
  },
  {
    name: "emoji",
    answer: "Okay.\n🔧 write_file\n📎 path: src/a.ts\n📎 content: let x = 1;\n✅\n",
    other: "🔧 read_file\n📎 path: b.md\n✅",
  },
  {
    name: "comments with signs",
    answer: "Okay.\n//@tool write_file\n//@param path src/a.ts\n//@param content let x = 1;\n//@end\n",
    other: "//@tool read_file\n//@param path b.md\n//@end",
  },
  {
    name: "attributes of an element that closes itself",
    answer: 'Okay.\n<tool:write_file path="src/a.ts" content="let x = 1;"/>\n',
    other: '<tool:read_file path="b.md"/>',
    lines: '<tool:write_file path="b.md" content="let x = 1;&#10;&#10;let y = 2;"/>',
  },
  {
    name: "blocks of a template",
    answer:
      "Okay.\n{% call write_file %}\n{% set path %}src/a.ts{% endset %}\n{% set content %}let x = 1;{% endset %}\n{% endcall %}\n",
    other: "{% call read_file %}\n{% set path %}b.md{% endset %}\n{% endcall %}",
    lines:
      `{% call write_file %}\n{% set path %}b.md{% endset %}\n{% set content %}${LINES}{% endset %}\n{% endcall %}`,
  },
  {
    name: "a message as Protocol Buffers print it",
    answer:
      'Okay.\ncall {\n  tool: "write_file"\n  arg { key: "path" value: "src/a.ts" }\n  arg { key: "content" value: "let x = 1;" }\n}\n',
    other: 'call {\n  tool: "read_file"\n  arg { key: "path" value: "b.md" }\n}',
  },
  {
    name: "tags of number signs",
    answer: "Okay.\n#tool:write_file#\n#path#src/a.ts#/path#\n#content#let x = 1;#/content#\n#/tool#\n",
    other: "#tool:read_file#\n#path#b.md#/path#\n#/tool#",
    lines: `#tool:write_file#\n#path#b.md#/path#\n#content#${LINES}#/content#\n#/tool#`,
  },
  {
    name: "here-documents",
    answer: "Okay.\n!tool write_file\npath <<END\nsrc/a.ts\nEND\ncontent <<END\nlet x = 1;\nEND\n!run\n",
    other: "!tool read_file\npath <<END\nb.md\nEND\n!run",
    lines: `!tool write_file\npath <<END\nb.md\nEND\ncontent <<END\n${LINES}\nEND\n!run`,
  },
  {
    name: "commands of LaTeX",
    answer: "Okay.\n\\tool{write_file}{\\arg{path}{src/a.ts}\\arg{content}{let x = 1;}}\n",
    other: "",
    refused: /Next: /,
  },
  {
    name: "the name after the arguments",
    answer: 'Okay.\n{"path": "src/a.ts", "content": "let x = 1;"} |> write_file\n',
    other: "",
    refused: /comes after its parameters.*Next: /,
    isOrdinary: true,
  },
  {
    name: "a section that opens with signs and a name in a field",
    answer: "Okay.\n+++call\nname: write_file\npath: src/a.ts\ncontent: let x = 1;\n+++\n",
    other: "+++call\nname: read_file\npath: b.md\n+++",
    lines: `+++call\nname: write_file\npath: b.md\ncontent: ${LINES}\n+++`,
  },
  {
    name: "a parenthesis that opens with a word",
    answer: "Okay.\n(run-tool write_file\n  path: src/a.ts\n  content: let x = 1;\n)\n",
    other: "(run-tool read_file\n  path: b.md\n)",
  },
  {
    name: "an opening line of dashes",
    answer: "Okay.\n---tool-call write_file\npath: src/a.ts\ncontent: let x = 1;\n---end\n",
    other: "---tool-call read_file\npath: b.md\n---end",
    lines: `---tool-call write_file\npath: b.md\ncontent: ${LINES}\n---end`,
  },
  {
    name: "a tag for the key and one for the value",
    answer:
      "Okay.\n<call>write_file</call>\n<n>path</n><x>src/a.ts</x>\n<n>content</n><x>let x = 1;</x>\n<done/>\n",
    other: "<call>read_file</call>\n<n>path</n><x>b.md</x>\n<done/>",
    lines: `<call>write_file</call>\n<n>path</n><x>b.md</x>\n<n>content</n><x>${LINES}</x>\n<done/>`,
  },
  {
    name: "attributes next to the name",
    answer: 'Okay.\n<invoke-tool name="write_file" path="src/a.ts" content="let x = 1;"/>\n',
    other: '<invoke-tool name="read_file" path="b.md"/>',
  },
  {
    name: "quoted values between bars in a tag",
    answer: 'Okay.\n<tool|write_file|path:"src/a.ts"|content:"let x = 1;">\n',
    other: '<tool|read_file|path:"b.md">',
    lines: `<tool|write_file|path:"b.md"|content:${JSON.stringify(LINES)}>`,
  },
  {
    name: "tokens before the key and around the value",
    answer:
      "Okay.\n<|tool|>write_file<|key|>path<|val|>src/a.ts<|/val|><|key|>content<|val|>let x = 1;<|/val|><|/tool|>\n",
    other: "<|tool|>read_file<|key|>path<|val|>b.md<|/val|><|/tool|>",
    lines: `<|tool|>write_file<|key|>path<|val|>b.md<|/val|><|key|>content<|val|>${LINES}<|/val|><|/tool|>`,
  },
  {
    name: "elements of a namespace",
    answer:
      "Okay.\n<ai:write_file><ai:path>src/a.ts</ai:path><ai:content>let x = 1;</ai:content></ai:write_file>\n",
    other: "<ai:read_file><ai:path>b.md</ai:path></ai:read_file>",
    lines: `<ai:write_file><ai:path>b.md</ai:path><ai:content>${LINES}</ai:content></ai:write_file>`,
  },
  {
    name: "a backslash in an attribute",
    answer: 'Okay.\n<invoke-tool name="write_file" path="src/a.ts" content="let x = 1;\\n"/>\n',
    other: "",
    refused: /nothing shows whether it escapes.*Next: derive from an answer whose values have no backslashes/,
  },
  ...["as", "equals", "set to", "is:", "←", "≔", "%", "—"].map((word): InventedDialect => ({
    name: `the separator ${word}`,
    answer: `Okay.\n@call write_file\n@path ${word} src/a.ts\n@content ${word} let x = 1;\n@end\n`,
    other: `@call read_file\n@path ${word} b.md\n@end`,
    lines: `@call write_file\n@path ${word} b.md\n@content ${word} ${LINES}\n@end`,
  })),
];

/** Dialects as a model writes them when a value has several lines, which is the normal case. */
export const SEVERAL_LINES: readonly string[] = [
  `@@invoke write_file\n@arg path = src/a.ts\n@arg content = ${LINES}\n@@end`,
  `@@call write_file\npath := src/a.ts\ncontent := ${LINES}\n@@end`,
  `⟦call write_file⟧\n⟦path⟧src/a.ts⟦/path⟧\n⟦content⟧${LINES}⟦/content⟧\n⟦/call⟧`,
  `🔧 write_file\n📎 path: src/a.ts\n📎 content: ${LINES}\n✅`,
  `:: write_file ::\npath: src/a.ts\ncontent: ${LINES}\n:: end ::`,
  `(run-tool write_file\n  path: src/a.ts\n  content: let x = 1;\n\n    let y = 2;\n)`,
  "%YAML-CALL\ntool: write_file\nargs:\n  path: src/a.ts\n  content: |-\n    let x = 1;\n\n    let y = 2;\n%END",
];
