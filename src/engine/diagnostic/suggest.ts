/** "Did you mean": the known name nearest to a misspelled one, if one is near enough. @module */

/**
 * The known name nearest to `name`, by the number of letters inserted, left out, changed or swapped with their neighbor:
 * at most a third of the name, and at least one. Case, `-` and `_` do not count.
 */
export function suggest(name: string, known: Iterable<string>): string | undefined {
  const wanted = plain(name);
  let nearest: string | undefined;
  let least = Math.max(1, Math.floor(wanted.length / 3)) + 1;
  for (const candidate of known) {
    const distance = editDistance(wanted, plain(candidate));
    if (distance < least) {
      least = distance;
      nearest = candidate;
    }
  }
  return nearest;
}

/** Help for a misspelled name: the nearest known name, or all if they are few; undefined if neither helps. */
export function didYouMean(name: string, known: Iterable<string>): string | undefined {
  const names = [...known];
  const nearest = suggest(name, names);
  if (nearest !== undefined) return `did you mean \`${nearest}\`?`;
  if (names.length === 0 || names.length > 24) return undefined;
  return `known here: ${names.join(", ")}`;
}

/** A help line for a misspelled name that always lists the known names if none is near. */
export function didYouMeanOneOf(name: string, known: readonly string[]): string {
  return didYouMean(name, known) ?? `known here: ${known.join(", ")}`;
}

function plain(name: string): string {
  return name.toLowerCase().replaceAll("-", "_");
}

/** Optimal string alignment: insertions, deletions, changes and swaps of neighbors, each counting 1. */
function editDistance(a: string, b: string): number {
  let twoAbove: number[] = [];
  let above = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const change = at(above, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1);
      let best = Math.min(change, at(above, j) + 1, at(row, j - 1) + 1);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        best = Math.min(best, at(twoAbove, j - 2) + 1);
      }
      row.push(best);
    }
    twoAbove = above;
    above = row;
  }
  return at(above, b.length);
}

function at(row: readonly number[], index: number): number {
  return row[index] ?? Infinity;
}
