/**
 * Whether this program may write, asked before it does: a prompt from Deno would block everything. A server may write
 * only what has a name: logs, captures, the user's rules, and what its command line names.
 *
 * @module
 */

/** Throws unless every one of these paths may be written. */
export async function mayWrite(...paths: readonly string[]): Promise<void> {
  for (const path of paths) {
    const { state } = await Deno.permissions.query({ name: "write", path });
    if (state !== "granted") throw new NotAllowed(path);
  }
}

/**
 * Gives up the right to write a folder or a file as such, for good: rights that name something inside stay. A plugin could
 * change there what the next start runs. A program that may write everything keeps that.
 */
export function giveUpWriting(...paths: readonly string[]): void {
  for (const path of paths) Deno.permissions.revokeSync({ name: "write", path });
}

/** This program was started without the right to write somewhere. */
export class NotAllowed extends Error {
  constructor(path: string) {
    super(`this program may not write ${path}`);
  }
}
