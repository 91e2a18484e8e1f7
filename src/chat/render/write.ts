/** Writes one call as the text that a client runs, by its template or in elements; refuses what can't be exact. @module */
import { placeholders } from "../client/form.ts";
import type { Client, Parameter, ToolForm } from "../client/schema.ts";
import type { Entry, Refusal, Value, Values } from "./argument.ts";
import { writeValue } from "./escape.ts";

interface CallToWrite {
  readonly tool: string;
  readonly form: ToolForm;
  readonly values: Values;
  readonly client: Client;
  /** The model that the request names; some clients decode by it. */
  readonly model: string;
}

interface WrittenCall {
  readonly text: string;
  readonly trimmed: readonly string[];
}

/**
 * Writes a call.
 *
 * @example
 * ```ts
 * import { clientSchema } from "../client/schema.ts";
 * import { writeCall } from "./write.ts";
 * const client = clientSchema.parse({
 *   client: "mine",
 *   writes: "text",
 *   tools: { look: { parameters: { path: {} } } },
 * });
 * const form = client.tools.look ?? { parameters: {} };
 * const values = new Map([["path", { kind: "text", text: "a.ts" }]] as const);
 * const written = writeCall({ tool: "look", form, values, client, model: "" });
 * console.assert("text" in written && written.text === "<look>\n<path>a.ts</path>\n</look>");
 * ```
 */
export function writeCall(call: CallToWrite): WrittenCall | Refusal {
  const page = new Page(call);
  const { write } = call.form;
  const text = write === undefined ? page.elements(call.tool) : page.template(write, {
    parameters: call.form.parameters,
    values: call.values,
    enclosing: [],
  });
  const [problem] = page.problems;
  return problem === undefined ? { text, trimmed: page.trimmed } : { reason: "unwritable", detail: problem };
}

export function writeElement(name: string, call: CallToWrite): { readonly text: string } | Refusal {
  const page = new Page(call);
  const text = page.element(name, { parameter: call.form.parameters[name]!, value: call.values.get(name)! });
  const [problem] = page.problems;
  return problem === undefined ? { text } : { reason: "unwritable", detail: problem };
}

/** Whether the client decodes nothing in a parameter of this call. */
export function isRaw({ raw_if }: Parameter, { model, values }: CallToWrite): boolean {
  return raw_if.model_contains.some((part) => model.includes(part)) ||
    Object.entries(raw_if.parameter_ends_with).some(([name, endings]) => {
      const value = values.get(name);
      return value?.kind === "text" && endings.some((ending) => value.text.trim().endsWith(ending));
    });
}

/** The values for a template or a list of elements, and what closes around them. */
interface Scope {
  readonly parameters: Readonly<Record<string, Parameter>>;
  readonly values: Values;
  readonly enclosing: readonly string[];
}

/** One call being written. Problems are collected, so that writing itself stays straight. */
class Page {
  readonly problems: string[] = [];
  readonly trimmed: string[] = [];
  readonly #call: CallToWrite;

  constructor(call: CallToWrite) {
    this.#call = call;
  }

  elements(tool: string): string {
    const { form, values } = this.#call;
    const lines = Object.entries(form.parameters).flatMap(([name, parameter]) => {
      const value = values.get(name);
      return value === undefined ? [] : [this.element(name, { parameter, value })];
    });
    return [`<${tool}>`, ...lines, `</${tool}>`].join("\n");
  }

  /** The template with its values; a line, or what is in `[[ ]]`, is left out with a value that is absent. */
  template(template: string, scope: Scope): string {
    const lines: string[] = [];
    for (const line of withoutLastNewline(template).split("\n")) {
      const written = this.#line(line, scope);
      if (written !== undefined) lines.push(written);
    }
    return lines.join("\n");
  }

