/** What a detector says about a text. */

/** The classes of attacks that detectors look for. Each has a field of its own in the rules language. */
export const attackKinds = [
  'sql',
  'script',
  'command',
  'path',
  'code',
  'nosql',
  'ldap',
  'ssrf',
  'deserialisation',
  'xxe',
  'crlf',
] as const;

/** From this confidence on, nothing surer of the same kind is looked for. */
export const settledMin = 90;

/** From this confidence on a detector is sure: no ordinary request is known that it takes for an attack. */
export const sureMin = 80;

/** From this confidence on a finding is likely: few ordinary requests are known that look like it. */
export const likelyMin = 50;

export type AttackKind = (typeof attackKinds)[number];

export interface Finding {
  readonly kind: AttackKind;
  /**
   * From 1 to 100. From 80 on, no ordinary text is known that reads like this; from 50 on, few do.
   */
  readonly confidence: number;
  /** What was read: a piece of the text after decoding, cut to `readCharactersMax`. */
  readonly read: string;
  /** Why it is an attack: half a sentence for people. */
  readonly why: string;
  /** Where the piece begins in the decoded text. */
  readonly at: number;
  /** What had to be undone before the attack could be read, the outermost first: `URL`, `HTML entities`. */
  readonly undone: readonly string[];
  /** The names of the texts inside of the value that it stands in, the outermost first. */
  readonly inside: readonly string[];
  /** Of a likely one: it stands in a text for people, or in several lines. Then the same words prove nothing more. */
  readonly isShown?: true;
}

/** A detector's own part of a finding: the others are the same for every detector. */
export interface Reading {
  readonly confidence: number;
  readonly why: string;
  readonly start: number;
  readonly end: number;
}

/** Reads one decoded text, of which the kinds of characters are known. The time is linear in its length. */
export type Detector = (text: string, bits: number) => Reading | undefined;

/** The surer of two readings; the first if they are equally sure. */
export function pickSurer(first: Reading | undefined, second: Reading | undefined): Reading | undefined {
  if (first === undefined || second === undefined) return first ?? second;
  return second.confidence > first.confidence ? second : first;
}
