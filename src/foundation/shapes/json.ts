/**
 * JSON from hostile clients. `JSON.parse` reads everything that this accepts as the same value. It refuses more: a
 * duplicate key, a key `__proto__`, half of a surrogate pair and a number beyond every double, because two readers of
 * the same text could interpret them differently; excessive nesting, keys and values; and bytes that are not UTF-8. The
 * time it takes is linear in the length of the text, and can be split into turns: megabytes of tiny values take half a
 * second.
 */
import { type Pieces, runAtOnce } from '#work';
import { jsonDepthMax, jsonKeysMax, jsonValuesMax, keyCharactersMax } from './limits.ts';

export type JsonResult =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly reason: string };

export function readJson(bytes: Uint8Array): JsonResult {
  return runAtOnce(readJsonInPieces(bytes));
}

/** The same, for `workTurns`. */
export function* readJsonInPieces(bytes: Uint8Array): Pieces<JsonResult> {
  let text: string;
  try {
    text = decoder.decode(bytes);
  } catch {
    return { ok: false, reason: 'the body is not UTF-8' };
  }
  try {
    return { ok: true, value: yield* new Reader(text).document() };
  } catch (error) {
    if (error instanceof Malformed) return { ok: false, reason: error.message };
    throw error;
  }
}

/** A value takes about a microsecond, which is about 200 steps. */
const valuesPerPiece = 1_000;
const stepsPerValue = 200;

const decoder = new TextDecoder('utf-8', { fatal: true });

class Malformed extends Error {}

const space = /[ \t\n\r]*/y;
const number = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;
// oxlint-disable-next-line no-control-regex -- those are what a string cannot hold
const plainString = /"[^"\\\u0000-\u001f]*"/y;
const words = { t: ['true', true], f: ['false', false], n: ['null', null] } as const;

/** Returned in place of a value when the text of an array or an object has begun. */
const begun = Symbol('begun');

/** An array or an object that is not complete. */
type Open =
  | { readonly kind: 'array'; readonly whole: unknown[] }
  | {
      readonly kind: 'object';
      readonly whole: Record<string, unknown>;
      /** The key of the next value. */
      key: string;
      keys: number;
    };

class Reader {
  readonly #text: string;
  #at = 0;
  /** Innermost last. */
  readonly #open: Open[] = [];

  constructor(text: string) {
    this.#text = text;
  }

