/** Whether the files of a release agree: the version of the program, and the Deno that it is built with. @module */

export interface Problem {
  /** The file, with the line where there is one. */
  readonly where: string;
  readonly what: string;
  readonly fix: string;
}

interface Versions {
  readonly program: string;
  readonly deno: string;
}

/** How files name a version, and what writes the right one. */
const NAMED: readonly { readonly pattern: RegExp; readonly kind: keyof Versions; readonly fix: string }[] = [
  { pattern: /\bdragoman-(\d+\.\d+\.\d+\S*?)\.tgz/g, kind: "program", fix: "write" },
  { pattern: /\bDragoman (\d+\.\d+\.\d+\S*) is ready/g, kind: "program", fix: "write" },
  { pattern: /"by":"dragoman ([^"]+)"/g, kind: "program", fix: "run `deno task generate` for" },
  { pattern: /\bdeno@(\d+\.\d+\.\d+)/g, kind: "deno", fix: "build with that version, or write" },
];

/** The problems of a release's files, by path; `CHANGELOG.md` is one of them. */
export function findVersionProblems(files: ReadonlyMap<string, string>, versions: Versions): Problem[] {
  const named = [...files].filter(([path]) => path !== "CHANGELOG.md").flatMap(([path, text]) =>
    NAMED.flatMap(({ pattern, kind, fix }) =>
      [...text.matchAll(pattern)].filter(([, version]) => version !== versions[kind]).map((
        { 0: found, index },
      ) => ({
        where: `${path}:${text.slice(0, index).split("\n").length}`,
        what: `\`${found}\` has a different version from ${versions[kind]}`,
        fix: `${fix} ${versions[kind]}`,
      }))
    )
  );
  return [...changelogProblems(files.get("CHANGELOG.md") ?? "", versions.program), ...named];
}

/** The newest section is the version's, and has entries. */
function changelogProblems(text: string, version: string): Problem[] {
  const lines = text.split("\n");
  const heads = lines.flatMap((line, index) =>
    line.startsWith("## ") ? [{ name: line.slice(3).trim(), index }] : []
  );
  const [first] = heads;
  const where = `CHANGELOG.md:${(first?.index ?? 0) + 1}`;
  if (first?.name !== version) {
    const what = `The newest section is ${
      first === undefined ? "missing" : `\`${first.name}\``
    }, not \`${version}\``;
    return [{
      where,
      what,
      fix: `name the section of this release \`## ${version}\`, or set \`version\` in deno.json`,
    }];
  }
  const entries = lines.slice(first.index + 1, heads[1]?.index).filter((line) => line.startsWith("- "));
  return entries.length > 0
    ? []
    : [{ where, what: "The section has no entry", fix: "write what changes for users" }];
}
