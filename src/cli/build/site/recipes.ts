/** Recipes, agent × server, from the two tables of `src/docs/agents.md`; a test compares their versions. @module */

import { settingsOf } from "../../init.ts";

/** A page of the site, as Markdown. */
export interface Written {
  /** Its path in the site, from the repository's folder: links are relative to it. */
  readonly path: string;
  readonly markdown: string;
}

/** The rows of the table whose head begins with these cells. */
function tableRows(page: string, head: string): string[][] {
  const [, after] = page.split(`\n| ${head} |`, 2);
  if (after === undefined) throw new Error(`agents.md: no table begins with | ${head} |; write it as before`);
  const [, , ...lines] = after.split("\n\n", 1)[0]!.split("\n");
  return lines.map((line) => line.split("|").slice(1, -1).map((cell) => cell.trim()));
}

export function writeRecipes(page: string): Written[] {
  const servers = tableRows(page, "model server | base URL");
  const agents = tableRows(page, "agent | wire | setting | tested").map(([name = "", ...cells]) => ({
    name,
    file: `recipe-${slug(name)}.md`,
    cells,
  }));
  const rows = agents.map(({ name, file }) =>
    `| ${name} | ${servers.map(([server = ""]) => `[${server}](${file}#${slug(server)})`).join(", ")} |`
  );
  const list = [
    "# Recipes",
    "",
    "Choose your agent and your model server. Any other server with chat completions works in the same way, with its base URL.",
    "",
    "| agent | model server |",
    "|---|---|",
    ...rows,
    "",
  ].join("\n");
  return [{ path: "src/docs/recipes.md", markdown: list }, ...agents.map((agent) => recipe(agent, servers))];
}

interface Agent {
  readonly name: string;
  readonly file: string;
  /** Wire, setting, version that the tests run. */
  readonly cells: readonly string[];
}

function recipe({ name, file, cells }: Agent, servers: readonly (readonly string[])[]): Written {
  const [wire = "", setting = "", tried = ""] = cells;
  const version = tried === "" ? "The tests don't run it." : `The tests run ${name} ${tried}.`;
  const sections = servers.map(([server = "", url = ""]) =>
    `## ${server}

1. Start Dragoman:

   \`\`\`sh
   npx -y deno@2.9.6 task start --upstream ${url.replaceAll("`", "")}
   \`\`\`

2. ${settingText(name, setting)}
`
  );
  const intro = `It speaks ${wire} ([wires](reference/wires.md)). ${version}`;
  return { path: `src/docs/${file}`, markdown: `# ${name}\n\n${intro}\n\n${sections.join("\n")}` };
}

/** The lines that `init` prints for the agent, ready to copy; for another one, the cell of the table. */
function settingText(name: string, setting: string): string {
  const [head = "", , ...lines] = settingsOf(slug(name));
  if (lines.length === 0) return `Set in ${name}: ${setting}`;
  const code = lines.map((line) => `   ${line.slice(4)}`.trimEnd()).join("\n");
  return `${head.trim()}\n\n   \`\`\`\n${code}\n   \`\`\``;
}

function slug(text: string): string {
  return text.toLowerCase().replace(/[^a-z0-9\s-]/g, "").replaceAll(" ", "-");
}
