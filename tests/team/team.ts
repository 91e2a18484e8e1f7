/**
 * Three replicas with a real balancer in front and a real store: strikes, queued calls and streams while replicas restart and the
 * store is killed.
 *
 *     deno task test:team
 *
 * @module
 */
import assert from "node:assert/strict";
import { conversationHash } from "../../src/chat/rollout/conversation.ts";
import { ownerOf } from "../../src/proxy/server/admission.ts";
import { openValkey } from "../../src/cli/service/valkey.ts";
import { findProgram } from "../support/find_program.ts";
import { BadGateway, readStream, runAll, runQueue, strike, strikeRequest } from "./agents.ts";
import { FILES, type Model, startModel } from "./model.ts";
import {
  type Balancer,
  findStore,
  programTest,
  Replica,
  startHaproxy,
  startNginx,
  StoreProgram,
  until,
} from "./programs.ts";

const store = await findStore();
const haproxy = await findProgram("haproxy");
const nginx = await findProgram("nginx");

interface Team {
  readonly model: Model;
  readonly store: StoreProgram;
  readonly replicas: readonly Replica[];
  readonly balancer: Balancer;
}

/** Starts a team with a balancer in front, and stops it in the end. */
async function withTeam(
  startBalancer: (folder: string, ports: readonly number[]) => Promise<Balancer>,
  run: (team: Team) => Promise<void>,
): Promise<void> {
  const folder = await Deno.makeTempDir();
  const model = startModel();
  const storeProgram = new StoreProgram(store!, folder);
  await storeProgram.start();
  const config = `listen: { hostname: 127.0.0.1 }
upstreams: [{ name: model, url: "${model.url}" }]
store: { url: "${storeProgram.url}", timeout_ms: 2000 }
limits: { drain_timeout_ms: 120000, plugin_timeout_ms: 60000 }
plugins: [dependency_chain, { use: strict_validation, mode: observe }]
`;
  const replicas = [1, 2, 3].map(() => new Replica(folder, config));
  let balancer: Balancer | undefined;
  try {
    await Promise.all(replicas.map((replica) => replica.start()));
    balancer = await startBalancer(folder, replicas.map(({ port }) => port));
    const { url } = balancer;
    await until(async () => {
      const response = await fetch(`${url}/health`).catch(() => undefined);
      await response?.body?.cancel();
      return response?.ok === true;
    }, "the balancer knows a replica");
    await run({ model, store: storeProgram, replicas, balancer });
  } finally {
    await balancer?.stop();
    await Promise.all(replicas.map((replica) => replica.stop()));
    await storeProgram.kill();
    await model.stop();
    await Deno.remove(folder, { recursive: true });
  }
}

/** Task → strikes, as the store has them. */
async function strikesIn({ port }: StoreProgram, tasks: readonly string[]): Promise<Map<string, number>> {
  const backend = await openValkey({
    url: "",
    host: "127.0.0.1",
    port,
    database: 0,
    isSecure: false,
    timeoutMs: 1000,
    prefix: "dragoman",
  });
  const owner = ownerOf({ key: undefined, requester: "" });
  const counts = new Map<string, number>();
  for (const task of tasks) {
    const [value] = await backend.read(conversationHash(strikeRequest(task), { client: "openai", owner }));
    counts.set(task, Number(value?.json ?? 0));
  }
  backend.close();
  return counts;
}

/** A number that the replicas' metrics add up to. */
async function sumOf(replicas: readonly Replica[], name: string): Promise<number> {
  const pages = await Promise.all(replicas.map((replica) => replica.metrics()));
  return pages.reduce(
    (sum, page) => sum + Number(new RegExp(`^${name} (\\d+)`, "m").exec(page)?.[1] ?? 0),
    0,
  );
}

