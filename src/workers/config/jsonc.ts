/**
 * JSON as people write it by hand: with comments and trailing commas. Errors name the line and the column, and a key
 * that stands twice in one object is an error rather than a surprise.
 */
import { ConfigError } from './config-error.ts';

/** Deeper than any sane configuration, shallow enough for the stack. */
const depthMax = 64;

const numberPattern = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const wordPattern = /[A-Za-z_$][\w$]*/y;
const blankPattern = /(?:[ \t\r\n\ufeff]+|\/\/[^\n]*|\/\*[^]*?\*\/)*/y;
const stringPattern = /"(?:[^"\\\n\r]|\\.)*"/y;

export function parseJsonc(text: string, file: string): unknown {
  const reader = new JsoncReader(text, file);
  const value = reader.value(0);
  reader.end();
  return value;
}

class JsoncReader {
  readonly #text: string;
  readonly #file: string;
  #at = 0;

  constructor(text: string, file: string) {
    this.#text = text;
    this.#file = file;
  }

  value(depth: number): unknown {
    if (depth > depthMax) this.#fail(`nested more than ${depthMax} levels deep`);
    this.#skipBlank();
    const start = this.#text[this.#at];
    if (start === '{') return this.#object(depth);
    if (start === '[') return this.#array(depth);
    if (start === '"') return this.#string();
    const number = this.#match(numberPattern);
    if (number !== undefined) return Number(number);
    const before = this.#at;
    const word = this.#match(wordPattern);
    if (word === 'true') return true;
    if (word === 'false') return false;
    if (word === 'null') return null;
    this.#at = before;
    return this.#fail(`a value was expected: ${this.#found()}`);
  }

  end(): void {
    this.#skipBlank();
    if (this.#at < this.#text.length) this.#fail(`nothing was expected after the value: ${this.#found()}`);
  }

  #object(depth: number): Record<string, unknown> {
    const entries = new Map<string, unknown>();
    this.#at++;
    while (!this.#take('}')) {
      this.#skipBlank();
      const keyAt = this.#at;
      if (this.#text[keyAt] !== '"') this.#fail(`a key in double quotes or } was expected: ${this.#found()}`);
      const key = this.#string();
      if (entries.has(key)) this.#fail(`the key "${key}" stands twice in one object`, keyAt);
      if (!this.#take(':')) this.#fail(`: was expected after the key "${key}": ${this.#found()}`);
      entries.set(key, this.value(depth + 1));
      if (!this.#take(',') && !this.#isAt('}')) this.#fail(`, or } was expected: ${this.#found()}`);
    }
    return Object.fromEntries(entries);
  }

  #array(depth: number): unknown[] {
    const items: unknown[] = [];
    this.#at++;
    while (!this.#take(']')) {
      items.push(this.value(depth + 1));
      if (!this.#take(',') && !this.#isAt(']')) this.#fail(`, or ] was expected: ${this.#found()}`);
    }
    return items;
  }

  #string(): string {
    const start = this.#at;
    const quoted = this.#match(stringPattern);
    if (quoted === undefined) return this.#fail('this string does not end on its line');
    try {
      return JSON.parse(quoted) as string;
    } catch {
      return this.#fail('this string holds an escape or a character that JSON does not allow', start);
    }
  }

  #isAt(character: string): boolean {
    this.#skipBlank();
    return this.#text[this.#at] === character;
  }

  #take(character: string): boolean {
    const found = this.#isAt(character);
    if (found) this.#at++;
    return found;
  }

  #skipBlank(): void {
    this.#match(blankPattern);
    if (this.#text.startsWith('/*', this.#at)) this.#fail('this comment does not end');
  }

  #match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text)?.[0];
    if (found !== undefined) this.#at += found.length;
    return found;
  }

  #found(): string {
    return this.#at < this.#text.length ? JSON.stringify(this.#text[this.#at]) : 'the file ends';
  }

  #fail(problem: string, at = this.#at): never {
    const before = this.#text.slice(0, at);
    const line = before.split('\n').length;
    const column = at - before.lastIndexOf('\n');
    throw new ConfigError(`${this.#file}:${line}:${column}: ${problem}`);
  }
}
