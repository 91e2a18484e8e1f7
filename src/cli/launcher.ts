/**
 * The command that started this program, such as that of the npm package. It writes a byte to our standard input for each
 * Ctrl-C that reaches it, and its end is the end of the input. Without it, nothing would know that it was killed.
 *
 * @module
 */

interface LauncherEvents {
  interrupted(): void;
  gone(): void;
}

export async function followLauncher(
  input: AsyncIterable<Uint8Array>,
  { interrupted, gone }: LauncherEvents,
): Promise<void> {
  try {
    for await (const bytes of input) bytes.forEach(() => interrupted());
  } catch {
    // An input that breaks has ended, too.
  }
  gone();
}

/**
 * A terminal sends Ctrl-C to the launcher and to us, in any order. One that both receive counts once: the larger number
 * is how often it was pressed.
 */
export function countInterrupts(interrupted: () => void): { direct(): void; relayed(): void } {
  const counts = { direct: 0, relayed: 0 };
  const add = (source: keyof typeof counts) => {
    const before = Math.max(counts.direct, counts.relayed);
    if (++counts[source] > before) interrupted();
  };
  return { direct: () => add("direct"), relayed: () => add("relayed") };
}
