/** A worker of `serve --workers`: answers requests at the shared port. All that exists once is in the main thread. @module */
import { createGateway, type Gateway, type RequestHandler, type Started } from "../proxy/server/gateway.ts";
import { createKeyLimits } from "../proxy/server/key_limits.ts";
import { type Beginning, Beginnings } from "../proxy/upstream/beginnings.ts";
import { type LearnedTools, ToolMemory } from "../proxy/upstream/learned_tools.ts";
import type { RecognizedServer } from "../proxy/upstream/recognize_server.ts";
import { type LearnedChanges, Servers } from "../proxy/upstream/servers.ts";
import type { UpstreamHealth } from "../proxy/upstream/upstream_health.ts";
import type { UnwatchedRequest } from "../proxy/exchange/watch.ts";
import { guardProblems, type Guards, guardsOf } from "./service/access.ts";
import type { ConnectionCopies } from "../proxy/transport/socket_copy.ts";
import { CallPort, type MessageEnd } from "./service/call_port.ts";
import { sessionsIn } from "./service/memory.ts";
import { hasErrors, loadSetup } from "./service/setup.ts";
import { startBeating } from "./service/watchdog.ts";
import { type Unhandled, watchUnhandled } from "./service/unhandled.ts";
import { forwardPages, type PageCalls } from "./service/worker_pages.ts";
import { type Shown, ShownGatherer } from "./service/worker_watch.ts";
import type { CliContext } from "./service/context.ts";
import type { Backend } from "../proxy/store/backend.ts";
import type { QuotaName, Quotas } from "../proxy/store/quota.ts";
import type { Texts } from "../proxy/store/text.ts";
import { createHandlers, type Handlers } from "./handlers.ts";
import { setupFlags } from "./setup_options.ts";
import { textValue, type VerbInput } from "./verb.ts";

/** The functions of the main thread. */
export type MainCalls = Backend & Quotas & Texts & PageCalls & {
  ready(): void;
  print(stream: "stdout" | "stderr", text: string): void;
  play(shown: readonly Shown[]): void;
  unwatched(request: UnwatchedRequest): void;
  unhandled(unhandled: Unhandled): void;
  /** Takes a model that gets its tools in the prompt from now on. */
  learned(tools: LearnedTools): void;
  recognized(server: RecognizedServer): void;
  changed(changes: LearnedChanges): void;
  /** Takes where a model's answers begin, for the status. */
  began(beginning: Beginning): void;
  saw(name: string, answers: boolean): void;
  refused(limit: QuotaName): void;
  beat(): void;
  /** As in `ConnectionCopies`: what the main thread needs to end the connections of a worker that hangs. */
  opened(id: number, copy: number): void;
  ends(id: number, text: string): void;
  closed(id: number): void;
  /** Learns whether `/health/ready` was asked here; resolves when the port can close. */
  announce(isAsked: boolean): Promise<void>;
};

export type WorkerCalls = {
  /** Loads everything; the message is why it cannot. */
  start(options: WorkerStart): Promise<string | undefined>;
  /** Takes connections: at a socket of its own, of which it returns a copy, or at a copy, which is the worker's from now on. */
  listen(socket?: number): Promise<{ readonly problem: string } | Pick<Started, "socket">>;
  reload(): Promise<void>;
  /** Takes a model that another worker has learned about. */
  learn(tools: LearnedTools): void;
  recognize(server: RecognizedServer): void;
  change(changes: LearnedChanges): void;
  see(name: string, answers: boolean): void;
  drain(timeoutMs: number): Promise<void>;
};

export interface WorkerStart {
  readonly input: VerbInput;
  readonly port: number;
  /** The models that get their tools in the prompt. */
  readonly learned: readonly LearnedTools[];
  /** What requests are known to need. */
  readonly changes: readonly LearnedChanges[];
  readonly servers: readonly RecognizedServer[];
  readonly guards: Guards;
  readonly context: Pick<CliContext, "isTerminal" | "isTty" | "command" | "workingDirectory">;
}

/** How long a call of the main thread's memory may take, in milliseconds: it waits for no one. */
const MEMORY_MS = 10_000;

export function runWorker(end: MessageEnd): void {
  let worker: RunningWorker | undefined;
  const main: CallPort<MainCalls> = new CallPort<MainCalls>(
    end,
    {
      async start(options: WorkerStart) {
        worker = new RunningWorker(main, options);
        return await worker.start();
      },
      reload: async () => await worker?.reload(),
      learn: (tools: LearnedTools) => worker?.learn(tools),
      recognize: (server: RecognizedServer) => worker?.recognize(server),
      change: (changes) => worker?.change(changes),
      see: (name: string, answers: boolean) => worker?.see(name, answers),
      listen: async (socket?: number) => await worker?.listen(socket) ?? { problem: "Not started" },
      drain: async (timeoutMs: number) => await worker?.drain(timeoutMs),
    } satisfies WorkerCalls,
  );
  main.post("ready");
}

