/**
 * The closed list of diagnostic codes, each explained once. Diagnostics carry a code; `dragoman explain CODE`
 * prints its paragraph and example. A new code is a new entry here and nothing else.
 *
 * @module
 */

/** What a code means, for people. */
export interface CodeText {
  /** One line for lists: what is wrong, sentence case, no full stop. */
  readonly summary: string;
  /** One paragraph: why it matters and how to mend it. */
  readonly explanation: string;
  /** A few lines that show the mistake, or how it looks when mended. */
  readonly example: string;
}

/** Diagnostic code → its text. */
export const CODES = {
  // Files and YAML
  file_unreadable: {
    summary: "A file or folder cannot be read",
    explanation:
      "A path that was named on the command line or in the configuration does not exist, is no readable file or folder, or is not UTF-8 text. Paths in dragoman.yaml are relative to the folder of that file, paths on the command line to the working directory.",
    example: "rules:\n  folders: [my-rules]   # looked for beside dragoman.yaml",
  },
  yaml_syntax: {
    summary: "The file is not valid YAML",
    explanation:
      "The text could not be read as YAML: a quote is not closed, the indentation is uneven, a key comes twice, or a tab indents a line. Regular expressions are best written in single quotes, where only the quote itself is doubled.",
    example: "pattern: '<call>(?<body>…)</call>'   # single quotes: nothing is escaped",
  },
  unknown_field: {
    summary: "A field that the format does not have",
    explanation:
      "The key is not part of the format at this place. Unknown keys are refused, not ignored, because a misspelt field would otherwise silently keep its default. The nearest known key is suggested.",
    example: "confidense: 0.9   # did you mean `confidence`?",
  },
  missing_field: {
    summary: "A required field is missing",
    explanation: "The format requires this field at this place and it has no default.",
    example: "rule: mine\npattern: '<call>{tool} (?<body>…)</call>'\nbody: json   # required",
  },
  wrong_type: {
    summary: "A value of the wrong type",
    explanation:
      "The field holds another kind of value than the format asks for, such as a text where a list is expected. In YAML an unquoted 5 is a number, true is a boolean, and a text that begins with [ or { is a list or a mapping; quotes make them texts.",
    example: "dialects: [my-dialect]   # a list, also for one",
  },
  wrong_value: {
    summary: "A value that is not allowed here",
    explanation:
      "The value has the right type but is none of the allowed ones, is out of range, or does not have the required form.",
    example: "confidence: 0.9   # between 0 and 1",
  },
  // Rules
  duplicate_rule: {
    summary: "Two files of one folder define the same rule",
    explanation:
      "A rule's name identifies it in the configuration, the audit log and the metrics, so it must be unique. A rule in a folder of yours may replace a built-in rule of the same name, but two files side by side may not.",
    example: "rule: mine   # once, in rules/mine.yaml",
  },
  rule_name: {
    summary: "A rule's name differs from its file's name",
    explanation:
      "A rule stands in a file of its own name, so that a name in a log or a message leads to its file. Rename one of the two.",
    example: "# rules/mine.yaml\nrule: mine",
  },
  unknown_rule: {
    summary: "The configuration names a rule that does not exist",
    explanation:
      "A name under `rules.enable`, `rules.disable` or `rules.confidence`, or after --enable or --disable, is no rule that was loaded. The help names the nearest one; a rule of your own must lie in a folder of `rules.folders`.",
    example: "rules:\n  enable: [shell_block]",
  },
  confidence_under_threshold: {
    summary: "An enabled rule is under the confidence threshold",
    explanation:
      "The rule is switched on, but its confidence is less than `policy.minimum_confidence`, so it will never make a call. Raise the rule's confidence (`rules.confidence` in the configuration does it without a copy of the rule), lower the threshold, or switch the rule off.",
    example: "rules:\n  enable: [shell_block]\n  confidence: { shell_block: 0.9 }",
  },
  pattern_syntax: {
    summary: "A pattern is not a regular expression",
    explanation:
      "The text of a `pattern` or `item` could not be parsed: a bracket is not closed, a quantifier has nothing to repeat, an escape is unknown. The caret stands at the first character that does not fit.",
    example: "pattern: '<call>(?<body>…)</call>'",
  },
  pattern_unsupported: {
    summary: "A pattern uses a construct that cannot run on a stream",
    explanation:
      "Patterns run as an automaton while the answer is still arriving, in linear time. Lookbehind, negative lookahead, `$`, `\\b`, inline flags and similar constructs cannot be decided that way and are refused. `at: line` and `where: last` say what is mostly meant by them.",
    example: "at: line                  # instead of a lookbehind for a newline\npattern: '~~~(?<body>…)~~~'",
  },
  pattern_hole: {
    summary: "A pattern has no hole, or several",
    explanation:
      "A pattern has exactly one hole, `(?<body>…)` in a `pattern` and `(?<value>…)` in an `item`. What stands before it is the opener, what stands after it is the closer; the hole stands on the top level, not inside a group that may repeat or be left out.",
    example: "pattern: '<call>(?<body>…)</call>'",
  },
  pattern_empty_opener: {
    summary: "An opener that may match nothing",
    explanation:
      "What stands before the hole must take at least one character. An opener that can be empty would open a call at every place of an answer.",
    example: "pattern: '<call>(?<body>…)</call>'   # not (?:<call>)?",
  },
  pattern_group_missing: {
    summary: "A named group that the rule needs is missing",
    explanation:
      "The body kind needs a named group that the pattern does not have: an `item` needs `(?<key>…)`, and a rule without `tool` needs `{tool}` or another way to learn the tool's name.",
    example: 'item: \'<arg name="(?<key>[^"]{1,64})">(?<value>…)</arg>\'',
  },
  pattern_group_unused: {
    summary: "A named group that nothing uses",
    explanation:
      "A named group is there to be used: by `{tool}`, as `$name` in `parameters`, or by a backreference in the closer. A group that nothing reads is mostly a misspelling. Write `(?:…)` if you only want to group.",
    example: "pattern: '<(?:call|tool)>(?<body>…)</(?:call|tool)>'",
  },
  pattern_reference: {
    summary: "A backreference that cannot be followed",
    explanation:
      "A backreference `\\k<name>` may stand in the closer only and must name a group of the opener. In an opener it cannot be decided by an automaton.",
    example: "pattern: '(?<fence>`{3,8})sh\\n(?<body>…)\\n\\k<fence>'",
  },
  pattern_repeat: {
    summary: "A repetition with a too large count",
    explanation:
      "A counted repetition such as `x{1,600}` may count to 512 at most: every count becomes states of the automaton, and no opener is longer than 512 characters anyway.",
    example: 'pattern: \'<call name="[^"]{1,64}">(?<body>…)</call>\'',
  },
  pattern_too_long: {
    summary: "An opener that is always longer than 512 characters",
    explanation:
      "While text may still become an opener it must be held back, and no more than 512 characters are. An opener whose shortest match is longer can never open a call. What is only sometimes longer is left as text then.",
    example: 'pattern: \'<call id="[^"]{1,64}">(?<body>…)</call>\'   # not [^"]{600}',
  },
  pattern_too_large: {
    summary: "A pattern that is too large to run",
    explanation:
      "A pattern has at most 4,096 characters, 50 groups inside one another, and 20,000 steps once its counted repeats are written out: `(?:[a-z]{1,100}){1,300}` has 30,000. The patterns of whole dialects have a few hundred steps, so a larger one is mostly generated or a slip.",
    example: "pattern: '<call {tool}>(?<body>…)</call>'   # [a-z]+ instead of (?:[a-z]{1,100}){1,300}",
  },
  item_missing: {
    summary: "A tagged rule has no item",
    explanation: "A rule with `body: tagged` says with `item` how one key and its value are written.",
    example: "body: tagged\nitem: '<parameter=(?<key>[^>\\s]{1,64})>(?<value>…)</parameter>'",
  },
  item_unexpected: {
    summary: "An item in a rule whose body has none",
    explanation: "`item` belongs to `body: tagged` only. Remove it, or change the body kind.",
    example: "body: json   # the hole is the arguments; no item",
  },
  field_conflict: {
    summary: "A field that does not go with this body",
    explanation:
      "The field means something only with other body kinds, for instance `region` with `opaque` or `envelope` with `envelope`. It would have no effect here, so it is refused.",
    example: "body: opaque\nregion: fence",
  },
  parameter_capture: {
    summary: "A parameter takes a capture that the pattern does not have",
    explanation:
      "`$name` under `parameters` stands for the text of the named group `(?<name>…)` of the pattern. Other strings are constants.",
    example: "pattern: '<run>(?<body>…)</run>'\nparameters: { command: $body }",
  },
  example_failed: {
    summary: "An example gives another result than it says",
    explanation:
      "An example of a rule was run and its text or its calls differ. Every example runs whole, one character at a time and cut at every place, first with its rule alone and then together with all enabled rules. If only the second fails, another rule reads the same text: compare their confidence. `dragoman trace FILE` shows every decision.",
    example:
      "examples:\n  - name: one call\n    offered: [read_file]\n    input: '<call>read_file {\"path\":\"a\"}</call>'\n    text: ''\n    calls: [{ tool: read_file, arguments: { path: a } }]",
  },
  untouched_changed: {
    summary: "A text that must stay untouched was changed",
    explanation:
      "A case under `untouched` must leave byte for byte as it came, with no call, whole and cut at every place. Make the pattern stricter, or move the case to `examples` if it is a call after all.",
    example:
      "untouched:\n  - name: prose\n    offered: [read_file]\n    input: 'Write <call> to call a tool.'",
  },
  // Configuration and the command line
  listen_unprotected: {
    summary: "The proxy would listen to the network without a key",
    explanation:
      "The address is reachable from other machines, and whoever reaches the port uses the model servers and their keys. Name an environment variable that holds one or several client keys with `listen.key_env`, listen on 127.0.0.1, or say with `listen.open: true` that everybody may.",
    example: "listen: { hostname: 0.0.0.0, key_env: DRAGOMAN_KEY }",
  },
  environment_missing: {
    summary: "An environment variable is not set",
    explanation:
      "An upstream's `key_env` names an environment variable that is not set or is empty. The client's own Authorization header is passed on instead; a hosted model server will refuse requests that have none.",
    example: "export DASHSCOPE_API_KEY=…   # for key_env: DASHSCOPE_API_KEY",
  },
  environment_value: {
    summary: "An environment variable or a flag has a value that cannot be used",
    explanation:
      "A value of DRAGOMAN_PORT, DRAGOMAN_HOST or DRAGOMAN_UPSTREAM, or of the flag of the same name, could not be read. Flags win over the environment, the environment over the file, the file over the defaults.",
    example: "DRAGOMAN_PORT=8787 dragoman serve",
  },
  upstream_url: {
    summary: "An upstream's URL cannot be used",
    explanation:
      "An upstream is named by the base URL that its documentation gives, http or https, mostly ending in /v1, without query and without /chat/completions. A URL with nothing after the host gets /v1 added, because that is where model servers answer.",
    example: "upstreams:\n  - name: local\n    url: http://127.0.0.1:8080/v1",
  },
  duplicate_upstream: {
    summary: "Two upstreams have the same name",
    explanation:
      "An upstream's name stands in logs and in the path /upstream/NAME/v1/…, so it must be unique.",
    example: "upstreams:\n  - { name: local, url: 'http://127.0.0.1:8080/v1' }",
  },
  unknown_flag: {
    summary: "A flag or an argument that the verb does not have",
    explanation:
      "The command line holds a flag or an argument that this verb does not know, or a flag's value is missing. `dragoman VERB --help` lists them.",
    example: "dragoman serve --port 8787",
  },
  unknown_verb: {
    summary: "A verb that does not exist",
    explanation:
      "The first word of the command line says what to do; without one Dragoman serves. `dragoman --help` lists the verbs.",
    example: "dragoman check",
  },
  wrong_usage: {
    summary: "Flags or arguments of a verb that do not go together, or one that is missing",
    explanation:
      "Each flag is known, but the verb cannot work with them as they are: an argument is missing, or a flag needs or excludes another. `dragoman help VERB` shows the usage.",
    example: "dragoman conformance cases/   # a path has to be named",
  },
  cannot_listen: {
    summary: "The server cannot listen on its address",
    explanation:
      "Another program already listens there, the system forbids the port, or the address is none of this machine. Nothing was started. Port 0 lets the system choose a free one.",
    example: "dragoman serve --port 8788",
  },
  unknown_code: {
    summary: "A code that does not exist",
    explanation:
      "`dragoman explain` knows diagnostic codes and reason codes. Without a code it lists all of them.",
    example: "dragoman explain pattern_hole",
  },
  // Plugins
  unknown_plugin: {
    summary: "A built-in plugin that does not exist",
    explanation:
      "An entry of `plugins` without a slash and without the ending of a script is the name of a built-in plugin. The nearest one is suggested; a plugin of your own is named by its path.",
    example: "plugins:\n  - strict_validation\n  - ./my_plugin.ts",
  },
  plugin_invalid: {
    summary: "A plugin that cannot be loaded or is none",
    explanation:
      "The file does not exist, is no module, or its default export is not a plugin: an object with a `name`, at least one hook, and nothing that a plugin does not have. Two plugins of one name are refused too. Paths are relative to the folder of dragoman.yaml.",
    example: "export default { name: 'mine', onCall: (call) => undefined };",
  },
  plugin_requires: {
    summary: "A plugin requires another one that is not in the configuration",
    explanation:
      "A plugin's `requires` names plugins that run before it. All of them have to be among the `plugins` of the configuration; the order there does not matter.",
    example: "plugins:\n  - mine        # requires: ['other']\n  - ./other.ts",
  },
  plugin_cycle: {
    summary: "Plugins that require each other",
    explanation:
      "A plugin runs after those that it requires. Where a chain of `requires` comes back to its beginning there is no such order; the message draws the chain.",
    example: "// a.ts requires b, b.ts requires a: a → b → a",
  },
  // Clients
  client_name: {
    summary: "A client's name differs from its file's name",
    explanation: "A client stands in a file of its own name, so that a name in a log leads to its file.",
    example: "# rules/clients/mine.yaml\nclient: mine",
  },
  duplicate_client: {
    summary: "Two files of one folder define the same client",
    explanation:
      "A client's name must be unique. A client in a folder of yours may replace a built-in one of the same name, but two files side by side may not.",
    example: "client: mine   # once, in rules/clients/mine.yaml",
  },
} as const satisfies Record<string, CodeText>;

/** A diagnostic code. */
export type Code = keyof typeof CODES;
