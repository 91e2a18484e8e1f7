/** Whether this program may write, asked before it does: a prompt from Deno would block everything. @module */

/** Throws unless every one of these paths may be written. */
export async function mayWrite(...paths: readonly string[]): Promise<void> {
  for (const path of paths) {
    const { state } = await Deno.permissions.query({ name: "write", path });
    if (state !== "granted") throw new NotAllowed(path);
  }
}

/**
 * Gives up the right to write a folder, and files in it, for good, if the program was started with a part of the folder denied, as
 * the project's tasks do: a plugin could change there what the next start runs. Rights that name something inside stay. Who
 * allowed the whole folder, or everything, keeps that: `logs` in it may be meant.
 */
export function giveUpWriting(folder: string, files: readonly string[]): void {
  if (!Deno.permissions.querySync({ name: "write", path: folder }).partial) return;
  for (const path of [folder, ...files]) Deno.permissions.revokeSync({ name: "write", path });
}

/** This program was started without the right to write somewhere. */
export class NotAllowed extends Error {
  constructor(path: string) {
    super(`this program has no permission to write ${path}`);
  }
}
