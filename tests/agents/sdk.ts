/**
 * The libraries that agents are built on: each drives a small agent of its own, streamed and whole.
 *
 * @module
 */
import { join } from "node:path";
import type { Agent } from "./agent.ts";

/** Two ways of running one library. */
function sdk(name: string): readonly Agent[] {
  return ["streamed", "whole"].map((variant) => ({
    name,
    variant,
    async launch({ home, url, prompt }) {
      // Node looks for packages next to the script's real place.
      const script = join(home, "agent.cjs");
      await Deno.copyFile(new URL(`./sdk/${name}.cjs`, import.meta.url), script);
      return { args: [script, url, prompt, variant] };
    },
  }));
}

/** Every library under test. */
export const SDKS: readonly Agent[] = ["openai", "ai", "langchain"].flatMap(sdk);
