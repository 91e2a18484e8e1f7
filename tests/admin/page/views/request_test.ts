import assert from "node:assert/strict";
import type { LiveContents, LiveDetail, LiveRequest } from "../../../../src/admin/live/request.ts";
import { whyNoTexts } from "../../../../src/admin/page/views/request.ts";

const REQUEST = { client: "openai", upstream: "local", route: null, choices: 1 } as LiveRequest;
const CONTENTS: LiveContents = { before: [], after: [], isCut: false, chat: null };

Deno.test("whyNoTexts states the reason, also where the record of a request has no texts", () => {
  const detail = (contents: LiveContents | null): LiveDetail => ({
    ...{ request: REQUEST, version: 1, marks: [], errorMeaning: null },
    contents,
  });
  const table: [Partial<LiveRequest>, LiveDetail | undefined, boolean, RegExp | undefined][] = [
    [{}, undefined, true, /Loading/],
    [{}, detail(CONTENTS), true, undefined],
    // Someone turned `admin.contents` off after the request.
    [{}, detail(CONTENTS), false, undefined],
    [{}, detail(null), false, /set `admin\.contents: true`/],
    [{}, detail(null), true, /are no longer stored/],
    [{ client: null }, detail(CONTENTS), true, /The client is unknown/],
    [{ choices: 3 }, detail(CONTENTS), true, /asks for 3 answers/],
    [{ route: "GET /v2" }, detail(null), true, /isn't a chat/],
    [{ upstream: null }, detail(null), true, /isn't a chat/],
  ];
  for (const [request, kept, hasContents, reason] of table) {
    const shown = whyNoTexts({ ...REQUEST, ...request }, { detail: kept, hasContents });
    if (reason === undefined) assert.equal(shown, undefined);
    else assert.match(shown ?? "", reason);
  }
});
