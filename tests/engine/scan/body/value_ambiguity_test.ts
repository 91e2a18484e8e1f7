import assert from "node:assert/strict";
import { holdsDamagedMark } from "../../../../src/engine/scan/body/value_ambiguity.ts";

const attributes = {
  closer: "</parameter>",
  before: '<parameter name="',
  after: '">',
  openers: [],
  parameters: ["details"],
  tools: ["read"],
};
const keyed = {
  ...attributes,
  closer: "</arg_value>",
  before: "<arg_key>",
  after: "</arg_key>\n<arg_value>",
  openers: ["<arg_value>"],
};

Deno.test("holdsDamagedMark finds half of an item's opener after the value's own closer", () => {
  for (
    const mark of [
      '<parameter name=details">',
      '<parameter name"details">',
      '<parameter name=="details">',
      '<paramete name="details">',
      '<parameter name=</invoke>details">',
      '</invoke>\n<invoke name"read">\n<parameter name="x">',
    ]
  ) {
    assert.equal(holdsDamagedMark(`a.ts</parameter>\n${mark}\nx`, attributes), true, mark);
  }
  for (const mark of ["<ag_key>details</arg_key>\n<arg_value>", "details</arg_key>\n<arg_value>"]) {
    assert.equal(holdsDamagedMark(`a.ts</arg_value>\n${mark}x`, keyed), true, mark);
  }
});

Deno.test("holdsDamagedMark finds an opener that lost its first sign and more", () => {
  const short = { ...attributes, before: "<parameter=", after: ">" };
  for (
    const mark of [
      "parametr=details>",
      "arameter=details>",
      "=details>",
      "details>",
      "paramter =details>",
      "parameterdetails>",
    ]
  ) {
    assert.equal(holdsDamagedMark(`a.ts</parameter>\n${mark}\nx`, short), true, mark);
  }
  for (const mark of ['parametr name="details">', 'name="details">', '"details">', 'details">']) {
    assert.equal(holdsDamagedMark(`a.ts</parameter>${mark}x`, attributes), true, mark);
  }
  for (const text of ["the details>", "x=1\ndetails>", "mydetails>", "detailed>", "details follow>"]) {
    assert.equal(holdsDamagedMark(`a.ts</parameter>\n${text}`, short), text === "the details>", text);
  }
});

Deno.test("holdsDamagedMark finds a value's opener that comes twice", () => {
  for (const text of ["<arg_value>x", "\n<arg_value>x", "~<arg_value>x", "<arg_vaue>x"]) {
    assert.equal(holdsDamagedMark(text, keyed), true, text);
  }
});

Deno.test("holdsDamagedMark leaves marks that are content", () => {
  for (
    const text of [
      "x",
      "a block ends with </parameter> here",
      "x</parameter>\n<p>details</p>",
      "x</parameter>\n<details>",
      'x</parameter>\n<parameter name="detail">',
      'x</parameter>\n<parameter name="detailz">',
      "x</parameter>\ndetails follow",
      'see <parameter name="a">x</parameter>\n<parameter name=details">',
      'x\n<parameter name=details">',
    ]
  ) {
    assert.equal(holdsDamagedMark(text, attributes), false, text);
  }
  assert.equal(holdsDamagedMark("<arg_value>x</arg_value> is a value", keyed), false);
});
