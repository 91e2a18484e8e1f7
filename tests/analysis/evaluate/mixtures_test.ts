/**
 * Faults that no list of this project had when `evaluate` was written, alone and two by two. Each is evaluated with a few
 * tasks that show it; no finding may name another cause.
 *
 * @module
 */
import assert from "node:assert/strict";
import type { FindingName } from "../../../src/analysis/evaluate/findings.ts";
import { isRecord } from "../../../src/engine/object/record.ts";
import { sampled } from "../../support/fuzz.ts";
import { evaluated } from "./evaluated.ts";
import type { Draft, Fault, Scene } from "./faults.ts";
import { createFaultyServer } from "./faulty_server.ts";

type Values = Readonly<Record<string, unknown>>;

interface Invented {
  /** The findings that are right: the first is the exact one. */
  readonly right: readonly [FindingName, ...FindingName[]];
  /** Findings that are true, but name the cause only loosely. */
  readonly vague?: readonly FindingName[];
  readonly change?: (draft: Draft, scene: Scene) => Draft;
  /** A change of the body as it is sent. */
  readonly body?: (text: string) => string;
  readonly stage?: Fault["stage"];
  /** A task that shows it, besides the usual ones. */
  readonly task?: string;
}

const TASKS = ["plain_call", "stream_call", "types", "two_calls", "result_used"];

const values = (change: (given: Values) => Values) => (draft: Draft): Draft => ({
  ...draft,
  calls: draft.calls.map(({ tool, arguments: given }) => ({ tool, arguments: change(given) })),
});

const strings = (change: (text: string) => string) =>
  values((given) =>
    Object.fromEntries(
      Object.entries(given).map(([key, value]) => [key, typeof value === "string" ? change(value) : value]),
    )
  );

const keys = (change: (key: string) => string) =>
  values((given) => Object.fromEntries(Object.entries(given).map(([key, value]) => [change(key), value])));

const names = (change: (name: string) => string) => (draft: Draft): Draft => ({
  ...draft,
  calls: draft.calls.map(({ tool, arguments: given }) => ({ tool: change(tool), arguments: given })),
});

const refusing =
  (status: number, message: string, isHit: (scene: Scene) => boolean) =>
  (draft: Draft, scene: Scene): Draft => isHit(scene) ? { ...draft, error: { status, message } } : draft;

const printedAs =
  (write: (tool: string, given: Values) => string) => (draft: Draft, { isRaw, hasTools }: Scene) =>
    draft.calls.length === 0 || isRaw || !hasTools ? draft : {
      ...draft,
      text: draft.calls.map(({ tool, arguments: given }) => write(tool, given)).join("\n"),
      calls: [],
    };

const hasResult = ({ question }: Scene) => question?.task === "result_used";