  element(name: string, { parameter, value }: { parameter: Parameter; value: Value }): string {
    const closer = `</${name}>`;
    const isBlock = parameter.newline_around || (value.kind !== "text" && parameter.write !== undefined);
    const inside = this.#value(name, { parameter, value, closers: [closer] });
    return isBlock ? `<${name}>\n${inside}\n${closer}` : `<${name}>${inside}${closer}`;
  }

  #line(line: string, scope: Scope): string | undefined {
    const parts = splitOptional(line);
    const written = parts.map(({ text, isOptional }) => {
      const filled = this.#fill(text, scope);
      return filled === undefined && isOptional ? "" : filled;
    });
    return written.every((part) => part !== undefined) ? written.join("") : undefined;
  }

  #fill(text: string, { parameters, values, enclosing }: Scope): string | undefined {
    let filled = "";
    let from = 0;
    for (const { name, start, end } of placeholders(text)) {
      const parameter = parameters[name];
      const value = values.get(name);
      if (parameter === undefined || value === undefined) return undefined;
      const closers = [closerAt(text, end), ...enclosing].filter((closer) => closer !== "");
      filled += text.slice(from, start) + this.#value(name, { parameter, value, closers });
      from = end;
    }
    return filled + text.slice(from);
  }

  #value(name: string, given: { parameter: Parameter; value: Value; closers: readonly string[] }): string {
    const { value, parameter, closers } = given;
    switch (value.kind) {
      case "text":
        return this.#text(name, { text: value.text, parameter, closers });
      case "written":
        return this.#asWritten(name, { text: value.text.trim(), closers });
      case "list":
        return this.#list(name, { entries: value.entries, parameter, closers });
    }
  }

  #text(name: string, given: { text: string; parameter: Parameter; closers: readonly string[] }): string {
    const { text, parameter, closers } = given;
    const { client } = this.#call;
    if (parameter.trimmed && text !== text.trim()) this.trimmed.push(name);
    const written = writeValue(text, { client, parameter, closers, isRaw: isRaw(parameter, this.#call) });
    if ("text" in written) return written.text;
    this.problems.push(`parameter ${name}: ${written.problem}`);
    return "";
  }

  #asWritten(name: string, { text, closers }: { text: string; closers: readonly string[] }): string {
    if (closers.some((closer) => text.includes(closer))) {
      this.problems.push(`parameter ${name}: the value contains its own closing tag`);
    }
    return text;
  }

  #list(
    name: string,
    given: { entries: readonly Entry[]; parameter: Parameter; closers: readonly string[] },
  ): string {
    const { entries, parameter, closers } = given;
    const { write } = parameter;
    if (write === undefined) {
      const text = JSON.stringify(entries.map(plainEntry));
      return this.#text(name, { text, parameter, closers });
    }
    const inside = entries.map((entry) =>
      "written" in entry
        ? this.#asWritten(name, { text: entry.written.trim(), closers })
        : this.template(write, { parameters: parameter.each, values: entry.values, enclosing: closers })
    ).join("\n");
    const limit = this.#call.client.value_limit;
    if (limit !== undefined && inside.length > limit) {
      this.problems.push(`parameter ${name}: the value is longer than the client's limit`);
    }
    return inside;
  }
}

/** An entry of a list that is written as JSON: its first value. */
function plainEntry(entry: Entry): string {
  if ("written" in entry) return entry.written;
  const [first] = entry.values.values();
  return first?.kind === "text" ? first.text : "";
}

/** What closes a value in a template: the closing tag right after it, else the rest of the line. */
function closerAt(text: string, from: number): string {
  const rest = text.slice(from);
  const end = rest.startsWith("</") ? rest.indexOf(">") : -1;
  return end === -1 ? rest.split("{", 1)[0] ?? "" : rest.slice(0, end + 1);
}

function splitOptional(line: string): { text: string; isOptional: boolean }[] {
  return line.split(/\[\[(.*?)\]\]/).map((text, index) => ({ text, isOptional: index % 2 === 1 }));
}

function withoutLastNewline(text: string): string {
  return text.endsWith("\n") ? text.slice(0, -1) : text;
}
