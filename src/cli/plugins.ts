/** The verb `plugins`: the plugins that ship, with their options. @module */
import { didYouMeanOneOf } from "../engine/diagnostic/suggest.ts";
import type { Plugin } from "../proxy/plugin/mod.ts";
import { defaultOf, shippedPlugins, valueOf } from "../proxy/plugin/shipped_page.ts";
import type { CliContext } from "./service/context.ts";
import { complainOfUsage } from "./complain.ts";
import type { Verb, VerbInput } from "./verb.ts";
import { wrapText } from "./wrap.ts";

export const plugins: Verb = {
  name: "plugins",
  summary: "List the shipped plugins and their options",
  usage: "plugins [NAME]",
  operandsMax: 1,
  operands: "plugins",
  examples: ["plugins", "plugins call_policy"],
  options: {},
  run,
};

async function run({ positionals: [name] }: VerbInput, context: CliContext): Promise<number> {
  const all = await shippedPlugins();
  const shown = all.filter((plugin) => name === undefined || plugin.name === name);
  if (shown.length === 0) {
    const help = didYouMeanOneOf(name ?? "", all.map((plugin) => plugin.name));
    return complainOfUsage({ message: `No plugin \`${name}\` ships with the program`, help }, context);
  }
  context.stdout(shown.map(describe).join("\n"));
  return 0;
}

function describe({ name, description, requires = [], options = {} }: Plugin<unknown>): string {
  const lines = Object.entries(options).flatMap(([option, field]) => [
    `  ${option}: ${valueOf(field)}; default ${defaultOf(field)}`.replaceAll("`", "").replace(
      "default required",
      "required",
    ),
    ...wrapText(field.description ?? "").split("\n").map((line) => `      ${line}`),
  ]);
  const needs = requires.length === 0 ? [] : [`  requires ${requires.join(", ")}`];
  return [`${name}: ${description ?? ""}`, ...needs, ...lines, ""].join("\n");
}
