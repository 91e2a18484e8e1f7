/** SIGHUP asks a service to reload. One that comes while it starts would end it; it reloads once it has started. @module */
import type { CliContext } from "./service/context.ts";

/** Listens from now on; gives what takes the reload, which then runs if it was asked for before. */
export function awaitHangup({ onReload }: Pick<CliContext, "onReload">): (reload: () => void) => void {
  let reload: (() => void) | undefined;
  let isAsked = false;
  onReload?.(() => {
    isAsked = true;
    reload?.();
  });
  return (given) => {
    reload = given;
    if (isAsked) given();
  };
}
