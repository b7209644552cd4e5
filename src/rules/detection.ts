/**
 * Detectors of attacks: each reads a text as the attacked program would (a database, a browser, a shell), in every
 * place where an application may insert it, and judges the structure of what it has read.
 *
 * ```ts
 * inspectText("x' or '1'='1"); // [{ kind: 'sql', confidence: 92, read: "' or '1'='1", why: 'a condition that …' }]
 * inspectText("Conan O'Brien");  // []
 * ```
 *
 * The result of a detector depends on the text alone, not on its place in the request. Encodings are decoded one layer
 * after the other first. The time is linear in the length of the text, and charged to the budget of the request.
 */
export {
  type AttackKind,
  attackKinds,
  type Finding,
  likelyMin,
  settledMin,
  sureMin,
} from './detection/finding.ts';
export { visitDecodedStrings } from './detection/decode/inner-texts.ts';
export { type Attribute, listTags } from './detection/html/tags.ts';
export { listPatterns } from './detection/shapes.ts';
export { type SqlToken, SqlTokens } from './detection/sql/tokens.ts';
export { inspectMarkup, inspectName, inspectText } from './detection/inspect.ts';
