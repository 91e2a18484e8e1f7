/** The folder in which a task of several steps is done: the tools of the battery, on files in memory. @module */
import { isRecord } from "../../engine/object/record.ts";
import { isJsonEqual } from "../../engine/json/equal.ts";

export class VirtualFolder {
  readonly #files: Map<string, string>;

  /** @param files path → text */
  constructor(files: Readonly<Record<string, string>>) {
    this.#files = new Map(Object.entries(files));
  }

  /** Runs a tool and returns its result, or an error in words. */
  run(tool: string, given: unknown): string {
    const values = isRecord(given) ? given : {};
    const text = (name: string) => typeof values[name] === "string" ? values[name] : undefined;
    const path = text("path")?.replace(/^\.?\//, "");
    const file = path === undefined ? undefined : this.#files.get(path);
    if (tool === "list_files") return this.#list(text("folder") ?? ".");
    if (path === undefined) return "Error: the parameter `path` is missing";
    if (tool === "write_file") return this.#write(path, text("content") ?? "");
    if (file === undefined) return `Error: the file ${path} doesn't exist`;
    if (tool === "read_file") return file;
    if (tool !== "edit_file") return `Error: the tool ${tool} doesn't exist`;
    const [before = "", after = ""] = [text("old_text"), text("new_text")];
    if (before === "" || !file.includes(before)) return `Error: \`old_text\` isn't in ${path}`;
    return this.#write(path, file.replace(before, () => after));
  }

  /** Whether the files are these, apart from a line end at the end of a file. */
  has(files: Readonly<Record<string, string>>): boolean {
    const plain = (entries: Iterable<readonly [string, string]>) =>
      Object.fromEntries([...entries].map(([path, text]) => [path, text.trimEnd()]));
    return isJsonEqual(plain(this.#files), plain(Object.entries(files)));
  }

  #list(folder: string): string {
    const start = folder.replace(/^\.?\/?|\/+$/g, "");
    const found = [...this.#files.keys()].filter((path) => start === "" || path.startsWith(`${start}/`));
    return found.length === 0 ? `Error: the folder ${folder} doesn't exist` : found.join("\n");
  }

  #write(path: string, text: string): string {
    this.#files.set(path, text);
    return `Wrote ${path}`;
  }
}
