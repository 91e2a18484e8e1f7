/** Words in braces in a template, and their replacement: `<call {name}>`. `\{` is a brace; other braces are text. @module */

const PLACEHOLDER = /\\\{|\{([a-z_]+)\}/g;

/** The words in braces of a template. */
export function placeholdersIn(template: string): string[] {
  return [...template.matchAll(PLACEHOLDER)].flatMap(([, word]) => word ?? []);
}

/** Replaces each word in braces with its value; a word without a value stays. */
export function fill(template: string, values: Readonly<Record<string, string>>): string {
  return template.replace(PLACEHOLDER, (text, word?: string) => {
    if (word === undefined) return "{";
    return Object.hasOwn(values, word) ? values[word]! : text;
  });
}
