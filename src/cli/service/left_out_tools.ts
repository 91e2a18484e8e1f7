/**
 * Prints a line about each tool that a model isn't offered because it runs on the servers of the agent's API.
 *
 *     09:05:07  server_tool: the model isn't offered web_search, which runs on the servers of the agent's API
 *               to refuse such requests or to pass the tool on, set tools.server_tools
 *
 * @module
 */
import { visible } from "../../engine/diagnostic/visible.ts";
import { clock } from "../../engine/diagnostic/figures.ts";
import type { WatchRequest } from "../../proxy/exchange/watch.ts";

/** Passes on the name of each such tool; the note comes once per tool. */
export function watchLeftOutTools(report: (tool: string) => void): WatchRequest {
  return () => ({
    observe(event) {
      if (event.kind === "note" && event.reason === "server_tool") report(event.tool ?? "");
    },
    end() {},
  });
}

export function leftOutToolLines(tool: string): string {
  return `${clock(Date.now())}  server_tool: the model isn't offered ${
    visible(tool)
  }, which runs on the servers of the agent's API\n` +
    `          to refuse such requests or to pass the tool on, set tools.server_tools\n`;
}
