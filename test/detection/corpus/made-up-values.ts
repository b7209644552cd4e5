/** Values that no list can have: numbers, identifiers, times, tokens, bytes. */
import { toRaw } from './encodings.ts';
import type { Random } from './random.ts';

const letters = 'abcdefghijklmnopqrstuvwxyz';
const base62 = `${letters}${letters.toUpperCase()}0123456789`;
const base64url = `${base62}-_`;

type Maker = (random: Random, argument: string) => string;

const makers: Readonly<Record<string, Maker>> = {
  int: (random, range) => String(within(random, range === '' ? '1-99999' : range)),
  float: (random, range) =>
    `${within(random, range === '' ? '0-999' : range)}.${String(random.below(100)).padStart(2, '0')}`,
  hex: (random, length) => random.text(Number(length || 32), '0123456789abcdef'),
  id: (random, length) => random.text(Number(length || 12), base62),
  letters: (random, length) => random.text(Number(length || 6), letters),
  uuid: (random) => [8, 4, 4, 4, 12].map((length) => random.text(length, '0123456789abcdef')).join('-'),
  ip: (random) =>
    `${within(random, '11-220')}.${random.below(256)}.${random.below(256)}.${random.below(256)}`,
  date: (random) => `20${within(random, '19-26')}-${two(random, 12)}-${two(random, 28)}`,
  time: (random) => `${two(random, 23)}:${two(random, 59)}:${two(random, 59)}`,
  instant: (random) =>
    `20${within(random, '19-26')}-${two(random, 12)}-${two(random, 28)}T${two(random, 23)}:${two(random, 59)}:${two(random, 59)}.${within(random, '100-999')}Z`,
  epoch: (random) => String(1_600_000_000 + random.below(170_000_000)),
  epochms: (random) => String(1_600_000_000_000 + random.below(1_000_000_000) * 170),
  token: (random, length) => random.text(Number(length || 43), base64url),
  base64: (random, bytes) => makeBytes(random, Number(bytes || 48)).toString('base64'),
  jwt: (random) =>
    [
      { alg: random.pick(['HS256', 'RS256', 'ES256']), typ: 'JWT', kid: random.text(8, base62) },
      {
        sub: String(random.below(1_000_000)),
        iat: 1_700_000_000 + random.below(90_000_000),
        scope: 'openid profile',
        name: "Sean O'Neil",
      },
    ]
      .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
      .concat(random.text(43, base64url))
      .join('.'),
  bytes: (random, length) => toRaw(makeBytes(random, Number(length || 400))),
  raw: (_, hex) => toRaw(Buffer.from(hex, 'hex')),
  phone: (random) =>
    random.pick([
      `+1 (${within(random, '201-989')}) 555-0${within(random, '100-199')}`,
      `+49 ${within(random, '30-89')}/${within(random, '100000-9999999')}`,
      `0${within(random, '1-9')} ${two(random, 99)} ${two(random, 99)} ${two(random, 99)} ${two(random, 99)}`,
      `+44 20 7946 0${within(random, '100-999')}`,
    ]),
  card: (random) => `4242 4242 4242 ${within(random, '1000-9999')}`,
};

export function makeUp(gap: string, random: Random): string {
  const at = gap.indexOf(':');
  const [name, argument] = at < 0 ? [gap, ''] : [gap.slice(0, at), gap.slice(at + 1)];
  const maker = makers[name];
  if (maker === undefined) throw new Error(`there is no list and no made-up value for ‹${gap}›`);
  return maker(random, argument);
}

function within(random: Random, range: string): number {
  const [low, high] = range.split('-').map(Number) as [number, number];
  return low + random.below(high - low + 1);
}

function two(random: Random, most: number): string {
  return String(1 + random.below(most)).padStart(2, '0');
}

function makeBytes(random: Random, length: number): Buffer {
  return Buffer.from(Array.from({ length }, () => random.below(256)));
}
