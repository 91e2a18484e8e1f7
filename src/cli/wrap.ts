/** Wraps prose for a terminal at spaces. @module */

/** The paragraph in lines of at most `width` characters; a longer word gets its own line. */
export function wrapText(text: string, width: number = 80): string {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    if (line !== "" && line.length + 1 + word.length > width) {
      lines.push(line);
      line = word;
    } else {
      line = line === "" ? word : `${line} ${word}`;
    }
  }
  return [...lines, line].join("\n");
}
