/** The closed list of diagnostic codes with their explanations, which `dragoman explain CODE` prints. @module */

import type { CodeText } from "./code_text.ts";
import { LINT_CODES } from "./lint_codes.ts";

/** Diagnostic code → its text. */
export const CODES = {
  // Files and YAML
  file_unreadable: {
    summary: "A file or folder cannot be read",
    explanation:
      "A path on the command line or in the configuration does not exist, is not a readable file or folder, or is not UTF-8 text. Paths in dragoman.yaml are relative to the folder of that file; paths on the command line are relative to the working directory.",
    example: "rules:\n  folders: [my-rules]   # relative to the folder of dragoman.yaml",
  },
  file_unwritable: {
    summary: "A file cannot be written",
    explanation:
      "The path is a folder, its folder does not exist, or the system or Deno's permissions deny it. The `dragoman` command can write in the working directory and its subfolders, and to files that a flag names. Nothing was changed.",
    example: "dragoman report audit.jsonl --html report.html",
  },
  file_exists: {
    summary: "The file already exists",
    explanation:
      "`dragoman init` and `dragoman service install` never overwrite a file. Edit the file, remove it, or choose another name.",
    example: "dragoman init --config other.yaml",
  },
  file_skipped: {
    summary: "A rule or client path is not a regular file",
    explanation:
      "A folder, a pipe, a device, or a link that is broken or points outside its folder has the name of a rule or client file. Dragoman skips it, because reading it could hang or expose an unrelated file. Dragoman reads all other files.",
    example: "rules/mine.yaml -> /somewhere/else.yaml   # skipped: copy the file instead",
  },
  link_leads_out: {
    summary: "A link points outside the folder of the audit log or recorded answers",
    explanation:
      "Dragoman does not write the audit log or recorded answers through a symbolic link that points outside their folder, because someone else's project could contain a link to any of your files. For a path inside the folder of dragoman.yaml (for `--record`, the working directory), no part of the path may lead out of that folder; for any other path, only the last part counts. Dragoman follows a link whose target is in the same folder. Use the real path instead.",
    example: "audit: { file: /var/log/dragoman/audit.jsonl }   # instead of a link to it",
  },
  load_failed: {
    summary: "A file cannot be loaded",
    explanation:
      "Dragoman cannot read the file for a reason that no other diagnostic covers, usually because the file is too long or too deeply nested. The previous rules, clients, and settings stay in use until you save a valid file. If the file isn't unusually large or deeply nested, report the error.",
    example: "pattern: '((((((…))))))'   # thousands of levels",
  },
  yaml_syntax: {
    summary: "The file is not valid YAML",
    explanation:
      "The text is not valid YAML: a quote is not closed, the indentation is inconsistent, a key is repeated, or a line is indented with a tab. Write regular expressions in single quotes, where the only escape is a doubled quote.",
    example: "pattern: '<call>(?<body>…)</call>'   # single quotes: no escapes",
  },
  unknown_field: {
    summary: "An unknown field",
    explanation:
      "The format doesn't define this key here. Unknown keys are errors, because a misspelled field would otherwise silently keep its default. The help suggests the nearest known key.",
    example: "confidense: 0.9   # did you mean `confidence`?",
  },
  missing_field: {
    summary: "A required field is missing",
    explanation: "The format requires this field, and it has no default.",
    example: "rule: mine\npattern: '<call>{tool} (?<body>…)</call>'\nbody: json   # required",
  },
  wrong_type: {
    summary: "A value of the wrong type",
    explanation:
      "The value doesn't have the required type; for example, it is a string instead of a list. In YAML an unquoted 5 is a number, true is a boolean, and text that starts with [ or { is a list or a mapping. To make any of them a string, put it in quotes.",
    example: "dialects: [my-dialect]   # a list, even for a single entry",
  },
  wrong_value: {
    summary: "A value that is not allowed here",
    explanation:
      "The value has the right type but is not one of the allowed values, is out of range, or has the wrong form.",
    example: "confidence: 0.9   # between 0 and 1",
  },
  // Rules
  duplicate_rule: {
    summary: "Two files in one folder define the same rule",
    explanation:
      "A rule's name identifies it in the configuration, the audit log, and the metrics, so it must be unique. A rule in your own folder can replace a built-in rule that has the same name, but two files in one folder cannot share a name.",
    example: "rule: mine   # once, in rules/mine.yaml",
  },
  rule_name: {
    summary: "A rule's name differs from its file's name",
    explanation:
      "A rule must have the same name as its file, so that you can find the file from a name in a log or a message. Rename one of the two.",
    example: "# rules/mine.yaml\nrule: mine",
  },
  unknown_rule: {
    summary: "The configuration names a rule that does not exist",
    explanation:
      "No loaded rule has the name given in `rules.enable`, `rules.disable`, or `rules.confidence`, or with --enable or --disable. The help suggests the closest name. Your own rules must be in a folder that `rules.folders` lists.",
    example: "rules:\n  enable: [shell_block]",
  },
  confidence_under_threshold: {
    summary: "An enabled rule is below the confidence threshold",
    explanation:
      "The rule is enabled, but its confidence is below `policy.minimum_confidence`, so it never makes a call. Raise the rule's confidence (in `rules.confidence` in the configuration, which doesn't require a copy of the rule), lower the threshold, or disable the rule.",
    example: "rules:\n  enable: [shell_block]\n  confidence: { shell_block: 0.9 }",
  },
  pattern_syntax: {
    summary: "A pattern is not a regular expression",
    explanation:
      "A `pattern` or `item` cannot be parsed: a bracket is not closed, a quantifier has nothing to repeat, or an escape is unknown. The caret marks the first character that cannot be parsed.",
    example: "pattern: '<call>(?<body>…)</call>'",
  },
  pattern_unsupported: {
    summary: "A pattern uses a construct that cannot run on a stream",
    explanation:
      "Patterns run as an automaton while the answer is still arriving, in linear time. Lookbehind, negative lookahead, `$`, `\\b`, inline flags, and similar constructs cannot run that way. `begins: line` and `followed_by: nothing` usually replace them.",
    example: "begins: line              # instead of a lookbehind for a newline\npattern: '~~~(?<body>…)~~~'",
  },
  pattern_hole: {
    summary: "A pattern has no hole, or more than one",
    explanation:
      "A pattern has exactly one hole, `(?<body>…)` in a `pattern` and `(?<value>…)` in an `item`. The part before it is the opener, and the part after it is the closer. The hole must be at the top level, not inside a group that is optional or can repeat.",
    example: "pattern: '<call>(?<body>…)</call>'",
  },
  pattern_empty_opener: {
    summary: "An opener that can match nothing",
    explanation:
      "The part before the hole must match at least one character. An opener that can be empty would open a call at every position in an answer.",
    example: "pattern: '<call>(?<body>…)</call>'   # not (?:<call>)?",
  },
  pattern_empty_closer: {
    summary: "An item's closer that can match nothing",
    explanation:
      "The part after `(?<value>…)` is a mark that can be absent, as in `(?:</arg>)?`. A value that merely mentions an item would then end at that mention, and the call would be wrong. Make the closer required: if a model forgets it, Dragoman repairs the call and notes the repair. In a notation without closers, write nothing after the hole, or a separator such as `,?`.",
    example: 'item: \'<arg name="(?<key>[^"]{1,64})">(?<value>…)</arg>\'   # not (?:</arg>)?',
  },
  pattern_group_missing: {
    summary: "A named group that the rule needs is missing",
    explanation:
      "The body kind needs a named group that the pattern does not have: an `item` needs `(?<key>…)`, and a rule without `call.tool` needs `{tool}` or another source of the tool's name.",
    example: 'item: \'<arg name="(?<key>[^"]{1,64})">(?<value>…)</arg>\'',
  },
  pattern_group_unused: {
    summary: "An unused named group",
    explanation:
      "Rules use named groups as `{tool}`, as `$name` in `parameters`, or as a backreference in the closer. An unused group is usually misspelled. For a group without a name, write `(?:…)`.",
    example: "pattern: '<(?:call|tool)>(?<body>…)</(?:call|tool)>'",
  },
  pattern_reference: {
    summary: "A backreference in the wrong place",
    explanation:
      "A backreference `\\k<name>` is allowed only in the closer and must name a group of the opener. The automaton that finds openers cannot evaluate a backreference.",
    example: "pattern: '(?<fence>`{3,8})sh\\n(?<body>…)\\n\\k<fence>'",
  },
  pattern_repeat: {
    summary: "A repetition count that is too large",
    explanation:
      "A counted repetition such as `x{1,600}` is limited to 512, because each repetition adds states to the automaton, and openers are limited to 512 characters.",
    example: 'pattern: \'<call name="[^"]{1,64}">(?<body>…)</call>\'',
  },
  pattern_too_long: {
    summary: "An opener that is always longer than 512 characters",
    explanation:
      "Dragoman holds back up to 512 characters of text that can still become an opener. An opener whose shortest match is longer can never open a call. If only some matches are longer, those matches are left as text.",
    example: 'pattern: \'<call id="[^"]{1,64}">(?<body>…)</call>\'   # not [^"]{600}',
  },
  pattern_too_large: {
    summary: "A pattern that is too large to run",
    explanation:
      "A pattern has at most 4,096 characters, 50 nested groups, and 20,000 steps once its counted repeats are expanded: `(?:[a-z]{1,100}){1,300}` has 30,000. Patterns usually have a few hundred steps; a much larger one is probably generated or wrong.",
    example: "pattern: '<call {tool}>(?<body>…)</call>'   # [a-z]+ instead of (?:[a-z]{1,100}){1,300}",
  },
  item_missing: {
    summary: "A tagged rule has no item",
    explanation:
      "A rule with `body: tagged` needs `item`, the pattern of one key and its value, in `tagged`.",
    example: "body: tagged\ntagged:\n  item: '<parameter=(?<key>[^>\\s]{1,64})>(?<value>…)</parameter>'",
  },
  old_word: {
    summary: "A file uses an outdated keyword",
    explanation:
      "Some keywords of the rule format have changed, and the fields of each body kind are now in a mapping that has the kind's name. The file still works; the warning shows the new line. `at` is now `begins`, `where` is `followed_by`, `inside` is `in_code`; `item`, `nested`, `escapes`, `unwrap`, `containers` and `extra_keys` are in `tagged`; `region`, `shows`, `sends_as`, `prefilled`, `precedence` and `unclosed` in `opaque`; `meta` in `group`; `between` and `string_mark` in the mapping of their body; `tool`, `parameters` and `whitelist` in `call`. In the configuration, Markdown quotations such as `fence` are listed in `policy.quotations` instead of `rules.disable`.",
    example: "begins: answer   # before: at: start",
  },
  field_conflict: {
    summary: "A field that does not apply to this body",
    explanation:
      "The field applies only to other body kinds. For example, `opaque` applies to `body: opaque`, and `keys` applies to bodies with arguments. It would have no effect here, so it is an error.",
    example: "body: opaque\nopaque: { region: quote }",
  },
  parameter_capture: {
    summary: "A parameter refers to an unavailable capture",
    explanation:
      "In a rule with `body: text`, `$name` under `call.parameters` is the text of the named group `(?<name>…)` of the pattern, and `$body` is the text of the hole. Other bodies read their arguments from the hole; in them, `$name` renames the argument `name`, and groups of the pattern are not available. Any other string is a constant.",
    example: "pattern: '<run>(?<body>…)</run>'\ncall: { parameters: { command: $body } }",
  },
  example_failed: {
    summary: "An example does not produce its expected result",
    explanation:
      "The text or the calls of an example differ from the expected ones. Dragoman reads every example as a whole, one character at a time, and split at every position: first with only its rule, and then with all enabled rules. If only the second run fails, another rule reads the same text: compare the two rules' confidence. `dragoman trace FILE` shows every decision.",
    example:
      "examples:\n  - name: one call\n    offered: [read_file]\n    input: '<call>read_file {\"path\":\"a\"}</call>'\n    text: ''\n    calls: [{ tool: read_file, arguments: { path: a } }]",
  },
  untouched_changed: {
    summary: "Text that must stay unchanged was changed",
    explanation:
      "A case under `untouched` must stay unchanged and result in no call, both as a whole and split at every position. Make the pattern stricter, or move the case to `examples` if it is a call.",
    example:
      "untouched:\n  - name: prose\n    offered: [read_file]\n    input: 'Write <call> to call a tool.'",
  },
  ...LINT_CODES,
  // Configuration and the command line
  listen_unprotected: {
    summary: "The proxy would accept network connections without a key",
    explanation:
      "Other machines can reach this address, and anyone who reaches the port can use the model servers and their keys. Set `listen.key_env` to an environment variable with one or more client keys, listen on 127.0.0.1, or set `listen.open: true` to allow anyone.",
    example: "listen: { hostname: 0.0.0.0, key_env: DRAGOMAN_KEY }",
  },
  configuration_gone: {
    summary: "The running server's configuration is missing or empty",
    explanation:
      "A server that started with a `dragoman.yaml` never continues without that file, because the file contains its client keys, limits, and plugins. The previous configuration stays in effect. Restore the file, or restart the server to run without it.",
    example: "git checkout dragoman.yaml",
  },
  access_opened: {
    summary: "An edit would remove a required key",
    explanation:
      "A reload never removes the last client key or the admin key, so that an error in the file can't give everyone access to the server. The previous configuration stays in effect. Restore the key, or restart the server to run without one.",
    example: "listen: { key_env: DRAGOMAN_KEY }",
  },
  environment_missing: {
    summary: "An environment variable is not set",
    explanation:
      "An upstream's `key_env` names an environment variable that is not set or is empty. Dragoman forwards the client's own Authorization header instead. A hosted model server refuses requests without a key.",
    example: "export DASHSCOPE_API_KEY=…   # for key_env: DASHSCOPE_API_KEY",
  },
  environment_value: {
    summary: "An environment variable or a flag has an invalid value",
    explanation:
      "The value of DRAGOMAN_PORT, DRAGOMAN_HOST, or DRAGOMAN_UPSTREAM, or of the corresponding flag, is invalid. A flag overrides the environment, the environment overrides the file, and the file overrides the defaults.",
    example: "DRAGOMAN_PORT=8787 dragoman serve",
  },
  upstream_url: {
    summary: "An upstream's URL is invalid",
    explanation:
      "Use the base URL from the model server's documentation: http or https, usually ending in /v1, without a query and without /chat/completions. Dragoman adds /v1 to a URL without a path, because model servers serve their API there.",
    example: "upstreams:\n  - name: local\n    url: http://127.0.0.1:8080/v1",
  },
  upstream_refuses: {
    summary: "The model server refuses a plain request",
    explanation:
      "The server responds, but it returns an error for a chat request without tools, so Dragoman can't measure anything. Usually the model's name is wrong, the model isn't loaded, or the key has no access to it. The message quotes the server's error.",
    example: "dragoman evaluate --upstream http://127.0.0.1:8080/v1 --model my-model --key-env MY_KEY",
  },
  duplicate_upstream: {
    summary: "Two upstreams have the same name",
    explanation: "Logs and the path /upstream/NAME/v1/… use an upstream's name, so it must be unique.",
    example: "upstreams:\n  - { name: local, url: 'http://127.0.0.1:8080/v1' }",
  },
  raw_unsupported: {
    summary: "A server that doesn't support `tools: raw`",
    explanation:
      "`tools: raw` switches off the server's own tool-call parser and leaves the prompt unchanged. Some servers can't do that or remove the tools from the prompt; with `server: none`, the server is unknown. `tools: prompted` works everywhere.",
    example: "upstreams:\n  - { name: local, url: 'http://127.0.0.1:8080/v1', server: vllm, tools: raw }",
  },
  unknown_flag: {
    summary: "An unknown flag or argument",
    explanation:
      "The verb does not accept this flag or argument, or a flag's value is missing. `dragoman VERB --help` lists the flags.",
    example: "dragoman serve --port 8787",
  },
  unknown_verb: {
    summary: "An unknown verb",
    explanation:
      "The first word of the command line is the verb; the default is `serve`. `dragoman --help` lists the verbs.",
    example: "dragoman check",
  },
  wrong_usage: {
    summary: "A missing argument, or conflicting flags",
    explanation:
      "Each flag is valid, but an argument is missing, or a flag requires or excludes another one. `dragoman help VERB` shows the usage.",
    example: "dragoman conformance cases/   # a path is required",
  },
  cannot_listen: {
    summary: "The server cannot listen on its address",
    explanation:
      "Another program already listens there, the system does not allow the use of the port, or the address does not belong to this machine. With port 0 the system chooses a free port.",
    example: "dragoman serve --port 8788",
  },
  service_failed: {
    summary: "The service can't be installed, started, or removed",
    explanation:
      "A systemd or launchd command failed, the unit file cannot be written or removed, or the program is in the npx cache, which npm may delete. `--system` requires root. `dragoman service install --print` shows the file and the commands, so that you can run them yourself.",
    example: "dragoman service install --print",
  },
  unknown_code: {
    summary: "An unknown code",
    explanation:
      "`dragoman explain` explains diagnostic codes and reason codes. Without a code it lists all of them.",
    example: "dragoman explain pattern_hole",
  },
  // Plugins
  unknown_plugin: {
    summary: "An unknown built-in plugin",
    explanation:
      "An entry of `plugins` without a slash or a file extension is the name of a built-in plugin. The help suggests the closest name. To use your own plugin, specify its path.",
    example: "plugins:\n  - strict_validation\n  - ./my_plugin.ts",
  },
  plugin_invalid: {
    summary: "A plugin that cannot be loaded or is invalid",
    explanation:
      "The file does not exist, is not a module, or its default export is not a plugin: an object with a `name`, at least one hook, and no unknown fields. Two plugins with the same name are an error, too. Paths are relative to the folder of dragoman.yaml.",
    example: "export default { name: 'mine', onCall: (call) => undefined };",
  },
  plugin_requires: {
    summary: "A plugin requires another one that is not in the configuration",
    explanation:
      "A plugin's `requires` field lists plugins that must run before it. The configuration's `plugins` field must include all of them, in any order.",
    example: "plugins:\n  - mine        # requires: ['other']\n  - ./other.ts",
  },
  plugin_cycle: {
    summary: "Plugins that require each other",
    explanation:
      "A plugin runs after those that it requires. If a chain of `requires` is circular, no such order exists. The message shows the chain.",
    example: "// a.ts requires b, b.ts requires a: a → b → a",
  },
  // Clients
  client_name: {
    summary: "A client's name differs from its file's name",
    explanation:
      "A client must have the same name as its file, so that you can find the file from a name in a log.",
    example: "# rules/clients/mine.yaml\nclient: mine",
  },
  duplicate_client: {
    summary: "Two files in one folder define the same client",
    explanation:
      "A client's name must be unique. A client in your own folder can replace a built-in client that has the same name, but two files in one folder cannot share a name.",
    example: "client: mine   # once, in rules/clients/mine.yaml",
  },
} as const satisfies Record<string, CodeText>;

/** A diagnostic code. */
export type Code = keyof typeof CODES;
