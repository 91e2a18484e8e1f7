/** The brackets that dialects make tags of: opening → closing. @module */

export const TAG_BRACKETS: ReadonlyMap<string, string> = new Map([
  ["<", ">"],
  ["[", "]"],
  ["⟦", "⟧"],
  ["«", "»"],
  ["‹", "›"],
  ["【", "】"],
  ["⟪", "⟫"],
  ["⟨", "⟩"],
  ["「", "」"],
  ["『", "』"],
  ["〔", "〕"],
  ["〖", "〗"],
  ["〈", "〉"],
  ["《", "》"],
  ["＜", "＞"],
  ["［", "］"],
  ["❮", "❯"],
  ["❬", "❭"],
]);

/** The brackets in a class of a regular expression, without the class's own. */
const escaped = (brackets: Iterable<string>) =>
  [...brackets].map((one) => one === "[" || one === "]" ? `\\${one}` : one).join("");

export const OPENING = escaped(TAG_BRACKETS.keys());
export const CLOSING = escaped(TAG_BRACKETS.values());
