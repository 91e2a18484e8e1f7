import assert from "node:assert/strict";
import { join } from "node:path";
import type { WatchedPaths } from "../../../src/cli/service/file_snapshot.ts";
import { watchPaths } from "../../../src/cli/service/watch.ts";
import { temporaryFolder } from "../../support/temporary_folder.ts";

/** Watches places in a fresh folder; `next` waits for the next call of `onChange`. */
async function withWatch(
  pathsIn: (folder: string) => WatchedPaths,
  run: (
    test: {
      folder: string;
      next: () => Promise<void>;
      move: (places: WatchedPaths) => void;
      count: () => number;
    },
  ) => Promise<void>,
): Promise<void> {
  const folder = await temporaryFolder();
  let count = 0;
  let heard = Promise.withResolvers<void>();
  const watch = watchPaths(pathsIn(folder), {
    quietMs: 20,
    lookMs: 50,
    onChange: () => {
      count++;
      heard.resolve();
      return Promise.resolve();
    },
    onFailure: (cause) => heard.reject(cause),
  });
  const next = async () => {
    await heard.promise;
    heard = Promise.withResolvers();
  };
  try {
    await run({ folder, next, move: watch.move, count: () => count });
  } finally {
    await watch.close();
  }
}

const rulesIn = (folder: string): WatchedPaths => ({
  folders: [join(folder, "rules")],
  files: [join(folder, "a.yaml")],
});

Deno.test("watchPaths hears of a file that is made, changed and removed", () =>
  withWatch(rulesIn, async ({ folder, next }) => {
    await Deno.writeTextFile(join(folder, "a.yaml"), "1");
    await next();
    await Deno.writeTextFile(join(folder, "b.tmp"), "2");
    await Deno.rename(join(folder, "b.tmp"), join(folder, "a.yaml"));
    await next();
    await Deno.remove(join(folder, "a.yaml"));
    await next();
  }));

Deno.test("watchPaths hears of a folder that is made later, and of the files in it", () =>
  withWatch(rulesIn, async ({ folder, next }) => {
    await Deno.mkdir(join(folder, "rules"));
    await next();
    await Deno.writeTextFile(join(folder, "rules", "mine.yml"), "1");
    await next();
    await Deno.remove(join(folder, "rules"), { recursive: true });
    await next();
  }));

Deno.test("watchPaths hears of folders that are made later in a folder that is a link", () => {
  const pathsIn = (folder: string): WatchedPaths => {
    Deno.mkdirSync(join(folder, "real"));
    Deno.symlinkSync(join(folder, "real"), join(folder, "link"));
    return { folders: [join(folder, "link", "own", "rules")], files: [] };
  };
  return withWatch(pathsIn, async ({ folder, next }) => {
    await Deno.mkdir(join(folder, "link", "own", "rules"), { recursive: true });
    await next();
    await Deno.writeTextFile(join(folder, "link", "own", "rules", "mine.yaml"), "1");
    await next();
  });
});

Deno.test("watchPaths does not hear of other files, and one call stands for a row of changes", () =>
  withWatch(rulesIn, async ({ folder, next, count }) => {
    await Deno.writeTextFile(join(folder, "other.yaml"), "1");
    await Deno.writeTextFile(join(folder, "other.txt"), "1");
    for (const text of ["1", "2", "3"]) Deno.writeTextFileSync(join(folder, "a.yaml"), text);
    await next();
    assert.equal(count(), 1);
  }));

for (const place of ["rules", "."]) {
  Deno.test({
    name: `watchPaths hears of changes after a pipe is made in ${
      place === "." ? "the folder of a file" : "a folder"
    }`,
    ignore: Deno.build.os === "windows",
    fn: () =>
      withWatch(rulesIn, async ({ folder, next }) => {
        await Deno.mkdir(join(folder, "rules"));
        await next();
        await new Deno.Command("mkfifo", { args: [join(folder, place, "pipe.yaml")] }).output();
        if (place === "rules") await next();
        await Deno.writeTextFile(join(folder, "rules", "mine.yaml"), "1");
        await next();
        await Deno.writeTextFile(join(folder, "a.yaml"), "1");
        await next();
        await Deno.remove(join(folder, "rules", "mine.yaml"));
        await next();
      }),
  });
}

Deno.test("watchPaths watches other places after a move", () =>
  withWatch(rulesIn, async ({ folder, next, move }) => {
    move({ folders: [], files: [join(folder, "b.yaml")] });
    await Deno.writeTextFile(join(folder, "b.yaml"), "1");
    await next();
  }));

Deno.test("Watch.close waits for the change that is running, and reports no further one", async () => {
  const folder = await temporaryFolder();
  const began = Promise.withResolvers<void>();
  const release = Promise.withResolvers<void>();
  let count = 0;
  const watch = watchPaths(rulesIn(folder), {
    quietMs: 1,
    lookMs: 10,
    onChange: async () => {
      count++;
      began.resolve();
      await release.promise;
    },
    onFailure: began.reject,
  });
  await Deno.writeTextFile(join(folder, "a.yaml"), "1");
  await began.promise;
  await Deno.writeTextFile(join(folder, "a.yaml"), "2");
  let isClosed = false;
  const closed = watch.close().then(() => isClosed = true);
  await Promise.resolve();
  assert.equal(isClosed, false);
  release.resolve();
  await closed;
  assert.equal(count, 1);
});
