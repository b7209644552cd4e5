/** The result of a detector for a text. */

/** The classes of attacks that detectors search for. Each has its own field in the rules language. */
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

/** From this confidence on, the search for a surer finding of the same kind ends. */
export const settledMin = 90;

/** From this confidence on a detector is sure: no ordinary request is known that it considers an attack. */
export const sureMin = 80;

/** From this confidence on a finding is likely: few ordinary requests are known that resemble it. */
export const likelyMin = 50;

export type AttackKind = (typeof attackKinds)[number];

export interface Finding {
  readonly kind: AttackKind;
  /** From 1 to 100. From 80 on, no ordinary text is known that reads like this; from 50 on, few do. */
  readonly confidence: number;
  /** The matched text after decoding, truncated to `readCharactersMax`. */
  readonly read: string;
  /** Why it is an attack: half a sentence for readers. */
  readonly why: string;
  /** The position of `read` in the decoded text. */
  readonly at: number;
  /** The encodings that had to be decoded to find the attack, the outermost first: `URL`, `HTML entities`. */
  readonly undone: readonly string[];
  /** The names of the texts inside of the value that contain it, the outermost first. */
  readonly inside: readonly string[];
  /**
   * Marks a finding that is at most likely because the text only mentions it: prose, or several lines. The same words
   * then prove nothing more.
   */
  readonly isShown?: true;
}

/** The detector's own part of a finding: the other properties do not depend on the detector. */
export interface DetectorReading {
  readonly confidence: number;
  readonly why: string;
  readonly start: number;
  readonly end: number;
}

/** Reads one decoded text with known kinds of characters. The time is linear in its length. */
export type Detector = (text: string, bits: number) => DetectorReading | undefined;

/** The surer of two readings; the first if they are equally sure. */
export function pickSurer(
  first: DetectorReading | undefined,
  second: DetectorReading | undefined,
): DetectorReading | undefined {
  if (first === undefined || second === undefined) return first ?? second;
  return second.confidence > first.confidence ? second : first;
}
