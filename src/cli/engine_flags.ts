/** How the JavaScript engine runs a server. Every form of the program has the same flags; a test compares them. @module */

/**
 * A young generation of at most 8 MB each half, because a server keeps little of what a request allocates; a garbage
 * collection soon after the start, which leaves much garbage; and compiled code stays, so that an answer after a pause
 * costs no more than others.
 */
export const ENGINE_FLAGS =
  "--v8-flags=--max-semi-space-size=8,--gc-memory-reducer-start-delay-ms=1000,--no-flush-bytecode";
