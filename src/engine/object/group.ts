/** Groups entries by a key. @module */

/**
 * The entries of each key, both in the order of the entries. It is `Map.groupBy`, which Node 20 doesn't have.
 *
 * @example
 * ```ts
 * import { groupBy } from "./group.ts";
 * console.assert(groupBy(["a", "b", "aa"], (text) => text[0]).get("a")?.length === 2);
 * ```
 */
export function groupBy<Key, Entry>(
  entries: Iterable<Entry>,
  keyOf: (entry: Entry) => Key,
): Map<Key, Entry[]> {
  const groups = new Map<Key, Entry[]>();
  for (const entry of entries) {
    const key = keyOf(entry);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [entry]);
    else group.push(entry);
  }
  return groups;
}
