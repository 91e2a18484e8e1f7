import assert from "node:assert/strict";
import {
  callsOf,
  eventsOf,
  programOf,
  type Reading,
  toldInEveryCut,
} from "../../../support/matcher_events.ts";

const json = { rule: "json", pattern: "<c {tool}>(?<body>…)</c>", body: "json" };
const waiting = { ...json, commit: "close" };
const endless = { rule: "endless", pattern: "CALL {tool} (?<body>…)", body: "json" };
const OK = "note transformed";

const toldOf = (text: string, rule: Record<string, unknown>, reading: Partial<Reading> = {}) =>
  toldInEveryCut(text, { program: programOf(rule), ...reading });

const cases: [name: string, text: string, lines: string[], rule?: Record<string, unknown>][] = [
  ["takes whitespace before the closer", "<c f>{} \n</c>!", ["f {}", OK, 'text "!"']],
  ["takes the end of the answer for it", "<c f>{} ", ["f {}", OK, "note closer_missing"], waiting],
  [
    "takes the next opener for it",
    "<c f>{}<c g>{}</c>",
    ["f {}", OK, "note closer_missing", "g {}", OK],
    waiting,
  ],
  [
    "takes the next opener for it, one that looks ahead too",
    "<c f>{}<c g>{}</c>",
    ["f {}", OK, "note closer_missing", "g {}", OK],
    { ...waiting, pattern: "<c {tool}>(?=\\{)(?<body>…)</c>" },
  ],
  [
    "takes a closer that looks ahead, and the end of the answer for what it looks at",
    "<c f>{} </c>\n<c g>{}</c>x</c>\n!<c h>{}</c>",
    ["f {}", OK, "note malformed: no closing tag after the JSON", 'text "<c g>{}</c>x</c>\\n!"', "h {}", OK],
    { ...waiting, pattern: "<c {tool}>(?<body>…)</c>(?=\\n)" },
  ],
  ["lets one brace too many go", "<c f>{}}</c>", ["f {}", OK, "note json_repaired: extra brace"]],
  ["lets two braces too many go", "<c f>{} }\n}</c>", [
    "f {}",
    OK,
    "note json_repaired: extra brace",
    "note json_repaired: extra brace",
  ]],
  ["takes a third brace for no slip", "<c f>{}}}}</c>", [
    "note malformed: no closing tag after the JSON",
    'text "<c f>{}}}}</c>"',
  ], waiting],
  ["takes something else for no closer", "<c f>{} x</c>", [
    "note malformed: no closing tag after the JSON",
    'text "<c f>{} x</c>"',
  ], waiting],
  ["takes text for the end of a call that is whole, if no closer follows", '<c f>{"a": 1} x\ny', [
    'f {"a":1}',
    OK,
    "note closer_missing",
    'text "x\\ny"',
  ]],
  ["takes text for the end of a call before the next", '<c f>{"a": 1} x<c g>{}</c>', [
    'f {"a":1}',
    OK,
    "note closer_missing",
    'text "x"',
    "g {}",
    OK,
  ]],
  ["sends text before the closer after the call", '<c f>{"a": 1} x</c>!', [
    'f {"a":1}',
    OK,
    "note text_before_closer",
    'text "x!"',
  ]],
  ["sends text on the line of a string before the closer after the call", '<c f>{"a": "b"} ok\n</c>!', [
    'f {"a":"b"}',
    OK,
    "note text_before_closer",
    'text "ok!"',
  ]],
  ["leaves out tags before the closer", '<c f>{"a": "b"}</think> <|end|></c>!', [
    'f {"a":"b"}',
    OK,
    "note text_before_closer",
    'text "!"',
  ]],
  ["keeps a string whose quotes and bracket only look like its end", '<c f>{"a": "b "}" c"}</c>', [
    'f {"a":"b \\"}\\" c"}',
    OK,
    "note json_repaired: unescaped quote",
  ]],
  ["takes nothing for the end if JSON can end again", '<c f>{"a": "b"}\nc"}</c>', [
    'f {"a":"b" … abort malformed',
    "note malformed: no closing tag after the JSON",
    'text "}\\nc\\"}</c>"',
  ]],
  ["reads the call after a string that isn't closed", '<c f>{"a": "b}</c>\n<c g>{"a": "d"}</c>', [
    'f {"a":"b}</c>\\n<c g>{ … abort invalid_arguments',
    "note invalid_arguments: not JSON",
    'g {"a":"d"}',
    OK,
  ]],
  ["reads the call after one that isn't JSON", '<c f>{"a": b c}</c><c g>{"a": "d"}</c>', [
    'f {"a": … abort invalid_arguments',
    "note invalid_arguments: not JSON",
    'text "b c}</c>"',
    'g {"a":"d"}',
    OK,
  ]],
  ["accepts only the closer itself after a missing brace", '<c f>{"a": 1 }}', [
    'f {"a":1}',
    OK,
    "note json_repaired: extra brace",
    "note closer_missing",
  ]],
  ["takes no second value where there is one call", "<c f>{} {}</c>", [
    "note malformed: no closing tag after the JSON",
    'text "<c f>{} {}</c>"',
  ], waiting],
  ["does not invent a brace at the end of the answer", '<c f>{"a": 1 <', [
    "note truncated",
    'text "<c f>{\\"a\\": 1 <"',
  ], waiting],
  [
    "asks for nothing where the rule has no closer",
    'CALL f {"a": 1} and',
    ['f {"a":1}', OK, 'text "and"'],
    endless,
  ],
  ["invents no brace where the rule has no closer", 'CALL f {"a": 1 and', [
    "note invalid_arguments: not JSON",
    'text "CALL f {\\"a\\": 1 and"',
  ], { ...endless, commit: "close" }],
];

for (const [name, text, lines, rule = json] of cases) {
  Deno.test(`Closing ${name}`, () => assert.deepEqual(toldOf(text, rule), lines));
}

Deno.test("Closing does not treat a cut answer as ended", () => {
  assert.deepEqual(toldOf("<c f>{} ", waiting, { truncated: true }), ["note truncated", 'text "<c f>{} "']);
  assert.deepEqual(toldOf('<c f>{"a": 1} ', json, { truncated: true }), [
    'f {"a":1 … abort truncated',
    "note truncated",
  ]);
});

Deno.test("Closing leaves text that it sends after the call out of the call's own text, so that a refused call has it once", () => {
  for (
    const [text, source] of [
      ['<c f>{"a": 1} > </c>', '<c f>{"a": 1}  </c>'],
      ['<c f>{"a": ">"} >\n</c>!', '<c f>{"a": ">"} \n</c>'],
      ["<c f>{}</think> </c>!", "<c f>{}</think> </c>"],
    ] as const
  ) {
    const [call] = callsOf(eventsOf([text], { program: programOf(json), wholeCalls: true }));
    assert.equal(call?.end?.kind === "call_end" ? call.end.source : undefined, source);
  }
});
