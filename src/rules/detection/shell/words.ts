/**
 * One word of a command as a shell reads it: quotes and backslashes vanish, unset variables are empty, braces and
 * `${IFS}` are spaces, and a pattern represents the file that it matches.
 */
import { spendSteps } from '#work';
import { stepsPerWordCharacter } from '../limits.ts';
import { plainPrograms, wordPrograms } from './programs.ts';

export interface ShellWord {
  /** Without everything that a shell removes; for a very long word, its start and its end. */
  readonly text: string;
  readonly start: number;
  readonly end: number;
  /** Whether something had to be removed inside of the word: `c'a't` does not occur in ordinary text. */
  readonly isDisguised: boolean;
}

/** No path is longer. A word may extend to the end of the text, and another one may start at each of its characters. */
const raw =
  /(?:\\[^]|\$?'[^'\s]{0,80}'|"[^"\s]{0,80}"|\$\{[^{}]{0,60}\}|\$\(\([^)]{0,60}\)\)|\$[@*#?!$-]|\$\w+|[^\s;|&()`<>'"\\$,]|\$|,(?=\S)){1,4096}/y;

export function readShellWord(text: string, at: number): ShellWord | undefined {
  raw.lastIndex = at;
  const found = raw.exec(text);
  if (found === null) return undefined;
  const written = shorten(found[0], wordEndCharacters);
  const end = raw.lastIndex;
  spendSteps(stepsPerWordCharacter * (end - at));
  // Most words contain nothing that a shell removes.
  if (!removed.test(written)) return { text: written, start: at, end, isDisguised: false };
  const read = removeSigns(written);
  return { text: read.trim(), start: at, end, isDisguised: read !== written && disguise.test(written) };
}

/** Punctuation between letters; quotes around a whole word disguise nothing. */
const disguise = /[\w/](?:['"\\^]+|\$(?:[@*\w]|\{))[^\s]{0,20}\w|^\$'/;

function removeSigns(written: string): string {
  let read = written;
  if (read.includes('$'))
    read = read
      .replaceAll(/\$\{?IFS[^}\s]{0,12}\}?(?:\$\d)?/g, ' ')
      .replaceAll(/\$(?=')/g, '')
      .replaceAll(/\$\{[^}]{0,60}\}|\$[@*#?!$-]|\$\w+/g, '');
  if (read.includes('\\')) read = read.replaceAll(/\\([^])/g, '$1');
  return quotes.test(read) ? read.replaceAll(/['"^]/g, '') : read;
}

const quotes = /['"^]/;

/** The characters that require a word to be expanded. */
const removed = /[$\\'"^]/;

/** A program is at the start of a word, or after a path at its end: in long words, the middle is not read. */
const wordEndCharacters = 512;
const pathEndCharacters = 128;

function shorten(word: string, endCharacters: number): string {
  if (word.length <= 2 * endCharacters) return word;
  return word.slice(0, endCharacters) + word.slice(-endCharacters);
}

/** The name of the program that a word runs, in lower case. */
export function findProgram({ text }: ShellWord): string | undefined {
  const space = text.search(/\s/);
  const word = space === -1 ? text : text.slice(0, space);
  const slash = Math.max(word.lastIndexOf('/'), word.lastIndexOf('\\'));
  const isPattern = slash !== -1 && /[?*[]/.test(word);
  const written = word.slice(slash + 1);
  if (written.length > nameCharactersMax && !/^python/i.test(written))
    return isPattern ? findByPattern(word) : undefined;
  if (mayBeName.test(written)) {
    const lower = written.toLowerCase();
    const name = lower.includes('.') ? lower.replace(/\.(?:exe|com|bat|ps1)$/, '') : lower;
    // "Cat" is a word, "cat" and "CAT" are programs.
    if (plainPrograms.has(name) || wordPrograms.has(name))
      return /^(?:[^A-Z]*|[^a-z]*)$/.test(written) ? name : undefined;
    if (/^python[\d.]+$/.test(name)) return 'python';
  }
  return isPattern ? findByPattern(word) : undefined;
}

/** Names of programs have no other characters. */
const mayBeName = /^[\w.-]+$/;

/** The longest program with the longest extension. */
const nameCharactersMax = 20;

/** `/b?n/c?t`, `/???/?at`: a pattern below a directory of programs. */
function findByPattern(word: string): string | undefined {
  if (!word.startsWith('/')) return undefined;
  const parts = shorten(word, pathEndCharacters)
    .toLowerCase()
    .split('/')
    .filter((part) => part !== '');
  // Media types contain stars as well.
  if (parts.some((part) => /^\*+$/.test(part))) return undefined;
  const name = parts.pop();
  if (name === undefined || !parts.some((part) => matches(part, 'bin') || matches(part, 'sbin')))
    return undefined;
  return globPrograms.find((program) => matches(name, program));
}

const globPrograms = [
  'cat',
  'nc',
  'ls',
  'id',
  'sh',
  'bash',
  'wget',
  'curl',
  'head',
  'tail',
  'more',
  'less',
  'whoami',
  'uname',
  'ping',
  'sleep',
  'echo',
  'python',
  'perl',
  'ps',
  'rev',
  'tac',
  'nl',
  'od',
  'xxd',
  'cp',
  'base64',
];

const pieces = /\[[^\]]*\]|[^]/g;

/** With `?` and `*` and `[…]` as in a shell; both are short. */
function matches(pattern: string, name: string): boolean {
  if (pattern.length > 24) return false;
  if (!/[?*[]/.test(pattern)) return pattern === name;
  const signs = pattern.match(pieces)!;
  if (signs.filter((sign) => sign === '*').length > 3) return false;
  return matchesFrom(signs, 0, name, 0);
}

function matchesFrom(signs: readonly string[], first: number, name: string, from: number): boolean {
  let at = from;
  for (let index = first; index < signs.length; index++) {
    const sign = signs[index]!;
    if (sign === '*') {
      for (let next = at; next <= name.length; next++)
        if (matchesFrom(signs, index + 1, name, next)) return true;
      return false;
    }
    if (at >= name.length || (sign !== '?' && !sign.startsWith('[') && sign !== name[at])) return false;
    at++;
  }
  return at === name.length;
}
