/**
 * `serve` with workers: several threads answer requests at one port, and the main thread has what a server has once.
 *
 *     main thread     terminal, log, counters, pages, memory, watch on the files
 *       ├─ worker     port, requests, plugins
 *       └─ worker     the same port
 *
 * A worker that fails is replaced, after a pause that doubles while it keeps failing. So is one whose event loop is blocked:
 *
 *     no beat for 1 s    the others also accept what waits at its socket
 *     … for too long     its connections end with an error, and another worker listens at its socket
 *
 * Its thread can't be ended (`service/watchdog.ts`). When as many have hung as there are workers, the server ends, like after
 * a signal, and is started again.
 *
 * @module
 */
import { clock } from "../engine/diagnostic/figures.ts";
import {
  createGateway,
  type DrainOptions,
  FAREWELL_MS,
  type StartProblem,
  takenAddress,
} from "../proxy/server/gateway.ts";
import { copySocket, takeCopy } from "../proxy/transport/socket_copy.ts";
import { lockPort, type PortLock } from "../proxy/transport/port_lock.ts";
import type { LearnedTools } from "../proxy/upstream/learned_tools.ts";
import { visible } from "../engine/diagnostic/visible.ts";
import { CallPort } from "./service/call_port.ts";
import { WorkerConnections } from "./service/connections.ts";
import { until, wait } from "../proxy/transport/wait.ts";
import { HUNG_CODE, Pulse } from "./service/watchdog.ts";
import { servePages } from "./service/worker_pages.ts";
import { ShownPlayer } from "./service/worker_watch.ts";
import type { CliContext } from "./service/context.ts";
import type { Backend } from "../proxy/store/backend.ts";
import { complainOf } from "./complain.ts";
import { loadServing, type Serving, type ServingOptions, type ServingParts } from "./serving.ts";
import type { VerbInput } from "./verb.ts";
import type { MainCalls, WorkerCalls, WorkerStart } from "./worker.ts";

export interface WorkersOptions extends ServingOptions {
  readonly count: number;
}

/** The pauses before a worker is replaced, in milliseconds; one that worked for `steady` begins again with the first. */
const PAUSE = { first: 100, longest: 10_000, steady: 60_000 };

const ANNOUNCE_MS = 1000;

/** Serves until a signal; gives the exit code. */
export async function serveWithWorkers(options: WorkersOptions, context: CliContext): Promise<number> {
  const { input, log } = options;
  // The first access installs the handler.
  const { signal } = context;
  const serving = await loadServing({ ...options, hasWorkers: true });
  if (serving === undefined) return 1;
  const address = await chooseAddress(serving, log.context);
  if (address === undefined) return 1;
  const team = new WorkerTeam({
    input,
    context: log.context,
    parts: serving.parts,
    port: address.port,
    drainMs: serving.drainMs,
  });
  const problem = await team.start(options.count);
  if (problem !== undefined) {
    complainOf({ code: "cannot_listen", message: `Cannot start a worker: ${problem}` }, log.context);
    return 1;
  }
  serving.begin(address.url, () => team.reload());
  await Promise.race([until(signal), team.hung]);
  await serving.end(team);
  address.release();
  return signal.aborted ? 0 : HUNG_CODE;
}

/** An address that only our workers open. */
interface Address extends PortLock {
  readonly url: string;
}

/** How often a port that the system chooses may be one that something else listens on. */
const PORT_ATTEMPTS = 20;

/** Makes sure that nothing else listens at the address, since workers would share it, and keeps it so. */
async function chooseAddress({ handler }: Serving, context: CliContext): Promise<Address | undefined> {
  const { config } = handler;
  const { hostname, port } = config.listen;
  const attempts = port === 0 ? PORT_ATTEMPTS : 1;
  let problem: StartProblem | undefined;
  for (let attempt = 0; attempt < attempts; attempt++) {
    const lock = await lockPort(hostname, port);
    if (lock === undefined) {
      problem = takenAddress({ hostname, port });
      continue;
    }
    const listen = { ...config.listen, port: lock.port };
    const gateway = createGateway(() => ({ ...handler, config: { ...config, listen } }));
    const started = await gateway.start();
    if ("url" in started) {
      await gateway.drain(0);
      return { ...lock, url: started.url };
    }
    lock.release();
    ({ problem } = started);
  }
  if (problem !== undefined) complainOf({ code: "cannot_listen", ...problem }, context);
  return undefined;
}

interface TeamOptions extends Pick<WorkerStart, "port"> {
  readonly input: VerbInput;
  readonly context: CliContext;
  readonly parts: ServingParts;
  readonly drainMs: () => number;
}

/** The place of a worker; the next worker in it listens at the same socket, so that no connection that waits there is lost. */
interface Seat {
  /** A copy of its socket; undefined before the first worker listens, or if sockets can't be copied. */
  socket?: ReturnType<typeof takeCopy> | undefined;
  /** The workers that listen there: its own, and others while that one is late, or gone and not replaced. */
  readonly listeners: Set<CallPort<WorkerCalls>>;
}

