/** Tells the threads of the program apart. @module */
import type { MessageEnd } from "./service/call_port.ts";

/** Whether a global scope is that of a worker that another thread has started. */
export function isWorkerScope(scope: object): scope is MessageEnd {
  return "DedicatedWorkerGlobalScope" in scope && "postMessage" in scope;
}
