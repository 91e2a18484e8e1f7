/** What a person has put into the playground: kept with the tab, and in the fragment of links, which isn't sent. @module */
/// <reference lib="dom" />
import { isRecord } from "../../../engine/object/record.ts";
import { parseJson } from "../../../engine/object/parse.ts";

export interface PlayState {
  readonly text: string;
  readonly tools: string;
  /** The client's name; empty: the request shows it. */
  readonly client: string;
  readonly rule: string;
}

export const EMPTY: PlayState = { text: "", tools: "", client: "", rule: "" };

/** The most contents that a link holds, uncompressed: a small link could otherwise fill the memory of the tab. */
export const CONTENTS_BYTES_MAX = 4 * 1024 * 1024;

const TOO_LONG = "The contents are too long for a link";

/** Where the contents are kept in the tab. */
const KEY = "dragoman.playground.kept";

/** Keeps the contents; they are lost if the browser has no room. */
export function keepState(state: PlayState): void {
  try {
    sessionStorage.setItem(KEY, JSON.stringify(state));
  } catch {
    // The page works without it.
  }
}

/** The contents that the tab has kept; undefined without any. */
export function keptState(): PlayState | undefined {
  try {
    return stateOf(sessionStorage.getItem(KEY) ?? "");
  } catch {
    return undefined;
  }
}

/** The contents in a JSON text; undefined if there are none. */
function stateOf(json: string): PlayState | undefined {
  const value = parseJson(json);
  if (!isRecord(value)) return undefined;
  const text = (key: keyof PlayState) => typeof value[key] === "string" ? value[key] : "";
  return { text: text("text"), tools: text("tools"), client: text("client"), rule: text("rule") };
}

/** Writes contents for a link: compressed, in the alphabet of addresses. Throws if they are too long. */
export async function packState(state: PlayState): Promise<string> {
  const contents = new TextEncoder().encode(JSON.stringify(state));
  if (contents.length > CONTENTS_BYTES_MAX) throw new RangeError(TOO_LONG);
  const bytes = await pipe(contents, new CompressionStream("deflate-raw"));
  const characters = Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
  return btoa(characters).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/** Reads the contents of a link; undefined if it is damaged. */
export async function unpackState(packed: string): Promise<PlayState | undefined> {
  try {
    const characters = atob(packed.replaceAll("-", "+").replaceAll("_", "/"));
    const bytes = Uint8Array.from(characters, (character) => character.charCodeAt(0));
    return stateOf(new TextDecoder().decode(await pipe(bytes, new DecompressionStream("deflate-raw"))));
  } catch {
    return undefined;
  }
}

/** Passes bytes through a stream; throws if they become too many. */
async function pipe(
  bytes: Uint8Array<ArrayBuffer>,
  through: CompressionStream | DecompressionStream,
): Promise<Uint8Array> {
  let length = 0;
  const bounded = new TransformStream<Uint8Array, Uint8Array<ArrayBuffer>>({
    transform(piece, controller) {
      length += piece.length;
      if (length > CONTENTS_BYTES_MAX) throw new RangeError(TOO_LONG);
      controller.enqueue(new Uint8Array(piece));
    },
  });
  const stream = new Blob([bytes]).stream().pipeThrough(through).pipeThrough(bounded);
  return new Uint8Array(await new Response(stream).arrayBuffer());
}