class RunningWorker {
  readonly #main: CallPort<MainCalls>;
  readonly #options: WorkerStart;
  readonly #context: CliContext;
  readonly #gatherer: ShownGatherer;
  readonly #handlerOf: Handlers["handlerOf"];
  readonly #health: UpstreamHealth;
  readonly #gateway: Gateway;
  readonly #toolMemory: ToolMemory;
  readonly #servers = new Servers();
  readonly #unhandled = watchUnhandled((error) => this.#main.post("unhandled", error));
  #handler: RequestHandler | undefined;
  #guards: Guards;
  /** The last load. A later one waits for it, so that the newest files win. */
  #loading: Promise<unknown> = Promise.resolve();

  constructor(main: CallPort<MainCalls>, options: WorkerStart) {
    this.#main = main;
    this.#options = options;
    this.#guards = options.guards;
    this.#context = {
      ...options.context,
      stdout: (text) => main.post("print", "stdout", text),
      stderr: (text) => main.post("print", "stderr", text),
      readStdin: () => Promise.resolve(""),
      readEnvironment: (name) => Deno.env.get(name),
      signal: new AbortController().signal,
    };
    this.#gatherer = new ShownGatherer({
      send: (shown) => main.post("play", shown),
      // For captures, and for the texts on the page.
      wantsText: () =>
        textValue(options.input, "record") !== undefined || this.#current.config.admin.contents,
    });
    this.#toolMemory = new ToolMemory((tools) => main.post("learned", tools));
    this.#servers.watchForgotten((upstream) => this.#toolMemory.forget(upstream));
    for (const tools of options.learned) this.learn(tools);
    for (const server of options.servers) this.recognize(server);
    this.#servers.watch((server) => main.post("recognized", server));
    for (const changes of options.changes) this.change(changes);
    this.#servers.watchChanges((changes) => main.post("changed", changes));
    const backend: Backend = {
      read: (scope) => main.call("read", scope),
      apply: (batch) => main.call("apply", batch),
      list: (countMax) => main.call("list", countMax),
      ping: () => main.call("ping"),
    };
    const quotas: Quotas = {
      admit: (request) => main.call("admit", request),
      renew: (request) => main.call("renew", request),
      release: (use) => main.call("release", use),
    };
    const texts: Texts = {
      recall: (names) => main.call("recall", names),
      keep: (name, text) => main.call("keep", name, text),
    };
    const { handlerOf, health } = createHandlers({
      input: options.input,
      context: this.#context,
      memory: { sessions: sessionsIn(backend, { limitMs: MEMORY_MS }), texts },
      toolMemory: this.#toolMemory,
      servers: this.#servers,
      beginnings: new Beginnings({ texts, report: (beginning) => main.post("began", beginning) }),
      keyLimits: createKeyLimits(quotas, (limit) => main.post("refused", limit)),
      watches: [this.#gatherer.watch],
      pages: forwardPages({
        openPage: (asked) => main.call("openPage", asked),
        readPage: (id) => main.call("readPage", id),
        leavePage: (id) => main.post("leavePage", id),
      }),
      unwatched: (request) => main.post("unwatched", request),
      failed: (cause) => this.#unhandled.take(cause),
    });
    this.#handlerOf = handlerOf;
    this.#health = health;
    health.watch((name, answers) => main.post("saw", name, answers));
    const copies: ConnectionCopies = {
      opened: (id, copy) => main.post("opened", id, copy),
      ends: (id, text) => main.post("ends", id, text),
      closed: (id) => main.post("closed", id),
    };
    this.#gateway = createGateway(() => this.#current, { copies });
  }

  get #current(): RequestHandler {
    if (this.#handler === undefined) throw new Error("The worker has not started");
    return this.#handler;
  }

  async start(): Promise<string | undefined> {
    startBeating(() => this.#main.post("beat"));
    return await this.#load() ? undefined : "The setup has errors";
  }

  async listen(socket?: number): ReturnType<WorkerCalls["listen"]> {
    const started = await this.#gateway.start(socket);
    return "url" in started ? { socket: started.socket } : { problem: started.problem.message };
  }

  async reload(): Promise<void> {
    await this.#load();
  }

  learn(tools: LearnedTools): void {
    this.#toolMemory.learn(tools);
  }

  recognize(server: RecognizedServer): void {
    this.#servers.learn(server);
  }

  change(changes: LearnedChanges): void {
    this.#servers.takeChanges(changes);
  }

  see(name: string, answers: boolean): void {
    this.#health.learn(name, answers);
  }

  async drain(timeoutMs: number): Promise<void> {
    await this.#gateway.drain(timeoutMs, { notice: (isAsked) => this.#main.call("announce", isAsked) });
    this.#gatherer.flush();
  }

  /** Loads everything, and uses it if it has no errors; the main thread has printed them. */
  #load(): Promise<boolean> {
    const { input, port } = this.#options;
    const load = async () => {
      const setup = await loadSetup({ ...setupFlags(input), port: String(port) }, this.#context, {
        isServing: true,
      });
      this.#unhandled.use(setup.plugins.plugins);
      if (hasErrors(setup) || guardProblems(this.#guards, setup).length > 0) return false;
      this.#guards = guardsOf(setup);
      const { handler, prepare } = this.#handlerOf(setup);
      prepare();
      this.#handler = handler;
      return true;
    };
    const loading = this.#loading.then(load);
    this.#loading = loading.catch(() => {});
    return loading;
  }
}
