/**
 * Tests that mostly wait, each for a process or a timer of its own, run at the same time as steps of one test.
 *
 * @module
 */

/** Registers a test whose steps begin at once. Each ends what it starts: what leaks can't be traced to one of them. */
export function testTogether(name: string, steps: Readonly<Record<string, () => Promise<void>>>): void {
  Deno.test(name, async (test) => {
    await Promise.all(
      Object.entries(steps).map(([name, fn]) =>
        test.step({ name, fn, sanitizeOps: false, sanitizeResources: false, sanitizeExit: false })
      ),
    );
  });
}
