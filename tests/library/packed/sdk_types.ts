import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import Anthropic from "@anthropic-ai/sdk";
import { wrapLanguageModel } from "ai";
import { dragomanMiddleware } from "../../../src/library/connection/ai_sdk.ts";
import { dragomanFetch } from "../../../src/library/connection/fetch.ts";
import OpenAI from "openai";

const fetch = dragomanFetch();
export default [
  new OpenAI({ fetch }),
  new Anthropic({ fetch }),
  wrapLanguageModel({
    model: createOpenAICompatible({ name: "a", baseURL: "b", fetch })("c"),
    middleware: dragomanMiddleware(),
  }),
];
