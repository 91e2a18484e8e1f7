import assert from "node:assert/strict";
import { endedCookie, hasSession, sessionCookie } from "../../../src/admin/routes/sign_in.ts";

const NOW = 1_800_000_000_000;
const DAY = 24 * 60 * 60 * 1000;
const sent = (cookie: string) => new Headers({ cookie: `a=b; ${cookie.split(";")[0]}` });

Deno.test("sessionCookie gives a cookie that no script reads and no other site sends", () => {
  const cookie = sessionCookie("secret", NOW);
  assert.match(cookie, /; Path=\/_dragoman; Max-Age=43200; HttpOnly; SameSite=Strict$/);
  assert.ok(!cookie.includes("secret"));
  assert.match(endedCookie(), /^dragoman=; .*Max-Age=0/);
});

Deno.test("hasSession knows a session by its key until it is over", () => {
  const headers = sent(sessionCookie("secret", NOW));
  assert.equal(hasSession(headers, ["other", "secret"], NOW), true);
  assert.equal(hasSession(headers, ["other"], NOW), false);
  assert.equal(hasSession(headers, [], NOW), false);
  assert.equal(hasSession(headers, ["secret"], NOW + DAY), false);
});

Deno.test("hasSession finds a session among other cookies of the same name", () => {
  const [cookie] = sessionCookie("secret", NOW).split(";");
  const [other] = sessionCookie("other", NOW).split(";");
  for (
    const all of [
      `dragoman=x; ${cookie}`,
      `${cookie}; dragoman=x`,
      `dragoman=; ${other};${cookie}; dragoman=1.2`,
    ]
  ) {
    assert.equal(hasSession(new Headers({ cookie: all }), ["secret"], NOW), true, all);
    assert.equal(hasSession(new Headers({ cookie: all }), ["third"], NOW), false, all);
  }
});

Deno.test("hasSession refuses a cookie with another end, another signature or none", () => {
  const [value = ""] = sessionCookie("secret", NOW).split(";");
  const [until = "", signature = ""] = value.replace("dragoman=", "").split(".");
  for (
    const wrong of [
      `${Number(until) + DAY}.${signature}`,
      `${until}.`,
      until,
      `${until}.${signature}x`,
      `Infinity.${signature}`,
      "",
    ]
  ) {
    assert.equal(hasSession(new Headers({ cookie: `dragoman=${wrong}` }), ["secret"], NOW), false, wrong);
  }
  assert.equal(hasSession(new Headers(), ["secret"], NOW), false);
});
