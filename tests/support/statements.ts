/**
 * The statements of `threats.md` and `limits.md` outside their tables, and what tries each. A statement is a sentence; its
 * beginning names it. `proofs_test.ts` finds one that has no entry.
 *
 * @module
 */

/** A test's file → part of its name → the beginnings of the statements that it tries. */
export const STATEMENTS: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  "tests/end_to_end/not_stopped_test.ts": {
    "a harmful call of an offered tool": ["A harmful call to an offered tool: Dragoman"],
    "a call in prose without a mark of a quotation": ["A call in prose that no rule"],
    "a native call of a tool that isn't offered": ["A native call (`tool_calls`) to a tool"],
    "a plugin reads files and variables, and remembers": [
      "**A plugin has the same permissions",
      "Memory that a plugin uses outside",
      "All keys are in the memory of the process",
    ],
    "a plugin changes what all code uses": ["A plugin that changes shared objects"],
    "the upstream sees messages, tools and cookies": [
      "The upstream sees every request",
      "Dragoman removes secrets only",
    ],
    "headers such as Set-Cookie pass to the client": ["Headers such as `Set-Cookie`"],
    "a stream that never pauses has no limit": [
      "A streamed answer that never pauses",
      "It ends when the client disconnects.",
    ],
    "no limit on requests at a time and a minute": [
      "By default, Dragoman doesn't limit the number",
      "Dragoman limits the memory",
      "By default, client keys have no limits.",
    ],
    "other routes are streamed without a limit in bytes": ["On routes other than"],
    "a header that names another machine changes nothing": ["A reverse proxy or a tunnel"],
    "every client key gives the same rights, and wrong guesses": [
      "Every client key grants",
      "Dragoman doesn't limit attempts",
    ],
    "asks nothing but the upstream": ["If `HTTP_PROXY`", "Dragoman has no telemetry"],
    "writes nothing into its folder": ["By default, `serve` writes only"],
    "speaks without encryption": ["Eavesdropping: Dragoman"],
  },
  "tests/end_to_end/admission_test.ts": {
    "programs, editors and pages of this machine may ask": [
      "A page that is served from this machine",
      "The same is true of editors",
      "They can't read the answers unless",
      "A browser that sends neither",
      "Without client keys, any user's",
    ],
    "with client keys every route but /health needs one": ["To prevent such requests, set client keys"],
  },
  "tests/proxy/server/admission_test.ts": {
    "on every address each numeric one": ["With `hostname: 0.0.0.0`", "DNS rebinding uses a name"],
  },
  "tests/admin/live/contents_test.ts": {
    "shows no secret": ["With `admin.contents`, anyone", "Dragoman removes only the secrets"],
  },
  "tests/end_to_end/native_mixed_test.ts": {
    "not offered as text that it does not execute": ["XML clients get it as text."],
  },
  "tests/cli/transform_test.ts": {
    "transform leaves a text without calls byte for byte": [
      "Control characters in the output of `transform`",
    ],
  },
  "tests/engine/rule/stored_test.ts": {
    "checked rules are those that were read and compiled": [
      "Any program that runs as the same user",
    ],
  },
  "tests/proxy/exchange/shadow_test.ts": {
    "a rule on trial makes no call": [
      "A rule that treats ordinary text as calls.",
      "Such a rule can call only offered tools",
    ],
  },
  "tests/engine/rule/read_test.ts": {
    "replaces a rule by one of the same name": ["A rule that hides text"],
    "reports a wrong field and a wrong pattern of the same rule": ["A rule can't run code"],
  },
  "tests/end_to_end/watchdog_test.ts": {
    "a loop that hangs ends the process without a signal": [
      "**An endless loop in a plugin ends",
      "With `task start`, the binary, or a container",
      "A plugin's endless loop",
    ],
    "a worker that hangs is replaced": ["With `--workers`, the loop ends only"],
    "as many workers that hang as there are": [
      "Deno can't end the blocked thread",
      "The process shuts down in an orderly way",
      "A plugin that calls `Deno.exit`",
    ],
  },
  "tests/end_to_end/permissions_test.ts": {
    "serves, logs and records with its permissions": [
      "The binary has no sandbox.",
      "Neither does a program that can write",
      "The exceptions are the binary",
      "The npm package can also write",
      "A server can write only to `logs`",
      "At startup, the server gives up",
    ],
    "the task dragoman writes a configuration": [
      "Other commands of the npm package",
      "The task can't write to the sources",
    ],
  },
  "tests/proxy/exchange/item_memory_test.ts": {
    "gives the items of an answer to the same keys only": [
      "Anyone who can read the shared store",
      "Clients that send the same keys",
    ],
  },
  "tests/proxy/store/text_test.ts": {
    "MemoryTexts drops what was used longest ago": [
      "Clients of the Responses API share the memory",
      "If one client sends many requests",
    ],
  },
  "tests/end_to_end/responses_test.ts": {
    "what needs a store is refused by name": ["To keep the items of an answer"],
  },
  "tests/plugins/shared_memory_test.ts": {
    "queued calls reach the client whichever replica": ["**Anyone who can write to the shared store"],
  },
  "tests/proxy/plugin/imports_test.ts": {
    "findForeignImport": [
      "Dragoman checks only the plugin's own file",
      "If a file that the plugin imports",
      "The error states this.",
    ],
  },
  "tests/end_to_end/stated_error_test.ts": {
    "the text of an error with a status is logged too": ["Some servers quote", "The first 300 characters"],
  },
  "tests/proxy/exchange/tool_terms_test.ts": {
    "asks once more for the arguments of a strict tool": ["`strict: true` in a request"],
  },
  "tests/property/hostile_schemas_test.ts": {
    "no schema of a tool stops the proxy, on any wire": [
      "If the arguments or their schema exceed",
      "`strict_validation` refuses such a call",
    ],
  },
  "tests/plugins/owners_test.ts": {
    "strikes of one owner": ["Clients without a key count as one"],
  },
  "tests/proxy/config/client_keys_test.ts": {
    "warns of a key that can be guessed": ["Use keys of 32 random bytes"],
  },
  "tests/cli/service/linked_path_test.ts": {
    "serve refuses an audit log": [
      "The configuration can name any",
      "Dragoman never writes the audit log or captures",
      "If such a link exists at startup",
    ],
    "auditFile writes nothing through a link that appears later": ["A link that someone creates between"],
  },
  "tests/end_to_end/reload_access_test.ts": {
    "The edit grants access to": [
      "An edit that is valid but wrong",
      "For example, if you remove `call_policy`",
    ],
  },
  "tests/cli/serve_test.ts": {
    "serve does not start with": ["An error at startup: the proxy"],
  },
  "tests/limits_test.ts": {
    "limits.md states the values": ["This page lists who can use", "These limits are constants."],
  },
  "tests/cli/welcome_test.ts": {
    "in one line who may use the proxy": ["At startup, the `Open to` line"],
  },
  "tests/cli/service/audit_file_test.ts": {
    "loses nothing if the log is a link": ["Dragoman follows a link to a file"],
    "follows no link in the place of an old file": ["If there is a link in place of an old"],
  },
  "tests/cli/service_verb_test.ts": {
    "units keep odd paths whole": ["The systemd unit in [operation]", "The container can't write"],
  },
  "tests/admin/audit/scrub_test.ts": {
    "isKnownKey leaves ordinary words": [
      "Dragoman can't recognize a secret",
      "Dragoman recognizes a secret in text",
      "The prefixes come from",
    ],
  },
  "tests/end_to_end/evidence_cases_test.ts": {
    "calls in notations that no rule reads": ["**Thoughts in an object.**"],
    "no call can be run whose closing marks come again": [
      "**All closing tags of a call in a value.**",
      "Dragoman makes no such call (`two_readings`)",
      "With the other APIs, it waits with the brace.",
      "Roo Code and Cline get the call then.",
    ],
  },
  "tests/library/reader_test.ts": {
    "readAnswer gives text and whole calls": ["The [library](library.md) makes such calls."],
  },
  "tests/chat/second_reader/closed_again_test.ts": {
    "sends all but the last brace at once": [
      "**The last brace.**",
      "In a stream of chat completions, text after",
    ],
    "sees that a parameter is the call's own beginning": ["The same applies to a value that contains"],
  },
  "tests/proxy/server/key_limits_test.ts": {
    "a key over its requests a minute gets 429": [
      "If a request exceeds a limit",
      "Only `POST` requests",
      "Without `listen.key_env` and",
      "Dragoman keeps only hashes",
      "The metric `dragoman_key_refusals_total`",
    ],
    "a key over its requests or tokens a day": ["The response contains `retry-after`"],
  },
  "tests/proxy/store/fallback_test.ts": {
    "fallbackQuotas counts in the store": ["With a shared store, replicas"],
  },
  "tests/end_to_end/cut_values_test.ts": {
    "that is cut runs whole or not at all, on all wires": [
      "A stream sends a call's arguments",
      "If the token limit cuts off the call",
      "Answers that aren't streamed never",
    ],
  },
  "tests/chat/native/reader_test.ts": {
    "never gives half a call to a client of whole calls": ["They then get only complete calls"],
  },
  "tests/property/least_damage_test.ts": {
    "exactly, whatever markup its values contain": [
      "**Ambiguous values.**",
      "If the new item is incomplete",
      "If two calls in the same dialect are incomplete",
    ],
  },
  "tests/engine/scan/matcher_test.ts": {},
  "tests/end_to_end/xml_client_test.ts": {
    "an XML client gets one call as XML": [
      "**Values for XML clients.**",
      "**Text after a call.**",
      "It ends the stream as soon",
    ],
  },
  "tests/property/client_values_test.ts": {
    "every value of every parameter exactly": ["If the agent's parser", "**Trimmed values.**"],
  },
  "tests/end_to_end/own_dialect_test.ts": {
    "gets a file of 200 lines line by line": [
      "**Streamed calls.**",
      "The stream starts with the first",
    ],
    "reads a file with": ["Dragoman waits for the complete call"],
    "runs nothing of a call that is cut": [
      "**Streamed calls that are cut off.**",
      "Roo Code and Cline then run only",
    ],
  },
  "tests/end_to_end/xml_guard_test.ts": {
    "half a call never runs": ["After any other ending", "They also run half a call"],
    "a mention never runs": ["**Tool tags in text.**", "If text isn't a call", "This is the only case"],
  },
  "tests/chat/render/text_test.ts": {
    "a line more where it drops one": [
      "**Files that begin or end with a fence.**",
      "Dragoman adds a line for them",
      "If the model writes the agent's own XML",
    ],
  },
  "tests/property/matcher_held_test.ts": {
    "holds at most 512 characters of": ["**Candidates.**", "Other text waits for at most 512"],
  },
  "tests/property/mentions_test.ts": {
    "runs nothing of an answer that only mentions its tags": [
      "**Openers.**",
      "Half an opener can still",
    ],
  },
  "tests/engine/scan/frame_test.ts": {
    "Frame that commits at": [
      "Dragoman can't send the opener as text",
      "Dragoman can't take back",
      "Everything after the opener streams.",
    ],
  },
  "tests/property/torn_values_test.ts": {
    "that is torn": ["**The end of a call.**", "If all closing tags are repeated"],
  },
  "tests/chat/second_reader/second_reader_test.ts": {
    "makes no repaired call of a rule that evidence refuses": ["**Announced examples.**"],
  },
  "tests/engine/scan/quotation_test.ts": {
    "Quotation lists the ambiguities": ["**Calls that might be quoted.**"],
  },
  "tests/engine/scan/ambiguities_test.ts": {
    "Ambiguities decides by the text after the call": [
      "They wait for at most 1,024",
      "After that, Dragoman treats them",
    ],
  },
  "tests/engine/scan/echo_guard_test.ts": {
    "compares only the last characters of a request": ["**Echo guard.**"],
    "compares a bounded number of calls": ["After 1,024 calls in one answer"],
  },
  "tests/rules/shipped_test.ts": {
    "lists every rule with its dialects and whether it is on": ["`shell_block` is off"],
  },
};

/** Sentences that state nothing about what happens: they introduce a part, define a word, or advise. */
export const NO_STATEMENTS: readonly string[] = [
  "Dragoman connects three parties",
  "It also loads files",
  "A test covers each measure.",
  "The tests fail if Dragoman breaks",
  "To get the sandbox",
  "Everything about local clients",
  "This page lists",
  "For the threats that the limits address",
  "For details about the checks",
  "For values and access rules",
  "Paths are relative",
  "Tests in `tests/end_to_end`",
  "The [README]",
  "A web page in a browser on",
  "A model can print harmful text",
  "Require approval for commands",
  "Dragoman loads rule files",
  "If you suspect this",
  "A plugin is a TypeScript",
  "Review plugins before",
  "Protect the store's server",
  "The upstream is the model server",
  "Any program on this machine",
  "If you use one, set `listen.key_env`",
  "On an untrusted network",
  "A user might start Dragoman",
  "Read it before",
  "Changes to the configuration, rules",
  "The first start from a clone",
  "To limit the number of requests",
  "Lengths are in characters",
  "Some programs, such as a simple loop",
  "None of the [tested agents",
  "For such programs, set `policy.calls: whole`",
];
