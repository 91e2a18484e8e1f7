/** Hashes of the texts of files, by which what was made of them is found again. @module */
import { createHash } from "node:crypto";
import type { TextFile } from "./text_file.ts";

export function hashOf(text: string): string {
  return createHash("sha256").update(text).digest("base64url");
}

export function hashOfAll(files: readonly TextFile[]): string {
  const hash = createHash("sha256");
  for (const { file, text } of files) hash.update(`${nameOf(file)} ${text.length}\n${text}`);
  return hash.digest("base64url");
}

/** `rules/mine.yaml` → `mine.yaml`. */
export function nameOf(file: string): string {
  return file.slice(Math.max(file.lastIndexOf("/"), file.lastIndexOf("\\")) + 1);
}
