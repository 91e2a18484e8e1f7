/**
 * The program with a second port, `HEAP_PROBE_PORT`, that answers every request with the bytes of JavaScript objects
 * that are left after a garbage collection. Needs `--v8-flags=--expose-gc`.
 *
 * @module
 */
const { gc } = globalThis as { gc?: () => void };

if (!("DedicatedWorkerGlobalScope" in globalThis)) {
  Deno.serve({
    hostname: "127.0.0.1",
    port: Number(Deno.env.get("HEAP_PROBE_PORT")),
    onListen() {},
  }, () => {
    gc?.();
    return new Response(`${Deno.memoryUsage().heapUsed}`);
  });
}

await import("../../main.ts");
