/** What every view of the page gets. @module */

export interface ViewProperties {
  /** The parameters after `?` in the fragment of the address. */
  readonly parameters: URLSearchParams;
}