class WorkerTeam {
  readonly #options: TeamOptions;
  readonly #workers = new Set<CallPort<WorkerCalls>>();
  readonly #seats: Seat[] = [];
  #hungCount = 0;
  readonly #hung = Promise.withResolvers<void>();
  readonly #pulses = new Set<Pulse>();
  #isStopping = false;
  #announced: ((isAsked: boolean) => Promise<void>) | undefined;

  constructor(options: TeamOptions) {
    this.#options = options;
    options.parts.servers.watch((server) => {
      for (const worker of this.#workers) worker.post("recognize", server);
    });
    options.parts.servers.watchChanges((changes) => {
      for (const worker of this.#workers) worker.post("change", changes);
    });
    options.parts.health.watch((name, answers) => this.#see(name, answers));
  }

  /** Resolves if the server has to start again, because as many workers hung as there are. */
  get hung(): Promise<void> {
    return this.#hung.promise;
  }

  /** Starts the workers; the message is why one cannot start. */
  async start(count: number): Promise<string | undefined> {
    for (let number = 0; number < count; number++) this.#seats.push({ listeners: new Set() });
    const problems = await Promise.all(this.#seats.map((seat) => this.#startOne(seat, PAUSE.first)));
    return problems.find((problem) => problem !== undefined);
  }

  reload(): void {
    for (const worker of this.#workers) worker.post("reload");
  }

  async drain(timeoutMs: number, { notice }: DrainOptions = {}): Promise<void> {
    this.#isStopping = true;
    for (const pulse of this.#pulses) pulse.close();
    for (const { socket } of this.#seats) socket?.destroy();
    const { announce, noticed } = gatherAnnouncements(this.#workers.size, notice);
    this.#announced = announce;
    const over = new AbortController();
    const drained = [...this.#workers].map((worker) => worker.call("drain", timeoutMs).catch(() => {}));
    // A worker that hangs never answers.
    const late = noticed.then(() => wait(timeoutMs + FAREWELL_MS + ANNOUNCE_MS, over.signal));
    await Promise.race([Promise.all(drained), late]);
    over.abort();
  }

  /** Starts a worker; the message is why it cannot start. One that fails later is replaced. */
  async #startOne(seat: Seat, pauseMs: number): Promise<string | undefined> {
    const { input, port, context, parts } = this.#options;
    const thread = new Worker(Deno.mainModule, { type: "module", name: "dragoman" });
    const player = new ShownPlayer(parts.watches);
    const pages = servePages(parts.pages);
    const connections = new WorkerConnections();
    const ready = Promise.withResolvers<void>();
    const began = performance.now();
    let isStarted = false;
    let pulse: Pulse | undefined = undefined;
    const worker = new CallPort<WorkerCalls>(
      thread,
      {
        ...memoryCalls(parts),
        ...pages,
        ready: () => ready.resolve(),
        print: (stream, text) => context[stream](text),
        play: (shown) => player.play(shown),
        unwatched: (request) => parts.unwatched(request),
        unhandled: (error) => parts.unhandled(error),
        learned: (tools) => this.#learn(tools, worker),
        recognized: (server) => parts.servers.learn(server),
        changed: (changes) => parts.servers.takeChanges(changes),
        began: (beginning) => parts.beginnings.note(beginning),
        saw: (name, answers) => this.#see(name, answers, worker),
        refused: (limit) => parts.keyLimits.count(limit),
        beat: () => pulse?.beat(),
        opened: (id, copy) => connections.opened(id, copy),
        ends: (id, text) => connections.ends(id, text),
        closed: (id) => connections.closed(id),
        announce: async (isAsked) => await this.#announced?.(isAsked),
      } satisfies MainCalls,
    );
    const end = (cause: string) => {
      pulse?.close();
      if (pulse !== undefined) this.#pulses.delete(pulse);
      thread.terminate();
      this.#workers.delete(worker);
      connections.endAll();
      player.breakOff();
      pages.close();
      worker.fail(new Error(cause));
      ready.resolve();
      this.#leave(worker);
    };
    thread.addEventListener("error", (event) => {
      event.preventDefault();
      end(event.message);
      const isSteady = performance.now() - began > PAUSE.steady;
      if (isStarted) {
        void this.#replace(seat, isSteady ? PAUSE.first : pauseMs, `A worker failed: ${event.message}`);
      }
    });
    await ready.promise;
    if (this.#isStopping) end("The server stops");
    const { isTerminal, isTty, command, workingDirectory } = context;
    const learned = [...parts.toolMemory.entries()];
    const servers = parts.servers.entries();
    const changes = parts.servers.learnedChanges();
    const start = {
      input,
      port,
      learned,
      servers,
      guards: parts.guards(),
      changes,
      context: { isTerminal, isTty, command, workingDirectory },
    };
    // A reload while it starts reaches it too.
    this.#workers.add(worker);
    const problem = await this.#listen(worker, seat, start).catch((cause: Error) => cause.message);
    if (problem !== undefined) {
      end(problem);
      return problem;
    }
    isStarted = true;
    pulse = new Pulse(this.#options.drainMs, {
      late: () => this.#share(seat),
      stopped: (stillMs) => {
        end("The worker hung");
        this.#replaceHung(seat, stillMs);
      },
    });
    this.#pulses.add(pulse);
    return undefined;
  }

  /** Starts a worker and lets it listen in its place; the message is why it can't. */
  async #listen(worker: CallPort<WorkerCalls>, seat: Seat, start: WorkerStart): Promise<string | undefined> {
    const problem = await worker.call("start", start);
    if (problem !== undefined) return problem;
    const listening = await worker.call("listen", seat.socket && copySocket(seat.socket));
    if ("problem" in listening) return listening.problem;
    if (listening.socket !== undefined) seat.socket = takeCopy(listening.socket);
    seat.listeners.add(worker);
    return undefined;
  }

  /** Lets all workers accept what waits at the socket of one that is late or gone. They go on if it comes back. */
  #share({ socket, listeners }: Seat): void {
    if (socket === undefined) return;
    for (const worker of this.#seats.flatMap((seat) => [...seat.listeners])) {
      const copy = listeners.has(worker) ? undefined : copySocket(socket);
      if (copy === undefined) continue;
      listeners.add(worker);
      worker.post("listen", copy);
    }
  }

  /** A worker is gone. Where none listens now, the others do; without any, connections are refused. */
  #leave(worker: CallPort<WorkerCalls>): void {
    for (const { listeners } of this.#seats) listeners.delete(worker);
    const left = this.#seats.filter(({ listeners }) => listeners.size === 0);
    for (const seat of left) {
      if (left.length < this.#seats.length) this.#share(seat);
      else {
        seat.socket?.destroy();
        seat.socket = undefined;
      }
    }
  }

  /** Replaces a worker that hung. Threads that can't be ended must not add up, so the server ends in order after some. */
  #replaceHung(seat: Seat, stillMs: number): void {
    const hung = `The event loop of a worker was blocked for ${Math.round(stillMs / 1000)} s`;
    if (++this.#hungCount < this.#seats.length) {
      void this.#replace(
        seat,
        PAUSE.first,
        `${hung}; its requests end, and its thread stays until it returns`,
      );
      return;
    }
    this.#options.context.stderr(
      `${clock(Date.now())}  ${hung}, as ${this.#hungCount - 1} did before; the server ends\n`,
    );
    this.#hung.resolve();
  }

  /** Every thread learns what one has; none passes on what it knows. */
  #learn(tools: LearnedTools, from: CallPort<WorkerCalls>): void {
    const { toolMemory } = this.#options.parts;
    if (toolMemory.has(tools)) return;
    toolMemory.learn(tools);
    for (const worker of this.#workers) if (worker !== from) worker.post("learn", tools);
  }

  /** Every thread learns whether an upstream answers, so that not each one has to ask a dead one. */
  #see(name: string, answers: boolean, from?: CallPort<WorkerCalls>): void {
    if (from !== undefined) this.#options.parts.health.learn(name, answers);
    for (const worker of this.#workers) if (worker !== from) worker.post("see", name, answers);
  }

  async #replace(seat: Seat, pauseMs: number, failure: string): Promise<void> {
    const { context } = this.#options;
    let why: string | undefined = failure;
    for (let ms = pauseMs; why !== undefined && !this.#isStopping; ms = Math.min(2 * ms, PAUSE.longest)) {
      const line = visible(`${why}. Another one starts in ${ms} ms`, { lengthMax: 400 });
      context.stderr(`${clock(Date.now())}  ${line}\n`);
      await wait(ms, context.signal);
      if (this.#isStopping) return;
      const problem = await this.#startOne(seat, Math.min(2 * ms, PAUSE.longest));
      why = problem && `A worker cannot start: ${problem}`;
    }
  }
}

/** The memory in the main thread, as workers call it. */
function memoryCalls(
  { memory: { backend, quotas, texts } }: ServingParts,
): Pick<MainCalls, keyof Backend | keyof typeof quotas | keyof typeof texts> {
  if (backend === undefined) throw new Error("Workers require shared memory");
  return {
    read: (scope) => backend.read(scope),
    apply: (batch) => backend.apply(batch),
    list: (countMax) => backend.list(countMax),
    ping: () => backend.ping(),
    admit: (request) => quotas.admit(request),
    renew: (request) => quotas.renew(request),
    release: (use) => quotas.release(use),
    recall: (names) => texts.recall(names),
    keep: (name, text) => texts.keep(name, text),
  };
}

/** What workers call when they stop: waits until all have, and then for the notice. */
function gatherAnnouncements(
  count: number,
  notice: DrainOptions["notice"],
): { announce: (isAsked: boolean) => Promise<void>; noticed: Promise<void> } {
  const all = Promise.withResolvers<void>();
  let missing = count;
  let isAskedAnywhere = false;
  const noticed = Promise.race([all.promise, wait(ANNOUNCE_MS)]).then(() => notice?.(isAskedAnywhere));
  const announce = async (isAsked: boolean) => {
    isAskedAnywhere ||= isAsked;
    if (--missing === 0) all.resolve();
    await noticed;
  };
  return { announce, noticed };
}
