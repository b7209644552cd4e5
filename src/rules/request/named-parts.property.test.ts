/** Taking a body apart and putting it together gives the same bytes: nothing is lost or repeated. */
import { equal, match, ok } from 'node:assert/strict';
import { test } from 'node:test';
import { listBodyParts, listCookieParts, listQueryParts } from './named-parts.ts';
import type { NamedPart } from './named-part.ts';

const boundary = 'x7-y';

interface Format {
  readonly name: string;
  readonly contentType: string;
  readonly list: (body: string) => readonly NamedPart[];
  readonly generate: (next: Next) => string;
  /** The text that may occur before, between and after the parts. */
  readonly between: RegExp;
}

/** A number below the limit. */
type Next = (limit: number) => number;

/** The same numbers for the same seed. */
function createNext(seed: number): Next {
  let state = seed;
  return (limit) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
}

const pieces = [
  'a',
  'Z9',
  '%27',
  '+',
  '%zz',
  "'",
  'é',
  '\0',
  ' ',
  '<b>',
  '\\',
  '--',
  '=',
  '?',
  '[0]',
  '{',
  '/*',
];

function generateText(next: Next, without: RegExp): string {
  let text = '';
  for (let left = next(6); left > 0; left--) text += pieces[next(pieces.length)]!;
  return Buffer.from(text, 'utf8').toString('latin1').replaceAll(without, '');
}

function generatePairs(next: Next): string {
  return Array.from({ length: 1 + next(6) }, () => {
    const name = `n${generateText(next, /[&=;\s]/g)}`;
    return next(5) === 0 ? name : `${name}=${generateText(next, /[&;]|^\s+|\s+$/g)}`;
  }).join('&');
}

function generateJson(next: Next, depth = 0): unknown {
  const kind = next(depth > 4 ? 4 : 6);
  if (kind === 0) return next(1_000) - 500.5;
  if (kind === 1) return [true, false, null][next(3)];
  if (kind < 4) return generateText(next, /$^/g);
  const length = next(4);
  if (kind === 4) return Array.from({ length }, () => generateJson(next, depth + 1));
  return Object.fromEntries(
    Array.from({ length }, (_, index) => [
      `${index}${generateText(next, /$^/g)}`,
      generateJson(next, depth + 1),
    ]),
  );
}

function generateMultipart(next: Next): string {
  const parts = Array.from({ length: 1 + next(4) }, () => {
    const file = next(3) === 0 ? '; filename="f.txt"\r\nContent-Type: text/plain' : '';
    const name = generateText(next, /["\\\0\r\n]/g);
    return `--${boundary}\r\nContent-Disposition: form-data; name="n${name}"${file}\r\n\r\n${generateText(next, /$^/g)}\r\n`;
  });
  return `${parts.join('')}--${boundary}--\r\n`;
}

const ofType = (contentType: string) => (body: string) => listBodyParts(body, contentType);
const formType = 'application/x-www-form-urlencoded';
const multipartType = `multipart/form-data; boundary=${boundary}`;

const formats: readonly Format[] = [
  {
    name: 'query',
    contentType: '',
    list: listQueryParts,
    generate: generatePairs,
    between: /^&*$/,
  },
  { name: 'form', contentType: formType, list: ofType(formType), generate: generatePairs, between: /^&*$/ },
  {
    name: 'cookies',
    contentType: '',
    list: listCookieParts,
    generate: (next) => generatePairs(next).replaceAll('&', '; '),
    between: /^[; ]*$/,
  },
  {
    name: 'JSON',
    contentType: 'application/json',
    list: ofType('application/json'),
    generate: (next) => JSON.stringify({ a: generateJson(next) }, undefined, next(3)),
    between: /^[\s{}[\],:"]*$/,
  },
  {
    name: 'multipart',
    contentType: multipartType,
    list: ofType(multipartType),
    generate: generateMultipart,
    between: new RegExp(String.raw`^(?:(?:\r\n)?--${boundary}(?:--)?\r\n)?$`),
  },
];

/** Puts the parts together in order; each must be at its stated position. */
function putTogether(body: string, parts: readonly NamedPart[]): { whole: string; gaps: string[] } {
  const gaps: string[] = [];
  let whole = '';
  for (const { piece, value, at } of parts) {
    ok(at.piece >= whole.length, 'parts do not overlap');
    equal(body.slice(at.value, at.value + value.length), value);
    ok(
      at.value >= at.piece && at.value + value.length <= at.piece + piece.length,
      'the value is in its piece',
    );
    gaps.push(body.slice(whole.length, at.piece));
    whole += gaps.at(-1)! + piece;
  }
  gaps.push(body.slice(whole.length));
  return { whole: whole + gaps.at(-1)!, gaps };
}

for (const { name, list, generate, between } of formats) {
  test(`parts of a ${name} put together are the same bytes, and only separators stand between them`, () => {
    const next = createNext(name.length * 7_919);
    for (let round = 0; round < 400; round++) {
      const body = generate(next);
      const { whole, gaps } = putTogether(body, list(body));
      equal(whole, body);
      for (const gap of gaps) match(gap, between, JSON.stringify(body));
      // Even in a damaged body, each returned part is at its stated position.
      const at = next(body.length);
      const damaged = body.slice(0, at) + pieces[next(pieces.length)]! + body.slice(at + next(4));
      equal(putTogether(damaged, list(damaged)).whole, damaged);
    }
  });
}
