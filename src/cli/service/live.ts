/** The recent requests of a running server, for open pages. @module */
import type { LivePages } from "../../desk/admin/pages.ts";
import type { AuditLine } from "../../desk/audit/line.ts";
import type { UnwatchedRequest, WatchRequest } from "../../proxy/exchange/watch.ts";
import { LiveFeed } from "../../desk/live/feed.ts";
import { LiveRequests } from "../../desk/live/requests.ts";

export interface Live extends LivePages {
  readonly watch: WatchRequest;
  add(lines: readonly AuditLine[]): void;
  addCommand(id: string, command: string): void;
  addUnwatched(request: UnwatchedRequest): void;
  close(): void;
}

/** Opens the list; `hasContents` decides for each request whether its texts are kept. */
export function openLive(hasContents: () => boolean): Live {
  const requests: LiveRequests = new LiveRequests({
    hasContents,
    now: () => Date.now(),
    changed: (id) => feed.changed(id),
  });
  const feed: LiveFeed = new LiveFeed({
    all: () => requests.all,
    get: (id) => requests.get(id),
    hasContents,
    later(act, ms) {
      const timer = setTimeout(act, ms);
      return () => clearTimeout(timer);
    },
  });
  return {
    watch: (facts) => requests.watch(facts),
    add: (lines) => requests.add(lines),
    addCommand: (id, command) => requests.addCommand(id, command),
    addUnwatched: (request) => requests.addUnwatched(request),
    open: () => feed.open(),
    detailOf: (id) => requests.detailOf(id),
    versionOf: (id) => requests.versionOf(id),
    close: () => feed.close(),
  };
}
