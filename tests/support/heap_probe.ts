/**
 * The program with a second port, `HEAP_PROBE_PORT`, that answers every request with the bytes of JavaScript objects
 * and of the buffers that they own, after a garbage collection. Needs `--v8-flags=--expose-gc`.
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
    const { heapUsed, external } = Deno.memoryUsage();
    return Response.json({ heapUsed, external });
  });
}

await import("../../main.ts");
