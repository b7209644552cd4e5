/**
 * JSON as a hostile client sends it. Stricter than `JSON.parse` where that one is silent: a key that comes twice, a key
 * `__proto__`, and nesting without end are refused, because two readers of the same text could see different things.
 */
import { jsonDepthMax } from './limits.ts';

export type JsonResult =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly reason: string };

export function readJson(bytes: Uint8Array): JsonResult {
  let text: string;
  try {
    text = decoder.decode(bytes);
  } catch {
    return { ok: false, reason: 'the body is not UTF-8' };
  }
  try {
    return { ok: true, value: new Reader(text).document() };
  } catch (error) {
    if (error instanceof Malformed) return { ok: false, reason: error.message };
    throw error;
  }
}

const decoder = new TextDecoder('utf-8', { fatal: true });

class Malformed extends Error {}

const space = /[ \t\n\r]*/y;
const number = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;
const plainString = /"[^"\\\u0000-\u001f]*"/y;
const anyString = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y;
const words = { t: ['true', true], f: ['false', false], n: ['null', null] } as const;

class Reader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  document(): unknown {
    const value = this.#value(0);
    this.#skip(space);
    if (this.#at < this.#text.length) throw this.#malformed('nothing more');
    return value;
  }

  #value(depth: number): unknown {
    if (depth > jsonDepthMax) throw new Malformed(`nested deeper than ${jsonDepthMax} levels`);
    this.#skip(space);
    const first = this.#text[this.#at];
    if (first === '"') return this.#string();
    if (first === '{') return this.#object(depth);
    if (first === '[') return this.#array(depth);
    if (first === 't' || first === 'f' || first === 'n') return this.#word(words[first]);
    const digits = this.#take(number);
    if (digits === undefined) throw this.#malformed('a value');
    return Number(digits);
  }

  #object(depth: number): Record<string, unknown> {
    const object: Record<string, unknown> = {};
    this.#at++;
    this.#skip(space);
    if (this.#is('}')) return object;
    do {
      this.#skip(space);
      const at = this.#at;
      if (this.#text[at] !== '"') throw this.#malformed('a key in quotes');
      const key = this.#string();
      if (key === '__proto__') throw new Malformed(`the key "__proto__" ${this.#place(at)}`);
      if (Object.hasOwn(object, key)) {
        throw new Malformed(`the key ${JSON.stringify(key)} is there twice ${this.#place(at)}`);
      }
      this.#skip(space);
      if (!this.#is(':')) throw this.#malformed('":"');
      object[key] = this.#value(depth + 1);
      this.#skip(space);
    } while (this.#is(','));
    if (!this.#is('}')) throw this.#malformed('"," or "}"');
    return object;
  }

  #array(depth: number): unknown[] {
    const array: unknown[] = [];
    this.#at++;
    this.#skip(space);
    if (this.#is(']')) return array;
    do {
      array.push(this.#value(depth + 1));
      this.#skip(space);
    } while (this.#is(','));
    if (!this.#is(']')) throw this.#malformed('"," or "]"');
    return array;
  }

  #string(): string {
    const plain = this.#take(plainString);
    if (plain !== undefined) return plain.slice(1, -1);
    const text = this.#take(anyString);
    if (text === undefined) throw this.#malformed('a string that ends and has no control characters');
    const value = JSON.parse(text) as string;
    if (!value.isWellFormed()) throw new Malformed('a string with half of a surrogate pair');
    return value;
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
    const before = this.#text.slice(0, at).split('\n');
    return `at line ${before.length}, column ${before.at(-1)!.length + 1}`;
  }
}
