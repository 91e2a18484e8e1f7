/**
 * Answers as models give them when they call nothing: prose, code, data that was asked for, documentation of tools.
 * They name the offered tools and hold much of what dialects are made of.
 *
 * @module
 */

/** The tools that the requests offer. */
export const OFFERED_NAMES = ["read_file", "write_file", "bash", "search", "get_weather", "list_files"];

const TOOLS = OFFERED_NAMES;
const WORDS = ["path", "city", "query", "config", "the result", "a list", "users", "index.ts", "the cache"];
const VALUES = ["src/a.ts", "Paris", "*.md", "42", "true", "null", "Ada"];

/** One kind of text: what it is made of is picked by `pick`, so that a number makes the same text again. */
type Kind = (pick: <T>(list: readonly T[]) => T) => string;

const SENTENCES: readonly Kind[] = [
  (pick) => `First I would look at ${pick(WORDS)}, then call ${pick(TOOLS)} with ${pick(WORDS)}.`,
  (pick) =>
    `Use \`${pick(TOOLS)}\` for that: \`${pick(TOOLS)}(path="${pick(VALUES)}")\` returns ${pick(WORDS)}.`,
  (pick) =>
    `The function ${pick(TOOLS)}() takes { ${pick(WORDS)} } and returns [${pick(VALUES)}, ${pick(VALUES)}].`,
  (pick) => `Action: ${pick(TOOLS)} is what runs next. Action items: ${pick(WORDS)}.`,
  (pick) =>
    `A <${pick(TOOLS)}> element has no attribute "${pick(WORDS)}"; see [${pick(TOOLS)}](#${pick(TOOLS)}).`,
  (pick) => `It prints <tool_call> or [TOOL_CALLS] or <function=${pick(TOOLS)}> before the arguments.`,
  (pick) => `functions.${pick(TOOLS)} and to=functions.${pick(TOOLS)} are names of the same thing.`,
  (pick) => `- [x] ${pick(TOOLS)}(path="${pick(VALUES)}") is done\n- [ ] ${pick(WORDS)} is open`,
  (pick) => `| tool | ${pick(WORDS)} |\n|---|---|\n| ${pick(TOOLS)} | ${pick(VALUES)} |`,
  (pick) => `> ${pick(TOOLS)}\n> {"path": "${pick(VALUES)}"}\n\nis what you wrote.`,
];

const DATA: readonly Kind[] = [
  (pick) =>
    JSON.stringify({
      name: pick(["Ada", "Grace", "demo-app"]),
      parameters: { born: 1815 },
      note: pick(WORDS),
    }),
  (pick) => JSON.stringify([{ name: pick(VALUES), size: 12 }, { name: pick(WORDS), size: 7 }]),
  (pick) => JSON.stringify({ steps: [{ name: pick(TOOLS), parameters: { path: pick(VALUES) } }] }, null, 2),
  (pick) =>
    JSON.stringify({
      name: pick(TOOLS),
      description: "A tool",
      parameters: { type: "object", properties: {} },
    }),
  (pick) =>
    JSON.stringify({ type: "function", function: { name: pick(TOOLS), parameters: { type: "object" } } }),
  (pick) =>
    JSON.stringify({ type: "object", properties: { name: { type: "string" } }, required: [pick(WORDS)] }),
  (pick) => JSON.stringify({ arguments: [pick(VALUES)], name: pick(["main", "build"]) }),
  (pick) => `["${pick(VALUES)}", "${pick(VALUES)}"]`,
  (pick) => `name: ${pick(TOOLS)}\nargs:\n  - ${pick(VALUES)}\n  - ${pick(VALUES)}\n`,
  (pick) => `<config><name>${pick(TOOLS)}</name><parameter name="x">${pick(VALUES)}</parameter></config>`,
];

const CODE: readonly (readonly [language: string, kind: Kind])[] = [
  ["python", (pick) => `files = [${pick(TOOLS)}(path="${pick(VALUES)}")]\nprint(files)`],
  ["python", (pick) => `[${pick(["print", "len"])}("${pick(VALUES)}") for x in range(3)]`],
  ["ts", (pick) => `const result = await ${pick(TOOLS)}({ path: "${pick(VALUES)}" });\nconsole.log(result);`],
  ["js", (pick) => `module.exports = { ${pick(TOOLS)}: (path) => fs.readFileSync(path, "utf8") };`],
  ["go", (pick) => `func main() {\n\tfmt.Println("${pick(VALUES)}")\n}`],
  ["rust", (pick) => `fn ${pick(TOOLS)}(path: &str) -> Option<String> {\n    None\n}`],
  ["java", (pick) => `List<String> names = Arrays.asList("${pick(VALUES)}");`],
  ["c", (pick) => `int main(void) {\n  printf("%s\\n", "${pick(VALUES)}");\n}`],
  ["sh", (pick) => `$ ${pick(["ls -la", "cat a.txt"])}\n${pick(VALUES)}`],
  ["html", (pick) => `<search><input type="text" name="${pick(WORDS)}"></search>`],
  ["sql", (pick) => `SELECT name, parameters FROM tools WHERE name = '${pick(TOOLS)}';`],
  ["ruby", (pick) => `def ${pick(TOOLS)}(path)\n  File.read(path)\nend`],
  ["php", (pick) => `<?php echo ${pick(TOOLS)}("${pick(VALUES)}"); ?>`],
  ["json", (pick) => `{"mcpServers": {"${pick(TOOLS)}": {"command": "npx", "args": ["-y"]}}}`],
  ["", (pick) => `>>> ${pick(TOOLS)}("${pick(VALUES)}")\n'${pick(VALUES)}'`],
];

/** The answer of a number: the same number always gives the same one. */
export function ordinaryText(number: number): string {
  const next = numbers(number);
  const pick = <T>(list: readonly T[]): T => list[next() % list.length]!;
  const fenced = () => {
    const [language, kind] = pick(CODE);
    return `\`\`\`${language}\n${kind(pick)}\n\`\`\``;
  };
  const bare = () => pick(CODE)[1](pick);
  const prose = () => Array.from({ length: 1 + next() % 3 }, () => pick(SENTENCES)(pick)).join(" ");
  const shapes = [
    () => prose(),
    () => pick(DATA)(pick),
    () => `${prose()}\n\n${fenced()}\n\n${prose()}`,
    () => `${fenced()}\n`,
    () => bare(),
    () => `${prose()}\n\n${pick(DATA)(pick)}\n`,
    () => `${prose()}\n\n1. ${prose()}\n2. ${prose()}\n`,
    () => `<think>\n${prose()}\n</think>\n\n${pick([prose, bare, () => pick(DATA)(pick)])()}`,
  ];
  return pick(shapes)();
}

/** Numbers that look as if they had no order. */
function numbers(seed: number): () => number {
  let state = (seed + 1) * 2_654_435_761 >>> 0;
  return () => {
    state = (Math.imul(state ^ (state >>> 15), 2_246_822_519) + 0x9e3779b9) >>> 0;
    return state >>> 3;
  };
}

/** A paragraph full of the letters with which the words of dialects begin. */
export const PROSE =
  "The total of the list is what the function returns after it takes the first of the items from that store. To find it, look at the file that holds the rest of the tests, then try the fix for the failing function.\n";
