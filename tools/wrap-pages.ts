/**
 * Wraps lines of the documentation that are too wide to be read beside the code, together with the rest of the
 * paragraph. `npm run fix` runs it, and `pages.test.ts` finds such lines. Tables, headings and code are not changed.
 */
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');
export const pageColumnsMax = 150;

export const pages = [
  'README.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  ...globSync('docs/**/*.md', { cwd: root }),
];

const fence = /^\s*(?:```|~~~)/;
/**
 * The start of a line that is not a continuation: a list item, a heading, a table, a quotation, a comment, an image, an
 * empty line.
 */
const begins = /^\s*(?:[-*+] |\d+[.)] |#|\||>|<|!\[|$|```|~~~)/;
const marker = /^\s*(?:(?:[-*+]|\d+[.)]) +)?/;

/** The lines of prose, each with whether it may be wrapped. */
function* readLines(text: string): Generator<{ readonly line: string; readonly isProse: boolean }> {
  let isCode = false;
  for (const line of text.split('\n')) {
    const isFence = fence.test(line);
    if (isFence) isCode = !isCode;
    yield { line, isProse: !isCode && !isFence && !/^\s*(?:#|\||<|!\[)/.test(line) };
  }
}

/** The numbers of lines that are too wide. */
export function findWideLines(text: string): number[] {
  return Array.from(readLines(text)).flatMap(({ line, isProse }, index) =>
    isProse && splitLine(line) !== undefined ? [index + 1] : [],
  );
}

export function wrapPage(text: string): string {
  const waiting = Array.from(readLines(text));
  const written: string[] = [];
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    const parts = next.isProse ? splitLine(next.line) : undefined;
    if (parts === undefined) {
      written.push(next.line);
      continue;
    }
    const [first, rest] = parts;
    written.push(first);
    const indent = ' '.repeat(marker.exec(next.line)![0].length);
    const following = waiting[0];
    const isContinued = following?.isProse === true && !begins.test(following.line);
    if (isContinued) waiting.shift();
    const line = `${indent}${rest}${isContinued ? ` ${following.line.trimStart()}` : ''}`;
    waiting.unshift({ line, isProse: true });
  }
  return written.join('\n');
}

/** Splits a line that is too wide; undefined if it is not, or has no place to break. */
function splitLine(line: string): readonly [first: string, rest: string] | undefined {
  if (line.length <= pageColumnsMax) return undefined;
  for (let at = pageColumnsMax; at > marker.exec(line)![0].length; at--) {
    const [first, rest] = [line.slice(0, at), line.slice(at + 1)];
    if (line[at] === ' ' && isWhole(first) && !begins.test(rest)) return [first.trimEnd(), rest];
  }
  return undefined;
}

/** Whether the text ends outside of code and of a link's target. */
function isWhole(text: string): boolean {
  return (text.match(/`/g)?.length ?? 0) % 2 === 0 && text.lastIndexOf('](') <= text.lastIndexOf(')');
}

if (import.meta.main) {
  for (const page of pages) {
    const path = join(root, page);
    const text = readFileSync(path, 'utf8');
    const wrapped = wrapPage(text);
    if (wrapped !== text) writeFileSync(path, wrapped);
  }
}
