/** Turns that must be decoded do not come back: in comments of the sources, and in documents. See CONTRIBUTING. */
import { deepEqual } from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';

const root = new URL('..', import.meta.url);

/** Each with what to write in its place. */
const banned: readonly (readonly [turn: RegExp, instead: string])[] = [
  [/\b(?:some|no|every|any)body\b|\bwhoever\b/i, 'the actor: a client, the caller, another process'],
  [/\b(?:told|tells|telling)\b/i, 'notified, passed, says, shows, reports'],
  [/\bof no matter\b/i, 'irrelevant'],
  [/\bdeeds?\b/i, 'action'],
  [/\bbegins? so\b/i, 'starts with'],
  [/\b(?:is|be|was|were|are) had\b/i, 'obtained, received, loaded'],
  [/\b(?:is|are) well\b(?!-)/i, 'healthy'],
  [/\bin vain\b/i, 'without effect'],
  [/\bwants? to know\b/i, 'asks'],
  [/\bbrings? in\b/i, 'loads, adds'],
];

function find(file: string, lines: readonly string[]): string[] {
  return lines.flatMap((line, index) => {
    const prose = line.replace(/`[^`]*`|'[^' ]*'|"[^"]*"/g, '');
    return banned
      .filter(([turn]) => turn.test(prose))
      .map(([turn, instead]) => `${file}:${index + 1}: ${turn.exec(prose)![0]}: write ${instead}`);
  });
}

const readLines = (file: string): string[] => readFileSync(new URL(file, root), 'utf8').split('\n');

/** Lines that are comments; what stands behind code on its line is left out. */
function readComments(file: string): string[] {
  return readLines(file).map((line) =>
    /^\s*(?:\/\/|\/\*|\*)/.test(line) && !/oxlint-|@ts-/.test(line) ? line : '',
  );
}

/** Lines outside of code blocks. */
function readProse(file: string): string[] {
  let isCode = false;
  return readLines(file).map((line) => {
    if (/^\s*```/.test(line)) isCode = !isCode;
    return isCode ? '' : line;
  });
}

test('comments of the sources are free of turns that must be decoded', () => {
  const files = globSync('{src,package,tools}/**/*.{ts,tsx}', { cwd: root }).filter(
    (file) => file !== 'tools/plain-words.test.ts',
  );
  deepEqual(
    files.flatMap((file) => find(file, readComments(file))),
    [],
  );
});

test('documents are free of turns that must be decoded', () => {
  // Made from texts of the product, or about what once was.
  const generated = new Set(['docs/reference/error-codes.md', 'docs/reference/zone-settings.md']);
  const files = globSync(['docs/**/*.md', 'README.md', 'CONTRIBUTING.md'], { cwd: root }).filter(
    (file) => !generated.has(file),
  );
  deepEqual(
    files.flatMap((file) => find(file, readProse(file))),
    [],
  );
});
