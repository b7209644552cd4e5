/**
 * One pass over a text that tells which rules cannot match it. Every pattern and list of phrases that needs one of some
 * literals is a filter; a text without any of them cannot match. Case is ignored, which only lets more through.
 */
import { LiteralSet, type RequiredLiterals } from '#regex';

/** Filters with more literals than this are not worth their place, unless they are lists of phrases anyway. */
const literalsMax = 4_000;

/** Of a longer literal, the beginning is looked for: it lets little more through, and a third of the table is enough. */
const literalBytesMax = 8;

export class PrefilterBuilder {
  readonly #filtersOf = new Map<string, number[]>();
  #count = 0;

  /** The number of the filter; -1 if the literals are of no use. */
  add({ literals }: RequiredLiterals): number {
    if (literals.length === 0 || literals.length > literalsMax || literals.includes('')) return -1;
    const filter = this.#count++;
    for (const literal of new Set(literals.map((text) => text.slice(0, literalBytesMax).toLowerCase()))) {
      const filters = this.#filtersOf.get(literal);
      if (filters === undefined) this.#filtersOf.set(literal, [filter]);
      else filters.push(filter);
    }
    return filter;
  }

  build(): Prefilter {
    return new Prefilter(this.#filtersOf, this.#count);
  }
}

export class Prefilter {
  readonly #set: LiteralSet | undefined;
  readonly #filtersByLiteral: readonly Int32Array[];
  /** Literals of one byte occur in every text many times: it is enough to know which bytes there are. */
  readonly #filtersByByte: readonly (readonly [byte: number, filters: Int32Array])[];
  readonly #isThere = new Uint8Array(256);
  readonly #words: number;
  readonly #noHits: Uint32Array;

  constructor(filtersOf: ReadonlyMap<string, readonly number[]>, count: number) {
    const literals = [...filtersOf.keys()].filter(({ length }) => length > 1);
    this.#set = literals.length === 0 ? undefined : new LiteralSet(literals, { ignoreCase: true });
    this.#filtersByLiteral = literals.map((literal) => Int32Array.from(filtersOf.get(literal)!));
    this.#filtersByByte = [...filtersOf]
      .filter(([{ length }]) => length === 1)
      .map(([literal, filters]) => [literal.charCodeAt(0), Int32Array.from(filters)]);
    this.#words = Math.max(1, Math.ceil(count / 32));
    this.#noHits = new Uint32Array(this.#words);
  }

  /** What no filter has a literal in: most values. */
  get noHits(): Uint32Array {
    return this.#noHits;
  }

  scan(value: string): Uint32Array {
    let hits: Uint32Array | undefined;
    const add = (filters: Int32Array): void => {
      hits ??= new Uint32Array(this.#words);
      for (const filter of filters) hits[filter >>> 5]! |= 1 << (filter & 31);
    };
    const isThere = this.#findBytes(value);
    for (const [byte, filters] of this.#filtersByByte) if (isThere[byte] === 1) add(filters);
    this.#set?.scan(value, (literal) => add(this.#filtersByLiteral[literal]!));
    return hits ?? this.#noHits;
  }

  /** Capital letters count as small ones. */
  #findBytes(value: string): Uint8Array {
    const isThere = this.#isThere;
    if (this.#filtersByByte.length === 0) return isThere;
    isThere.fill(0);
    for (let index = 0; index < value.length; index++) isThere[value.charCodeAt(index) & 0xff] = 1;
    for (let capital = 0x41; capital <= 0x5a; capital++) isThere[capital | 0x20]! |= isThere[capital]!;
    return isThere;
  }
}

export function isHit(hits: Uint32Array, filter: number): boolean {
  return (hits[filter >>> 5]! & (1 << (filter & 31))) !== 0;
}
