/** The errors that a strict plugin explains to a model; `dragoman explain CODE` prints them. @module */

/** Code → what it means and what a person can do about it. */
export const MISTAKES = {
  MALFORMED_XML:
    "The answer contains an incomplete or cut-off tool call. The error shows the model a correct call.",
  REPAIRED_CALL:
    "The call could be read only after a repair: a trailing comma, single quotes, or a missing closing tag or brace. Strict validation does not accept repaired calls; without the plugin such a call is made.",
  UNKNOWN_TOOL:
    "The answer calls a tool that the request does not offer. The error lists the tools that it does offer.",
  SCHEMA_VALIDATION:
    "The call's arguments do not fit the tool: a required parameter is missing, or a value has the wrong type. The error names the parameters.",
  NO_XML_BLOCKS:
    "The answer contains no tool call (`require_tool_use`), or its call is in a format that isn't accepted (`accept`).",
  MAX_MISTAKES:
    "The model made `max_mistakes` errors in a row. The client gets an error (`on_max_mistakes: error`, the default); with `pass_through` the answer passes as it is. A correct call resets the count.",
} as const;

/** What may be wrong with an answer. */
export type Mistake = keyof typeof MISTAKES;
