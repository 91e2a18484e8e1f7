/**
 * The regions that are open at a place of the answer, each inside the one before it. The first is the answer itself.
 *
 *     <think>It says: <pre>…
 *     ^ answer
 *            ^ reasoning
 *                          ^ a quotation, the innermost
 *
 * @module
 */
import { Region, type RegionState } from "./region.ts";
import type { Session } from "./session.ts";

/** The open regions of an earlier place, the innermost last. */
export type SavedRegions = readonly { readonly region: Region; readonly state: RegionState }[];

/** The open regions of one answer. */
export class Regions {
  #open: Region[];
  /** The region in which the text at this place stands. */
  innermost: Region;

  constructor(session: Session) {
    this.#open = Region.begin(session);
    this.innermost = this.#open.at(-1)!;
  }

  /** The outermost group of calls. */
  get group(): Region | undefined {
    return this.#open.find((region) => region.group);
  }

  /** Everything that is open, to come back to. */
  get state(): SavedRegions {
    return this.#open.map((region) => ({ region, state: region.state }));
  }

  /** Goes back to an earlier place. */
  restore(saved: SavedRegions): void {
    this.#open = saved.map(({ region }) => region);
    for (const { region, state } of saved) region.restore(state);
    this.innermost = this.#open.at(-1)!;
  }

  /** A region opens. */
  enter(region: Region): void {
    this.#open.push(region);
    this.innermost = region;
  }

  /** The innermost region is over; the search around it begins anew. */
  leave(): void {
    this.#open.pop();
    this.innermost = this.#open.at(-1)!;
    this.innermost.restart();
  }

  /** The answer is over: groups end without their closers, the innermost first. */
  end(): void {
    for (const region of this.#open.reverse()) region.group?.close({ isClosed: false });
  }
}
