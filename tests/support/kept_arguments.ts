/**
 * Takes what an arguments writer gives and keeps it.
 *
 * @module
 */
import { lacksLetter } from "../../src/engine/tool/akin_names.ts";
import type { ArgumentsSink, WrittenArguments } from "../../src/engine/scan/arguments_writer.ts";

/** A sink that keeps what it gets and refuses one name. */
export class KeptArguments implements ArgumentsSink {
  readonly pieces: string[] = [];
  readonly notes: string[] = [];
  readonly meta: Record<string, string> = {};
  readonly keys: [string, boolean][] = [];
  constructor(readonly refused = "") {}
  get written(): string {
    return this.pieces.join("");
  }

  json(piece: string): void {
    this.pieces.push(piece);
  }
  parameter(name: string, { names }: WrittenArguments): boolean {
    this.keys.push([name, names.size === 0]);
    return name !== this.refused;
  }
  identifier(key: string, value: string): void {
    this.meta[key] = value;
  }
  repair(reason: string, detail = ""): void {
    this.notes.push(`${reason}: ${detail}`);
  }
  compareNames(name: string, known: string): void {
    if (lacksLetter(name, known)) this.notes.push("ambiguous");
  }
  refuse(detail: string): void {
    this.notes.push(`refused: ${detail}`);
  }
}