  *document(): Pieces<unknown> {
    for (let values = 1; ; values++) {
      if (values > jsonValuesMax) throw new Malformed(`more than ${jsonValuesMax} values`);
      if (values % valuesPerPiece === 0) yield valuesPerPiece * stepsPerValue;
      const value = this.#value();
      if (value === begun) continue;
      const whole = this.#put(value);
      if (this.#open.length > 0) continue;
      this.#skip(space);
      if (this.#at < this.#text.length) throw this.#malformed('nothing more');
      return whole;
    }
  }

  #value(): unknown {
    if (this.#open.length > jsonDepthMax) throw new Malformed(`nested deeper than ${jsonDepthMax} levels`);
    this.#skip(space);
    const first = this.#text[this.#at];
    if (first === '"') return this.#string();
    if (first === '{') return this.#object();
    if (first === '[') return this.#array();
    if (first === 't' || first === 'f' || first === 'n') return this.#word(words[first]);
    const digits = this.#take(number);
    if (digits === undefined) throw this.#malformed('a value');
    const value = Number(digits);
    if (!Number.isFinite(value)) throw new Malformed(`a number too large ${this.#place(this.#at)}`);
    return value;
  }

  /** Puts a value into its container, and likewise each array or object that ends with it. Returns the last of them. */
  #put(value: unknown): unknown {
    let whole = value;
    for (let open = this.#open.at(-1); open !== undefined; open = this.#open.at(-1)) {
      if (open.kind === 'array') open.whole.push(whole);
      else open.whole[open.key] = whole;
      if (this.#hasMore(open)) break;
      ({ whole } = open);
      this.#open.pop();
    }
    return whole;
  }

  #hasMore(open: Open): boolean {
    this.#skip(space);
    if (this.#is(',')) {
      if (open.kind === 'object') {
        if (++open.keys > jsonKeysMax)
          throw new Malformed(`an object of more than ${jsonKeysMax} keys ${this.#place(this.#at)}`);
        open.key = this.#key(open.whole);
      }
      return true;
    }
    const end = open.kind === 'object' ? '}' : ']';
    if (!this.#is(end)) throw this.#malformed(`"," or "${end}"`);
    return false;
  }

  #object(): unknown {
    const whole: Record<string, unknown> = {};
    this.#at++;
    this.#skip(space);
    if (this.#is('}')) return whole;
    this.#open.push({ kind: 'object', whole, key: this.#key(whole), keys: 1 });
    return begun;
  }

  #array(): unknown {
    const whole: unknown[] = [];
    this.#at++;
    this.#skip(space);
    if (this.#is(']')) return whole;
    this.#open.push({ kind: 'array', whole });
    return begun;
  }

  #key(object: Readonly<Record<string, unknown>>): string {
    this.#skip(space);
    const at = this.#at;
    if (this.#text[at] !== '"') throw this.#malformed('a key in quotes');
    const key = this.#string();
    if (key.length > keyCharactersMax) {
      throw new Malformed(`a key of more than ${keyCharactersMax} characters ${this.#place(at)}`);
    }
    if (key === '__proto__') throw new Malformed(`the key "__proto__" ${this.#place(at)}`);
    if (Object.hasOwn(object, key)) {
      throw new Malformed(`the key ${JSON.stringify(key)} is there twice ${this.#place(at)}`);
    }
    this.#skip(space);
    if (!this.#is(':')) throw this.#malformed('":"');
    return key;
  }

  #string(): string {
    const plain = this.#take(plainString);
    if (plain !== undefined) return plain.slice(1, -1);
    const start = this.#at;
    const end = this.#closingQuote(start);
    const value = end === undefined ? undefined : unescaped(this.#text.slice(start, end + 1));
    if (end === undefined || value === undefined) {
      throw this.#malformed('a string that ends and has neither control characters nor unknown escapes');
    }
    if (!value.isWellFormed()) {
      throw new Malformed(`a string with half of a surrogate pair ${this.#place(start)}`);
    }
    this.#at = end + 1;
    return value;
  }

  /** The first quote after the opening one that is not escaped by a backslash. */
  #closingQuote(start: number): number | undefined {
    let quote = this.#text.indexOf('"', start + 1);
    while (quote !== -1) {
      let before = quote;
      while (this.#text[before - 1] === '\\') before--;
      if ((quote - before) % 2 === 0) return quote;
      quote = this.#text.indexOf('"', quote + 1);
    }
    return undefined;
  }

  #word([word, value]: readonly [string, boolean | null]): boolean | null {
    if (!this.#text.startsWith(word, this.#at)) throw this.#malformed('a value');
    this.#at += word.length;
    return value;
  }

  #skip(pattern: RegExp): void {
    this.#take(pattern);
  }

  #take(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at;
    const [found] = pattern.exec(this.#text) ?? [];
    this.#at += found?.length ?? 0;
    return found;
  }

  #is(character: string): boolean {
    if (this.#text[this.#at] !== character) return false;
    this.#at++;
    return true;
  }

  #malformed(expected: string): Malformed {
    return new Malformed(`expected ${expected} ${this.#place(this.#at)}`);
  }

  #place(at: number): string {
    let line = 1;
    let lineStart = 0;
    for (
      let end = this.#text.indexOf('\n');
      end !== -1 && end < at;
      end = this.#text.indexOf('\n', end + 1)
    ) {
      line++;
      lineStart = end + 1;
    }
    return `at line ${line}, column ${at - lineStart + 1}`;
  }
}

function unescaped(literal: string): string | undefined {
  try {
    return JSON.parse(literal) as string;
  } catch {
    return undefined;
  }
}
