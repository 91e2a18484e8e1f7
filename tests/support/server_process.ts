/**
 * A server under measurement: a process of its own, with its processor time and memory read from `/proc`.
 *
 * @module
 */

/** The kernel counts processor time in hundredths of a second. */
const TICK_US = 10_000;

/** How long a server may take to end before it is killed: one that hangs must not hang its test. */
const STOP_MS = 20_000;

export interface ServerCommand {
  readonly name: string;
  /** The working directory. */
  readonly folder: string;
  /** Arguments of Deno after `run --allow-all`; `PORT` is replaced by the port. */
  readonly args: readonly string[];
  /** Variables of its environment, in addition to those of this process. */
  readonly env?: Readonly<Record<string, string>>;
  /** The path to ask whether it is up. */
  readonly healthPath?: string;
}

export class ServerProcess {
  readonly #process: Deno.ChildProcess;
  #isStopped = false;

  private constructor(
    readonly name: string,
    readonly url: string,
    /** How long it took from the start of the process to the first answer, in milliseconds. */
    readonly startMs: number,
    process: Deno.ChildProcess,
  ) {
    this.#process = process;
  }

  /** Starts a server and waits until it answers. */
  static async start(
    { name, folder, args, env = {}, healthPath = "/health" }: ServerCommand,
  ): Promise<ServerProcess> {
    const port = freePort();
    const began = performance.now();
    const process = new Deno.Command(Deno.execPath(), {
      args: ["run", "--allow-all", ...args.map((arg) => arg.replaceAll("PORT", `${port}`))],
      cwd: folder,
      env: { ...env },
      stdin: "null",
      stdout: "null",
      stderr: "inherit",
    }).spawn();
    const url = `http://127.0.0.1:${port}`;
    while (performance.now() - began < 60_000) {
      const response = await fetch(url + healthPath).catch(() => undefined);
      await response?.body?.cancel();
      if (response !== undefined) return new ServerProcess(name, url, performance.now() - began, process);
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
    process.kill("SIGKILL");
    throw new Error(`${name} does not answer at ${url}${healthPath}`);
  }

  /** The process's own file about its processor time. */
  get statPath(): string {
    return `/proc/${this.#process.pid}/stat`;
  }

  /** Waits until everything is loaded: the port opens before. */
  async isLoaded(): Promise<void> {
    await (await fetch(`${this.url}/_dragoman/`)).text();
  }

  /** The processor time that the process has used so far, in microseconds. */
  async processorMicroseconds(): Promise<number> {
    return processorTime(await Deno.readTextFile(this.statPath));
  }

  /** The processor time of all running threads so far, to the nanosecond, in milliseconds. */
  async scheduledMilliseconds(): Promise<number> {
    return [...(await this.threadMilliseconds()).values()].reduce((sum, one) => sum + one, 0);
  }

  /** Thread → the processor time that it has used so far, to the nanosecond, in milliseconds. */
  async threadMilliseconds(): Promise<Map<string, number>> {
    const folder = `/proc/${this.#process.pid}/task`;
    const times = new Map<string, number>();
    for await (const { name } of Deno.readDir(folder)) {
      const text = await Deno.readTextFile(`${folder}/${name}/schedstat`).catch(() => "0");
      times.set(name, Number(text.split(" ")[0]) / 1e6);
    }
    return times;
  }

  /** Thread → the processor time that it has used so far, in microseconds. */
  async threadMicroseconds(): Promise<Map<string, number>> {
    const folder = `/proc/${this.#process.pid}/task`;
    const times = new Map<string, number>();
    for await (const { name } of Deno.readDir(folder)) {
      const stat = await Deno.readTextFile(`${folder}/${name}/stat`).catch(() => undefined);
      if (stat !== undefined) times.set(name, processorTime(stat));
    }
    return times;
  }

  /** The memory that the process holds now, in bytes. */
  async residentBytes(): Promise<number> {
    return await this.#status("VmRSS");
  }

  /** The most memory that the process has held since the last reset, in bytes. */
  async peakResidentBytes(): Promise<number> {
    return await this.#status("VmHWM");
  }

  /** Forgets the peak so far. */
  async resetPeak(): Promise<void> {
    await Deno.writeTextFile(`/proc/${this.#process.pid}/clear_refs`, "5");
  }

  /** How many descriptors the process has open. */
  async openDescriptors(): Promise<number> {
    let count = 0;
    for await (const _ of Deno.readDir(`/proc/${this.#process.pid}/fd`)) count++;
    return count;
  }

  /** Ends the process with SIGTERM; gives its exit code. */
  async stop(): Promise<number> {
    const wasStopped = this.#isStopped;
    this.#isStopped = true;
    if (!wasStopped) this.#process.kill("SIGTERM");
    const timer = setTimeout(() => this.#process.kill("SIGKILL"), STOP_MS);
    const { code } = await this.#process.status;
    clearTimeout(timer);
    return code;
  }

  async #status(field: string): Promise<number> {
    const status = await Deno.readTextFile(`/proc/${this.#process.pid}/status`);
    return Number(new RegExp(`${field}:\\s+(\\d+) kB`).exec(status)?.[1] ?? NaN) * 1024;
  }
}

/** The processor time in a line of the kernel about a process or a thread, in microseconds. */
export function processorTime(stat: string): number {
  const fields = stat.slice(stat.lastIndexOf(") ") + 2).split(" ");
  return (Number(fields[11]) + Number(fields[12])) * TICK_US;
}

/** The ports that systems do not give to a socket that asks for any port: no other test's server or connection gets one. */
const FREE_PORTS = { first: 20_000, count: 12_000 };

/** A port that nothing listens on, for a server that must know its port before it starts. */
export function freePort(): number {
  for (;;) {
    const port = FREE_PORTS.first + Math.floor(Math.random() * FREE_PORTS.count);
    try {
      Deno.listen({ hostname: "127.0.0.1", port }).close();
      return port;
    } catch (cause) {
      if (!(cause instanceof Deno.errors.AddrInUse)) throw cause;
    }
  }
}

/** Whether something listens on a port. */
export async function isOpen(port: number): Promise<boolean> {
  try {
    (await Deno.connect({ hostname: "127.0.0.1", port })).close();
    return true;
  } catch {
    return false;
  }
}
