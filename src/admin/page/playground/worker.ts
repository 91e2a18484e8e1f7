/** The worker of the playground: takes questions and sends answers, of each kind only the newest. @module */
import { Engine } from "./engine.ts";
import { Queue } from "./queue.ts";
import type { FromWorker, ToWorker } from "./protocol.ts";

interface WorkerScope {
  onmessage: ((message: { readonly data: ToWorker }) => void) | null;
  postMessage(message: FromWorker): void;
}

const scope = globalThis as unknown as WorkerScope;

/** Its messages come after those that have arrived already. */
const channel = new MessageChannel();

const queue = new Queue({
  send: (message) => scope.postMessage(message),
  later: (step) => {
    channel.port1.onmessage = step;
    channel.port2.postMessage(null);
  },
});

scope.onmessage = ({ data }) => {
  if (data.kind === "setup") queue.use(new Engine(data.setup));
  else queue.add(data);
};
