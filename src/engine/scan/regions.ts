/**
 * The open regions at a position of the answer, from the answer itself to the innermost one.
 *
 *     <think>It reads <pre>…
 *     ^ answer
 *            ^ reasoning
 *                          ^ a quotation, the innermost
 *
 * @module
 */
import { Region, type RegionState } from "./region.ts";
import type { Session } from "./session.ts";

/** The open regions at an earlier position, innermost last. */
export type SavedRegions = readonly { readonly region: Region; readonly state: RegionState }[];

export class Regions {
  #open: Region[];
  innermost: Region;

  constructor(session: Session) {
    this.#open = Region.begin(session);
    this.innermost = this.#open.at(-1)!;
  }

  get group(): Region | undefined {
    return this.#open.find((region) => region.group);
  }

  get state(): SavedRegions {
    return this.#open.map((region) => ({ region, state: region.state }));
  }

  restore(saved: SavedRegions): void {
    this.#open = saved.map(({ region }) => region);
    for (const { region, state } of saved) region.restore(state);
    this.innermost = this.#open.at(-1)!;
  }

  enter(region: Region): void {
    this.#open.push(region);
    this.innermost = region;
  }

  /** Closes the innermost region and restarts the search around it. */
  leave(): void {
    this.#open.pop();
    this.innermost = this.#open.at(-1)!;
    this.innermost.restart();
  }

  /** Ends the answer: groups end without their closers, innermost first. */
  end(): void {
    for (const region of this.#open.reverse()) region.group?.close({ isClosed: false });
  }
}
