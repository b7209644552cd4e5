/**
 * The outer syntax of rule files: lines continued by a backslash, comments, and words in quotes. Other modules
 * interpret the words.
 *
 * Files are read as bytes, one character each. The rules of CRS 3 are written for Apache, which halves backslashes,
 * those of CRS 4 for engines that do not: four backslashes become two, a pair stays, and both mean the same.
 */
import { SecLangError, type SourcePlace } from '../problem.ts';

export interface Directive {
  /** As written; compare it without case. */
  readonly name: string;
  readonly words: readonly string[];
  readonly place: SourcePlace;
}

export function readDirectives(text: string, file: string): Directive[] {
  const directives: Directive[] = [];
  const lines = text.split('\n');
  for (let index = 0; index < lines.length; index++) {
    const place: SourcePlace = { file, line: index + 1 };
    let line = lines[index]!.replace(/\r$/, '');
    if (/^\s*(?:#|$)/.test(line)) continue;
    while (line.endsWith('\\') && index + 1 < lines.length) {
      index++;
      line = line.slice(0, -1) + lines[index]!.replace(/\r$/, '');
    }
    const [name, ...words] = readWords(line, place);
    if (name !== undefined) directives.push({ name, words, place });
  }
  return directives;
}

function readWords(line: string, place: SourcePlace): string[] {
  const words: string[] = [];
  let at = 0;
  for (;;) {
    while (at < line.length && isSpace(line[at]!)) at++;
    if (at >= line.length) return words;
    const quote = line[at]!;
    const isQuoted = quote === '"' || quote === "'";
    if (isQuoted) at++;
    const start = at;
    while (at < line.length && (isQuoted ? line[at] !== quote : !isSpace(line[at]!))) {
      at += line[at] === '\\' ? 2 : 1;
    }
    if (isQuoted && at >= line.length) {
      throw new SecLangError(`a text that begins with ${quote} is not closed`, place);
    }
    words.push(unescape(line.slice(start, at), isQuoted ? quote : undefined));
    if (isQuoted) at++;
  }
}

function isSpace(character: string): boolean {
  return character === ' ' || character === '\t';
}

function unescape(text: string, quote: string | undefined): string {
  const halved = text.replaceAll(String.raw`\\\\`, String.raw`\\`);
  if (quote === undefined) return halved;
  return halved.replaceAll(/\\(.)/gs, (pair, character: string) => (character === quote ? quote : pair));
}
