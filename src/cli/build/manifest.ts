/**
 * What the npm package contains: its `package.json` and its files. The repository has no `package.json`, so that Deno
 * doesn't take it for a Node project.
 *
 * @module
 */

/** What `deno.json` states about the program. */
export interface Project {
  /** The name of the package and of its command. */
  readonly name: string;
  /** The version. */
  readonly version: string;
  /** The license. */
  readonly license: string;
}

/** The command, from the package's folder. */
export const COMMAND_FILE = "bin/dragoman.cjs";

/** The bundle. It looks for the rules in `../../../rules`, and for the page in `../../desk/page`. */
export const BUNDLE_FILE = "dist/cli/bundle/dragoman.js";

/** File or folder of the package → the one of the repository that it is a copy of. */
export const COPIED: Readonly<Record<string, string>> = {
  [COMMAND_FILE]: "src/cli/build/dragoman.cjs",
  "rules": "rules",
  "dist/desk/page/built": "src/desk/page/built",
  "README.md": "README.md",
  "CHANGELOG.md": "CHANGELOG.md",
  "LICENSE": "LICENSE",
};

/** The `package.json`, for the Deno that the package is built and tested with. */
export function packageJson({ name, version, license }: Project, deno: string) {
  return {
    name,
    version,
    description:
      "Proxy between a coding agent and a language model: converts tool calls that the model prints as text into real ones",
    keywords: ["llm", "proxy", "tool-calls", "function-calling", "agent", "openai", "ollama", "vllm"],
    license,
    type: "module",
    bin: { [name]: COMMAND_FILE },
    files: [...Object.keys(COPIED), BUNDLE_FILE],
    dependencies: { deno },
    engines: { node: ">=18.3" },
  };
}
