/**
 * The calls that a scripted model can make with an agent's own tools. The names of the tools and of their parameters
 * are read from the request, as a model reads them.
 *
 * @module
 */

/** A call with the names that the agent offers. */
export interface Call {
  readonly name: string;
  readonly arguments: Readonly<Record<string, string>>;
}

/** A tool as a chat request offers it. */
export interface OfferedTool {
  readonly function?: {
    readonly name?: string;
    readonly parameters?: { readonly properties?: Readonly<Record<string, unknown>> };
  };
}

/** The call that writes a file: of the agent's write tool or, if it has none, of its patch tool or its shell. */
export function writeCall(
  tools: readonly OfferedTool[],
  { path, content }: { readonly path: string; readonly content: string },
): Call | undefined {
  const writer = findTool(tools, { name: /(?:^|__)(?:write|create|editor$)/i, parameters: [PATH, CONTENT] });
  if (writer !== undefined) return callOf(writer, [path, content]);
  const patcher = findTool(tools, { name: /^apply_patch$/, parameters: [/^input$/] });
  if (patcher !== undefined) return callOf(patcher, [patchOf(path, content)]);
  const folder = `mkdir -p "$(dirname '${path}')"`;
  return shellCall(tools, `${folder} && cat > '${path}' <<'END_OF_FILE'\n${content}END_OF_FILE`);
}

/** A patch that adds a file; the text ends with a newline. */
function patchOf(path: string, content: string): string {
  const lines = content.split("\n").slice(0, -1).map((line) => `+${line}\n`).join("");
  return `*** Begin Patch\n*** Add File: ${path}\n${lines}*** End Patch`;
}

/** The call that reads a text: of the agent's read tool or, if it has none, of its shell. */
export function readCall(tools: readonly OfferedTool[], path: string): Call | undefined {
  return pathCall(tools, { name: /^(?:read|view$)/i, path }) ?? shellCall(tools, `cat '${path}'`);
}

/** The call that shows a picture to the model: of a tool for that or of the agent's read tool. */
export function viewCall(tools: readonly OfferedTool[], path: string): Call | undefined {
  return pathCall(tools, { name: /^readmedia/i, path }) ?? pathCall(tools, { name: /^(?:view|read)/i, path });
}

/** The call that searches the web, or that loads the tool for it. */
export function searchCall(tools: readonly OfferedTool[], query: string): Call | undefined {
  const tool = findTool(tools, { name: /web_?search$/i, parameters: [/^query$/] });
  if (tool !== undefined) return callOf(tool, [query]);
  const loader = findTool(tools, { name: /^ToolSearch$/, parameters: [/^query$/] });
  return loader && callOf(loader, ["select:WebSearch"]);
}

const PATH = /^(?:file_?)?path$/i;
const CONTENT = /^(?:content|file_text|new_text)$/;

function pathCall(
  tools: readonly OfferedTool[],
  { name, path }: { readonly name: RegExp; readonly path: string },
): Call | undefined {
  const tool = findTool(tools, { name, parameters: [PATH] });
  return tool && callOf(tool, [path]);
}

function shellCall(tools: readonly OfferedTool[], cmd: string): Call | undefined {
  const shell = findTool(tools, { name: /./, parameters: [/^cmd$/] });
  return shell && callOf(shell, [cmd]);
}

interface Found {
  readonly name: string;
  /** The names of its parameters, in the order in which they were looked for. */
  readonly parameters: readonly string[];
}

function callOf({ name, parameters }: Found, values: readonly string[]): Call {
  return {
    name,
    arguments: Object.fromEntries(values.map((value, index) => [parameters[index] ?? "", value])),
  };
}

/** The first tool with such a name and a parameter for each of the patterns. */
function findTool(
  tools: readonly OfferedTool[],
  { name, parameters }: { readonly name: RegExp; readonly parameters: readonly RegExp[] },
): Found | undefined {
  for (const { function: offered } of tools) {
    const names = Object.keys(offered?.parameters?.properties ?? {});
    const found = parameters.flatMap((pattern) => names.find((each) => pattern.test(each)) ?? []);
    if (name.test(offered?.name ?? "") && found.length === parameters.length) {
      return { name: offered?.name ?? "", parameters: found };
    }
  }
  return undefined;
}
