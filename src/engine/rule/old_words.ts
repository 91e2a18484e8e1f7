/** Reads rules in the words of earlier versions, with a warning for each that has the line to write instead. @module */
import { groupBy } from "../object/group.ts";
import type { Rewritten } from "../document/document.ts";
import type { Path } from "../document/field.ts";
import { isRecord } from "../object/record.ts";
import { yamlOf } from "./yaml_line.ts";

/** Where an old field is now, and its old values that have other words. */
interface Move {
  readonly path: Path;
  readonly values?: Readonly<Record<string, string>>;
}

const within = (home: string, fields: readonly string[]): Record<string, Move> =>
  Object.fromEntries(fields.map((field) => [field, { path: [home, field] }]));

/** Old field → its place. */
const MOVES: Readonly<Record<string, Move>> = {
  at: { path: ["begins"], values: { start: "answer", call: "after_call" } },
  where: { path: ["followed_by"], values: { anywhere: "anything", ending: "calls", last: "nothing" } },
  inside: { path: ["in_code"], values: { none: "never", fence: "opening_fence", "any": "allowed" } },
  ...within("tagged", ["item", "nested", "escapes", "unwrap", "containers", "extra_keys"]),
  ...within("opaque", ["region", "shows", "sends_as", "prefilled", "precedence", "unclosed"]),
  ...within("group", ["meta"]),
  ...within("call", ["tool", "parameters"]),
};

/** The old `whitelist`: its fields → theirs in `call`. */
const WHITELIST: Readonly<Record<string, string>> = { commands: "allowed_commands", tools: "allowed_tools" };

/** One field in an old word: its path in the file, and the path and value that replace it. */
interface Moved {
  readonly from: Path;
  readonly to: Path;
  readonly value: unknown;
}

/** A rule file's plain value in today's words. What isn't an old field stays as it is, for the schema to judge. */
export function newWords(value: unknown): Rewritten {
  const moved = isRecord(value)
    ? Object.entries(value).flatMap(([field, one]) => moves(field, one, value))
    : [];
  if (!isRecord(value) || moved.length === 0) return { value, findings: [], oldPath: (path) => path };
  const old = new Set(moved.map(({ from }) => from[0]));
  const result: Record<string, unknown> = Object.fromEntries(
    Object.entries(value).filter(([field]) => !old.has(field)),
  );
  for (const { to: [home = "", field], value: one } of moved) {
    result[home] = field === undefined ? one : { ...objectOf(result[home]), [field]: one };
  }
  return {
    value: result,
    findings: [...groupBy(moved, ({ to }) => to[0]!)].map(([home, fields]) =>
      describe(fields, isRecord(value[home]))
    ),
    oldPath: (path) => {
      const found = moved.find(({ to }) => to.every((step, index) => path[index] === step));
      if (found !== undefined) return [...found.from, ...path.slice(found.to.length)];
      return path.length === 1 ? moved.find(({ to }) => to[0] === path[0])?.from ?? path : path;
    },
  };
}

/** What replaces a field; nothing if it isn't an old one, or if the file has the new one too. */
function moves(field: string, value: unknown, rule: Readonly<Record<string, unknown>>): Moved[] {
  if (field === "whitelist" && isRecord(value) && Object.keys(value).every((key) => key in WHITELIST)) {
    return Object.entries(value).map(([key, one]) => ({
      from: [field, key],
      to: ["call", WHITELIST[key]!],
      value: one,
    }));
  }
  const move = moveOf(field, rule["body"]);
  if (move === undefined) return [];
  const [home = "", inner] = move.path;
  const present = inner === undefined ? Object.hasOwn(rule, home) : hasField(rule[home], String(inner));
  if (present) return [];
  const word = typeof value === "string" && move.values !== undefined && Object.hasOwn(move.values, value)
    ? move.values[value]
    : value;
  return [{ from: [field], to: move.path, value: word }];
}

/** Two old fields belonged to bodies of two kinds. */
function moveOf(field: string, body: unknown): Move | undefined {
  if (field === "string_mark") return { path: [body === "json" ? "json" : "envelope", field] };
  if (field === "between") return { path: [body === "call_list" ? "call_list" : "envelope", field] };
  return Object.hasOwn(MOVES, field) ? MOVES[field] : undefined;
}

function hasField(home: unknown, field: string): boolean {
  return home !== undefined && (!isRecord(home) || Object.hasOwn(home, field));
}

function objectOf(value: unknown): Readonly<Record<string, unknown>> {
  return isRecord(value) ? value : {};
}

/** One finding for the fields that move to one place, with what to write instead. */
function describe(moved: readonly Moved[], hasHome: boolean): Rewritten["findings"][number] {
  const [{ from, to: [home] }] = moved as [Moved];
  const words = [...new Set(moved.map(({ from }) => `\`${from[0]}\``))].join(", ");
  const fields = moved.map(({ to, value }) => `${to[1]}: ${yamlOf(value)}`).join(", ");
  const [{ to, value }] = moved as [Moved];
  if (to.length === 1) {
    return {
      code: "old_word",
      path: from,
      message: `${words} is now called \`${home}\``,
      help: `write \`${home}: ${yamlOf(value)}\``,
    };
  }
  return {
    code: "old_word",
    path: from,
    message: `${words} ${words.includes(",") ? "are" : "is"} now in \`${home}\``,
    help: hasHome ? `add \`${fields}\` to \`${home}\`` : `write \`${home}: { ${fields} }\``,
  };
}