const INVENTED: Readonly<Record<string, Invented>> = {
  "names with dashes": {
    right: ["names_changed"],
    change: names((name) => name.replace("_", "-")),
    stage: 3,
  },
  "names in capitals": { right: ["names_changed"], change: names((name) => name.toUpperCase()), stage: 3 },
  "names with a space": { right: ["names_changed"], change: names((name) => ` ${name}`), stage: 3 },
  "names in camel case": {
    right: ["names_changed"],
    change: names((name) => name.replace(/_(\w)/, (_, letter: string) => letter.toUpperCase())),
    stage: 3,
  },
  "streams without a name": {
    // Where no whole answer has a call to compare with, the missing name itself is the cause.
    right: ["stream_differs", "names_changed"],
    body: (text) => text.startsWith("data:") ? text.replaceAll(/"name":"\w+"/g, '"name":""') : text,
  },
  "names of a server": {
    right: ["names_changed"],
    change: names((name) => `mcp__project__${name}`),
    stage: 3,
  },
  "names with parentheses": { right: ["names_changed"], change: names((name) => `${name}()`), stage: 3 },
  "another tool's name": {
    right: ["wrong_tool"],
    change: names((name) => name === "search" ? "grep" : name),
  },
  "parameters in capitals": {
    right: ["missing_required"],
    vague: ["schema_violated"],
    change: keys((key) => key.toUpperCase()),
  },
  "another parameter": {
    right: ["missing_required"],
    change: keys((key) => key === "path" ? "file_path" : key),
  },
  "an extra parameter": {
    right: ["schema_violated"],
    change: values((given) => ({ ...given, reason: "asked" })),
  },
  "null for a required value": {
    right: ["schema_violated"],
    change: values((given) => "path" in given ? { ...given, path: null } : given),
  },
  "an enum in capitals": {
    right: ["schema_violated"],
    change: values((given) =>
      "kind" in given ? { ...given, kind: String(given["kind"]).toUpperCase() } : given
    ),
  },
  "booleans as numbers": {
    right: ["wrong_types"],
    change: values((given) =>
      "case_sensitive" in given
        ? { ...given, case_sensitive: given["case_sensitive"] === true ? 1 : 0 }
        : given
    ),
  },
  "lists as text": {
    right: ["wrong_types"],
    change: values((given) =>
      Array.isArray(given["folders"]) ? { ...given, folders: given["folders"].join(", ") } : given
    ),
  },
  "values in an object": {
    right: ["wrong_types", "schema_violated"],
    change: values((given) => "path" in given ? { ...given, path: { value: given["path"] } } : given),
  },
  "line breaks lost": {
    right: ["arguments_differ"],
    task: "exact_content",
    change: strings((text) => text.replaceAll("\n", " ")),
  },
  "quotes turned": {
    right: ["arguments_differ"],
    task: "exact_content",
    change: strings((text) => text.replaceAll('"', "'")),
  },
  "letters beyond ASCII lost": {
    right: ["arguments_differ"],
    task: "exact_content",
    change: strings((text) => text.replace(/[^\0-~]/g, "?")),
  },
  "entities in values": {
    right: ["arguments_differ"],
    task: "exact_content",
    change: strings((text) => text.replaceAll("<", "&lt;")),
  },
  "values in a fence": {
    right: ["arguments_differ"],
    task: "exact_content",
    change: strings((text) => text.includes("\n") ? `\`\`\`\n${text}\n\`\`\`` : text),
  },
  "a reasoning mark next to calls": {
    right: ["begins_in_reasoning"],
    change: (draft) => draft.calls.length === 0 ? draft : { ...draft, text: "I read it.\n</think>\n\n" },
  },
  "a token that ends the text": {
    right: ["tokens_left"],
    change: (draft) => ({ ...draft, text: `${draft.text}</s>` }),
  },
  "a token of a turn": {
    right: ["tokens_left"],
    change: (draft) => ({ ...draft, text: `${draft.text}<|im_end|>` }),
  },
  "an apology": {
    right: ["answers_in_words"],
    change: (draft) =>
      draft.calls.length === 0 ? draft : { ...draft, calls: [], text: "I'm sorry, I can't do that." },
  },
  "a promise": {
    right: ["answers_in_words"],
    change: (draft) =>
      draft.calls.length === 0 ? draft : { ...draft, calls: [], text: "I'll read the file now." },
  },
  "a call as JSON in a fence": {
    right: ["calls_printed_as_text"],
    change: printedAs((tool, given) =>
      `\`\`\`json\n${JSON.stringify({ name: tool, arguments: given })}\n\`\`\``
    ),
    stage: 3,
  },
  "a call as an element": {
    right: ["calls_printed_as_text"],
    change: printedAs((tool, given) =>
      `<tool_call>\n<function=${tool}>\n${
        Object.entries(given).map(([key, value]) =>
          `<parameter=${key}>\n${typeof value === "string" ? value : JSON.stringify(value)}\n</parameter>`
        ).join("\n")
      }\n</function>\n</tool_call>`
    ),
    stage: 3,
  },
  "an unknown notation": {
    right: ["unread_dialect"],
    change: printedAs((tool, given) => `%%CALL ${tool}%% ${JSON.stringify(given)} %%OVER%%`),
    stage: 3,
  },
  "results refused": {
    right: ["request_refused"],
    vague: ["request_fails"],
    change: refusing(422, "Unexpected role 'tool' after role 'assistant'", hasResult),
    stage: 0,
  },
  "results that break the template": {
    right: ["request_fails"],
    change: refusing(500, "TypeError: can only concatenate str to str", hasResult),
    stage: 0,
  },
  "a gateway's limit": {
    right: ["request_refused"],
    task: "exact_content",
    change: refusing(
      413,
      "Request Entity Too Large",
      ({ toolCount, question }) => toolCount > 0 && question?.task === "exact_content",
    ),
    stage: 0,
  },
  "a page instead of an answer": {
    right: ["error_as_answer"],
    body: (text) => text.startsWith("{") && text.includes("tool_calls") ? "<html>Bad Gateway</html>" : text,
  },
  "a page instead of a stream": {
    right: ["error_as_answer"],
    body: (text) => text.startsWith("data:") && text.includes("tool_calls") ? "<html>Time-out</html>" : text,
  },
  "no choices": {
    right: ["error_as_answer"],
    body: (text) => text.startsWith("{") && text.includes("tool_calls") ? '{"id":"x","choices":[]}' : text,
  },
  "arguments as an object": {
    right: ["arguments_encoded_twice"],
    body: (text) =>
      text.replace(
        /"arguments":("(?:[^"\\]|\\.)*")/g,
        (whole, json: string) => text.startsWith("{") ? `"arguments":${JSON.parse(json)}` : whole,
      ),
  },
  "no arguments": {
    right: ["invalid_arguments"],
    body: (text) =>
      text.startsWith("{") ? text.replace(/"arguments":"(?:[^"\\]|\\.)*"/g, '"arguments":"null"') : text,
  },
  "a brace too many": {
    right: ["invalid_arguments"],
    body: (text) => text.startsWith("{") ? text.replaceAll(/\}"(?=\}\})/g, '}}"') : text,
  },
  "one id for all": { right: ["ids_missing"], body: (text) => text.replace(/"call\d\dabc"/g, '"call"') },
  "ids as numbers": { right: ["ids_missing"], body: (text) => text.replace(/"call(\d)(\d)abc"/g, "1$1$2") },
  "another word for the end": {
    right: ["finish_reason_wrong"],
    body: (text) => text.replaceAll('"finish_reason":"tool_calls"', '"finish_reason":"end_turn"'),
  },
  "pieces sent twice": {
    right: ["stream_differs"],
    vague: ["invalid_arguments"],
    body: (text) => text.replace(/^data: .*"arguments":"[^"].*\n\n/gm, (event) => event + event),
  },
  "an old field for calls": {
    right: ["call_lost"],
    vague: ["empty_answer", "answers_in_words"],
    body: (text) =>
      text.startsWith("{")
        ? text.replace(/"tool_calls":\[\{.*?"function":(\{.*?\})\}.*?\](?=\})/g, '"function_call":$1')
        : text,
  },
};

