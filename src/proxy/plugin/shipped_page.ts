/** Writes the page about the shipped plugins from the plugins, so that the two always agree. @module */
import { BUILT_IN_PLUGINS } from "./built_in.ts";
import type { OptionField, Plugin } from "./mod.ts";
import { readPlugin } from "./read.ts";

export async function shippedPlugins(): Promise<Plugin<unknown>[]> {
  const loaded = await Promise.all(Object.values(BUILT_IN_PLUGINS).map((load) => load()));
  return loaded.flatMap((module) => {
    const read = readPlugin(module.default);
    return "plugin" in read ? [read.plugin] : [];
  });
}

export function shippedPluginsPage(plugins: readonly Plugin<unknown>[]): string {
  return `# The shipped plugins

\`deno task generate\` writes this page from the plugins, and \`dragoman plugins\` prints it. Name a plugin in
\`dragoman.yaml\`:

\`\`\`yaml
plugins:
  - use: ${plugins[0]?.name}
    # its options
\`\`\`
${plugins.map(section).join("")}`;
}

function section({ name, description, requires = [], options = {} }: Plugin<unknown>): string {
  const needs = requires.length === 0
    ? ""
    : ` It requires ${requires.map((one) => `\`${one}\``).join(", ")}.`;
  const rows = Object.entries(options).map(([option, field]) =>
    `| \`${option}\` | ${valueOf(field)} | ${defaultOf(field)} | ${inCell(field.description ?? "")} |`
  );
  const table = ["| option | value | default | meaning |", "|---|---|---|---|", ...rows];
  const text = rows.length === 0 ? "It has no options." : table.join("\n");
  return `\n## ${name}\n\n${description ?? ""}.${needs}\n\n${text}\n`;
}

/** The values that an option takes: `"deny" or "ask"`, `a number from 1`. */
export function valueOf({ type, values, minimum }: OptionField): string {
  if (values !== undefined) return values.map((value) => `\`${value}\``).join(" or ");
  const least = minimum === undefined ? "" : ` from ${minimum}`;
  return {
    text: "a text",
    texts: "a list of texts",
    number: `a number${least}`,
    boolean: "true or false",
    mapping: "a mapping",
  }[type];
}

/** The default of an option; an option without one is required. */
export function defaultOf({ default: value }: OptionField): string {
  return value === undefined ? "required" : `\`${inCell(JSON.stringify(value))}\``;
}

function inCell(text: string): string {
  return text.replaceAll("|", "\\|").replaceAll("\n", " ");
}
