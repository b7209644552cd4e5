/** Descriptions of the learned values. */
import type { LearnedValue } from './profile.ts';
import { controlSign, highSign, lengthsMax, listKinds, signClasses, type ValueKind } from './value-shape.ts';

const kindWords: Readonly<Record<ValueKind, string>> = {
  number: 'numbers',
  token: 'ids and tokens',
  word: 'single words',
  address: 'addresses',
  words: 'words and sentences',
  text: 'other text',
};

export function nameSigns(bits: number): readonly string[] {
  const names: string[] = signClasses.filter((_, index) => (bits & (1 << index)) !== 0).map(([name]) => name);
  if ((bits & highSign) !== 0) names.push('letters outside of ASCII');
  if ((bits & controlSign) !== 0) names.push('control characters');
  return names;
}

export function nameKinds(form: number): readonly string[] {
  return listKinds(form).map((kind) => kindWords[kind]);
}

/** `numbers, up to 8 characters`; with signs: `words and sentences with quotes, dots, spaces, up to 64 characters` */
export function describeShape({ usualKinds, usualSigns, longest }: LearnedValue): string {
  const kinds = nameKinds(usualKinds).join(', ') || 'values of many kinds';
  const signs = nameSigns(usualSigns).join(', ');
  return `${kinds}${signs === '' ? '' : ` with ${signs}`}, ${describeLength(longest)}`;
}

function describeLength(longest: number): string {
  const max = lengthsMax[longest];
  return max === undefined || max === Number.POSITIVE_INFINITY ? 'of any length' : `up to ${max} characters`;
}

/** `in 1204 requests from about 310 networks since 2026-11-16` */
export function describeSource({ requests, networks, sinceMs }: LearnedValue): string {
  const since = new Date(sinceMs).toISOString().slice(0, 10);
  return `in ${requests} requests from about ${networks} networks since ${since}`;
}
