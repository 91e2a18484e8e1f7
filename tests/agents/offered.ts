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

/** The call that writes a file: of the agent's write tool or, if it has none, of its shell. */
export function writeCall(
  tools: readonly OfferedTool[],
  { path, content }: { readonly path: string; readonly content: string },
): Call | undefined {
  const writer = findTool(tools, { name: /^write/i, parameter: PATH, others: ["content"] });
  if (writer !== undefined) {
    return { name: writer.name, arguments: { [writer.parameter]: path, content } };
  }
  const folder = `mkdir -p "$(dirname '${path}')"`;
  return shellCall(tools, `${folder} && cat > '${path}' <<'END_OF_FILE'\n${content}END_OF_FILE`);
}

/** The call that reads a text: of the agent's read tool or, if it has none, of its shell. */
export function readCall(tools: readonly OfferedTool[], path: string): Call | undefined {
  return pathCall(tools, { name: /^read/i, path }) ?? shellCall(tools, `cat '${path}'`);
}

/** The call that shows a picture to the model: of a tool for that or of the agent's read tool. */
export function viewCall(tools: readonly OfferedTool[], path: string): Call | undefined {
  return pathCall(tools, { name: /^(?:view_image|read)/i, path });
}

const PATH = /^(?:file_?)?path$/i;

function pathCall(
  tools: readonly OfferedTool[],
  { name, path }: { readonly name: RegExp; readonly path: string },
): Call | undefined {
  const tool = findTool(tools, { name, parameter: PATH });
  return tool && { name: tool.name, arguments: { [tool.parameter]: path } };
}

function shellCall(tools: readonly OfferedTool[], cmd: string): Call | undefined {
  const shell = findTool(tools, { name: /./, parameter: /^cmd$/ });
  return shell && { name: shell.name, arguments: { [shell.parameter]: cmd } };
}

interface Wanted {
  readonly name: RegExp;
  /** The parameter to fill. */
  readonly parameter: RegExp;
  /** Other parameters that the tool has to have. */
  readonly others?: readonly string[];
}

function findTool(tools: readonly OfferedTool[], { name, parameter, others = [] }: Wanted) {
  for (const { function: offered } of tools) {
    const names = Object.keys(offered?.parameters?.properties ?? {});
    const found = names.find((each) => parameter.test(each));
    const isFit = name.test(offered?.name ?? "") && others.every((other) => names.includes(other));
    if (isFit && found !== undefined) return { name: offered?.name ?? "", parameter: found };
  }
  return undefined;
}
