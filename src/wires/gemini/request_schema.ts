/**
 * What the parts of a Gemini request that are read have to be.
 *
 * @see https://ai.google.dev/api/generate-content
 * @module
 */
import { either, type Expectation, fields, flag, list, object, required, text } from "../shape_check.ts";

const FILES = { inlineData: fields({ mimeType: text, data: text }), fileData: fields({ fileUri: text }) };

const CALL = fields({ id: text, name: required(text), args: object });

const RESULT = fields({ id: text, name: text, parts: oneOrMore(fields({ text, ...FILES })) });

const PART = fields({ text, thought: flag, ...FILES, functionCall: CALL, functionResponse: RESULT });

const CONTENT = fields({ role: text, parts: oneOrMore(PART) });

const FUNCTION = fields({ name: required(text), description: text });

const TOOL = fields({
  functionDeclarations: oneOrMore(FUNCTION),
  function_declarations: oneOrMore(FUNCTION),
});

/** The parts that count as the request's tokens. */
const COUNTED = {
  contents: oneOrMore(CONTENT),
  systemInstruction: either(text, CONTENT),
  system_instruction: either(text, CONTENT),
  tools: oneOrMore(TOOL),
};

const CALLING = fields({ mode: text, allowedFunctionNames: list(text) });

export const GENERATE_REQUEST: Expectation = fields({
  ...COUNTED,
  contents: required(COUNTED.contents),
  generationConfig: fields({ responseMimeType: text }),
  toolConfig: fields({ functionCallingConfig: CALLING }),
});

export const COUNT_REQUEST: Expectation = fields({ ...COUNTED, generateContentRequest: fields(COUNTED) });

/** Google's servers accept one entry instead of a list. */
function oneOrMore(entry: Expectation): Expectation {
  return either(list(entry), entry);
}