programTest(
  "2,000 requests with strikes, queues, restarts and crashes of the store: nothing is lost or counted twice",
  { "valkey-server or redis-server": store, haproxy },
  () =>
    withTeam((folder, ports) => startHaproxy({ program: haproxy!, folder, ports }), async (team) => {
      const { model, store, replicas, balancer: { url } } = team;
      const strikeTasks = Array.from({ length: 50 }, (_, index) => `strike ${index}`);
      const strikes = strikeTasks.flatMap((task) =>
        Array.from({ length: 20 }, () => () => strike(url, task))
      );
      /** When a conversation can find the store away, or a replica that doesn't know yet that it is back. */
      const outages: { from: number; to: number }[] = [];
      const isTroubled = (from: number, to: number) =>
        outages.some((each) => each.from < to && each.to > from);
      let undisturbed = 0;
      const queues = Array.from({ length: 250 }, (_, index) => async () => {
        const task = `queue ${index}`;
        const from = performance.now();
        assert.deepEqual(await runQueue(url, task), FILES, task);
        if (isTroubled(from, performance.now())) return;
        undisturbed++;
        assert.equal(model.asked.get(task), 2, `${task}: the queue was used, so the model was asked twice`);
      });
      let isOver = false;
      const disturb = async () => {
        for (let round = 0; !isOver; round++) {
          const replica = replicas[round % replicas.length]!;
          await replica.restart();
          if (isOver || round % 2 === 1) continue;
          const outage = { from: performance.now(), to: Infinity };
          outages.push(outage);
          await store.kill();
          await new Promise((resolve) => setTimeout(resolve, 300));
          await store.start();
          await until(async () => await sumOf(replicas, "dragoman_store_up") === 3, "the store is up");
          outage.to = performance.now();
        }
        return outages.length;
      };
      const disturbing = disturb();
      const mixed = strikes.flatMap((task, index) => {
        const queue = index % 4 === 0 ? queues[index / 4] : undefined;
        return queue === undefined ? [task] : [task, queue];
      });
      await runAll(mixed, 16).finally(() => isOver = true);
      const crashes = await disturbing;
      await until(async () => await sumOf(replicas, "dragoman_store_waiting_changes") === 0, "all is saved");
      const counts = await strikesIn(store, strikeTasks);
      assert.deepEqual([...counts].filter(([, count]) => count !== 20), []);
      assert.equal(await sumOf(replicas, "dragoman_store_dropped_changes_total"), 0);
      assert.ok(crashes >= 1 && undisturbed >= 10, `${crashes} crashes, ${undisturbed} queues without one`);
      console.log(`${crashes} crashes of the store, ${undisturbed} of 250 queues without one`);
    }),
);

programTest(
  "a rolling restart of three replicas under 200 open streams breaks none",
  { "valkey-server or redis-server": store, haproxy },
  () =>
    withTeam(
      (folder, ports) => startHaproxy({ program: haproxy!, folder, ports }),
      (team) => restartUnderStreams(team, { count: 200, badGateways: 0 }),
    ),
);

programTest(
  "nginx: a rolling restart of three replicas under 40 open streams breaks none, and queues work",
  { "valkey-server or redis-server": store, nginx },
  () =>
    withTeam((folder, ports) => startNginx({ program: nginx!, folder, ports }), async (team) => {
      const { model, balancer: { url } } = team;
      const queues = Array.from({ length: 20 }, (_, index) => async () => {
        assert.deepEqual(await runQueue(url, `queue ${index}`), FILES);
        assert.equal(model.asked.get(`queue ${index}`), 2);
      });
      await runAll(queues, 8);
      for (const path of ["/metrics", "/_dragoman/"]) {
        const response = await fetch(url + path);
        await response.body?.cancel();
        assert.equal(response.status, 404);
      }
      // nginx learns of a stop by the closed port: too late for the one or two requests that wait at it.
      await restartUnderStreams(team, { count: 40, badGateways: 2 * team.replicas.length });
    }),
);

interface Streams {
  /** How many are open all the time. */
  readonly count: number;
  /** How often the balancer may answer 502 at most; such a request is sent once more. */
  readonly badGateways: number;
}

/** Restarts one replica after the other while streams are open; none of them may break. */
async function restartUnderStreams(
  { replicas, balancer: { url } }: Team,
  { count, badGateways }: Streams,
): Promise<void> {
  let isOver = false;
  let streams = 0;
  let refused = 0;
  const read = async (task: string) => {
    await readStream(url, task).catch((cause) => {
      if (!(cause instanceof BadGateway) || ++refused > badGateways) throw cause;
      return readStream(url, task);
    });
  };
  const agents = Array.from({ length: count }, async () => {
    while (!isOver) await read(`stream ${streams++}`);
  });
  const all = Promise.all(agents);
  const restarting = async () => {
    for (const replica of replicas) await replica.restart();
    isOver = true;
  };
  await Promise.all([all, restarting().finally(() => isOver = true)]);
  console.log(`${streams} streams, ${count} at a time, ${refused} asked once more`);
  assert.ok(streams >= 2 * count);
}