/** Two faults that one server can have: what one of them replaces, the other can't change. */
function isPair(one: Invented, other: Invented): boolean {
  return one.stage !== other.stage || one.body !== undefined || other.body !== undefined;
}

function serverOf(faults: readonly Invented[]): (request: Request) => Promise<Response> {
  const { send } = createFaultyServer(
    Object.fromEntries(
      faults.map(({ change, stage = 2, right }, at): [string, Fault] => [
        String(at),
        { finding: right[0], stage, isRepaired: true, apply: change ?? ((draft) => draft) },
      ]),
    ),
  );
  return async (request) => {
    const asked: unknown = await request.clone().json();
    const response = await send(request);
    const text = await response.text();
    const isOn = isRecord(asked) && Array.isArray(asked["tools"]) && asked["tool_choice"] !== "none";
    const changed = faults.reduce((body, fault) => isOn ? fault.body?.(body) ?? body : body, text);
    return new Response(changed, response);
  };
}

/** Every fault alone, and pairs of faults that are far from each other in the list. */
function mixtures(): (readonly string[])[] {
  const all = Object.keys(INVENTED);
  const pairs = all.map((name, at) => [name, all[(at * 7 + 11) % all.length]!] as const)
    .filter(([one, other]) => one !== other && isPair(INVENTED[one]!, INVENTED[other]!));
  return [...all.map((name) => [name]), ...pairs];
}

Deno.test("evaluate: of 60 new faults and mixtures, none gets a false cause", async () => {
  const wrong: string[] = [];
  let [found, vague] = [0, 0];
  const all = mixtures();
  assert.ok(all.length >= 60, `${all.length}`);
  for (const mixture of sampled(all, 12)) {
    const faults = mixture.map((name) => INVENTED[name]!);
    const tasks = [...TASKS, ...faults.flatMap(({ task }) => task ?? [])];
    const evaluation = await evaluated({ send: serverOf(faults), tasks, isPlain: true });
    const ids = evaluation.findings.map(({ id }) => id);
    const right = faults.flatMap((fault) => fault.right);
    const loose = faults.flatMap((fault) => fault.vague ?? []);
    const strange = ids.filter((id) => !right.includes(id) && !loose.includes(id));
    if (ids.length === 0 || strange.length > 0 || evaluation.lost.length > 0) {
      wrong.push(`${mixture.join(" + ")}: ${ids.join(" ") || "nothing"}, not ${right.join(" or ")}`);
    }
    found += ids.length;
    vague += ids.filter((id) => !right.includes(id)).length;
  }
  assert.deepEqual(wrong, []);
  assert.ok(vague / found <= 0.05, `${vague} of ${found} findings are vague`);
});
