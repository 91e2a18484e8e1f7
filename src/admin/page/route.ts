/** The view that the address names: `#/rules?filter=x`. All of it stays in the browser, because a fragment isn't sent. @module */

export interface Route {
  /** The name of the view; empty if the address names none. */
  readonly view: string;
  readonly parameters: URLSearchParams;
}

export function readRoute(fragment: string): Route {
  const [path = "", query = ""] = fragment.replace(/^#?\/?/, "").split("?", 2);
  return { view: path, parameters: new URLSearchParams(query) };
}

/** Writes the fragment of an address; a parameter without a value is left out. */
export function writeRoute(
  view: string,
  parameters: Readonly<Record<string, string | undefined>> = {},
): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) {
    if (value !== undefined && value !== "") query.set(name, value);
  }
  return `#/${view}${query.size === 0 ? "" : `?${query}`}`;
}
