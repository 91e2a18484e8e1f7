/**
 * Schemas that are small and unfold into more than any machine can read, with values that make a reader follow them.
 *
 * @module
 */
type Fields = Record<string, unknown>;

export interface HostileSchema {
  readonly name: string;
  readonly schema: Fields;
  readonly value: unknown;
}

function times<Value>(count: number, make: (at: number) => Value): Value[] {
  return Array.from({ length: count }, (_, at) => make(at));
}

/** Definitions that each use the next one. */
function steps(count: number, make: (next: Fields) => Fields): Fields {
  const named = times(
    count,
    (at) => [`d${at}`, at === count - 1 ? { type: "string" } : make({ $ref: `#/$defs/d${at + 1}` })],
  );
  return { $defs: Object.fromEntries(named), properties: { a: { $ref: "#/$defs/d0" } } };
}

function nested(depth: number, make: (inside: Fields) => Fields): Fields {
  return depth === 0 ? {} : make(nested(depth - 1, make));
}

const DEEP = nested(60, (inside) => ({ a: inside }));
const MANY = Object.fromEntries(times(20_000, (at) => [`k${at}`, at]));

export const HOSTILE_SCHEMAS: readonly HostileSchema[] = [
  {
    name: "a circle of eight branches",
    schema: {
      type: "object",
      properties: { a: { type: "string" } },
      anyOf: times(8, () => ({ $ref: "#" })),
    },
    value: { a: "x", b: 1 },
  },
  {
    name: "a tree without a circle",
    schema: steps(7, (next) => ({ anyOf: times(12, () => next) })),
    value: { a: 5 },
  },
  {
    name: "a chain whose links come twice",
    schema: steps(26, (next) => ({ allOf: [next, next] })),
    value: { a: 5 },
  },
  {
    name: "a deep value whose every level is checked three times",
    schema: {
      $ref: "#/$defs/n",
      $defs: { n: { allOf: times(3, () => ({ properties: { a: { $ref: "#/$defs/n" } } })) } },
    },
    value: DEEP,
  },
  {
    name: "identifiers inside each other",
    schema: nested(40, (inside) => ({ id: "https://a/b", properties: { a: inside } })),
    value: DEEP,
  },
  {
    name: "dependencies with identifiers inside each other",
    schema: nested(40, (inside) => ({ dependencies: { id: "https://a/b", a: inside } })),
    value: DEEP,
  },
  {
    name: "ten thousand references in a row",
    schema: steps(10_000, (a) => ({ properties: { a } })),
    value: DEEP,
  },
  {
    name: "definitions that all name each other",
    schema: {
      $defs: Object.fromEntries(
        times(40, (at) => [`d${at}`, { anyOf: times(40, (other) => ({ $ref: `#/$defs/d${other}` })) }]),
      ),
      properties: { a: { $ref: "#/$defs/d0" } },
    },
    value: { a: 5 },
  },
  {
    name: "1,900 references to 200 kB",
    schema: {
      $defs: { b: { type: "string", description: "x".repeat(200_000) } },
      properties: Object.fromEntries(times(1900, (at) => [`p${at}`, { $ref: "#/$defs/b" }])),
    },
    value: { p1: 5 },
  },
  {
    name: "required parameters that contain themselves",
    schema: { properties: { a: { $ref: "#" } }, required: times(100, () => "a") },
    value: DEEP,
  },
  {
    name: "elements that have to differ",
    schema: { properties: { a: { uniqueItems: true } } },
    value: { a: times(20_000, (at) => ({ at })) },
  },
  {
    name: "a long text that is measured again and again",
    schema: { properties: { a: { allOf: times(5000, () => ({ minLength: 1 })) } } },
    value: { a: "x".repeat(500_000) },
  },
  {
    name: "many keys that nothing allows",
    schema: { allOf: times(2000, () => ({ additionalProperties: false })) },
    value: MANY,
  },
  {
    name: "long keys inside each other",
    schema: {
      allOf: times(5, () => nested(20, (inside) => ({ properties: { ["k".repeat(20_000)]: inside } }))),
    },
    value: {},
  },
  {
    name: "words that quote each other",
    schema: nested(60, (inside) => ({ contains: inside })),
    value: {},
  },
];
