/** Orders plugins so that each follows those that it requires, or reports a missing plugin or a cycle. @module */

interface OrderedPlugin {
  readonly name: string;
  readonly requires?: readonly string[];
}

export type OrderProblem =
  | { readonly kind: "missing"; readonly plugin: string; readonly requires: string }
  | { readonly kind: "cycle"; readonly names: readonly string[] };

/** Orders plugins; independent ones keep their order. */
export function orderPlugins<T extends OrderedPlugin>(
  plugins: readonly T[],
): { readonly ordered: readonly T[]; readonly problems: readonly OrderProblem[] } {
  const byName = new Map(plugins.map((plugin) => [plugin.name, plugin]));
  const ordered = new Set<T>();
  const problems: OrderProblem[] = [];
  const visit = (plugin: T, trail: readonly string[]): void => {
    if (ordered.has(plugin)) return;
    const at = trail.indexOf(plugin.name);
    if (at >= 0) {
      problems.push({ kind: "cycle", names: [...trail.slice(at), plugin.name] });
      return;
    }
    for (const name of plugin.requires ?? []) {
      const required = byName.get(name);
      if (required !== undefined) visit(required, [...trail, plugin.name]);
      else problems.push({ kind: "missing", plugin: plugin.name, requires: name });
    }
    ordered.add(plugin);
  };
  for (const plugin of plugins) visit(plugin, []);
  return { ordered: [...ordered], problems };
}
