import { bytesOf } from './bytes.ts';

/**
 * Finds many texts in one pass: Aho and Corasick's automaton over bytes. Bytes that occur in no literal share
 * one column, rows are numbered so that a state with something to report is known by its number alone, and
 * everything lies in flat typed arrays: a miss costs two loads per byte.
 */
export class LiteralSet {
  readonly literals: readonly string[];
  readonly #classOf = new Uint16Array(256);
  readonly #rowLength: number;
  /** By state and class: the row of the next state. */
  readonly #table: Int32Array;
  /** The rows from here on belong to states that end a literal, or whose suffix does. */
  readonly #reportingFrom: number;
  /** By reporting state: the first literal that ends there (the others follow in `#sameText`), or -1. */
  readonly #ending: Int32Array;
  /** By reporting state: the row of the longest proper suffix that reports, or -1. */
  readonly #suffixRow: Int32Array;
  /** By literal: the next one with the same text, or -1. */
  readonly #sameText: Int32Array;
  /** By byte: whether a literal begins with it. */
  readonly #begins: Uint8Array;

  /** With `ignoreCase`, ASCII letters match in either case, in literals as in values. */
  constructor(literals: readonly string[], { ignoreCase = false }: { readonly ignoreCase?: boolean } = {}) {
    this.literals = literals;
    const rowLength = numberBytes(this.#classOf, literals, ignoreCase);
    this.#rowLength = rowLength;
    const trie = new Trie(literals, this.#classOf, rowLength);
    const order = trie.link();
    this.#sameText = trie.sameText;
    this.#begins = Uint8Array.from(this.#classOf, (column) => (trie.next[column] === 0 ? 0 : 1));

    const reports = (state: number): boolean => trie.ending[state] !== -1 || trie.suffix[state] !== -1;
    const quietCount = order.reduce((count, state) => count + (reports(state) ? 0 : 1), 0);
    const rowOf = new Int32Array(order.length);
    let [quiet, reporting] = [0, quietCount];
    for (const state of order) rowOf[state] = (reports(state) ? reporting++ : quiet++) * rowLength;

    this.#reportingFrom = quietCount * rowLength;
    this.#table = new Int32Array(order.length * rowLength);
    this.#ending = new Int32Array(order.length - quietCount);
    this.#suffixRow = new Int32Array(order.length - quietCount);
    for (const state of order) {
      const row = rowOf[state]!;
      for (let column = 0; column < rowLength; column++) {
        this.#table[row + column] = rowOf[trie.next[state * rowLength + column]!]!;
      }
      if (row < this.#reportingFrom) continue;
      const index = row / rowLength - quietCount;
      const suffix = trie.suffix[state]!;
      this.#ending[index] = trie.ending[state]!;
      this.#suffixRow[index] = suffix === -1 ? -1 : rowOf[suffix]!;
    }
  }

  /** Bytes of the automaton's table, which is most of what the set occupies. */
  get tableBytes(): number {
    return this.#table.byteLength;
  }

  /** Whether any of the literals occurs. */
  test(value: string): boolean {
    const [table, classOf, reportingFrom, begins] = [
      this.#table,
      this.#classOf,
      this.#reportingFrom,
      this.#begins,
    ];
    const { length } = value;
    const bytes = bytesOf(value);
    let row = 0;
    for (let i = 0; row < reportingFrom; i++) {
      if (row === 0) while (i < length && begins[bytes[i]!] === 0) i++;
      if (i >= length) return false;
      row = table[row + classOf[bytes[i]!]!]!;
    }
    return true;
  }

  /**
   * Calls with the index of a literal and the position behind it, for every occurrence, in the order of their ends. The
   * function called may not search anything itself: it would overwrite the bytes that are looked at.
   */
  scan(value: string, onHit: (literal: number, end: number) => void): void {
    const [table, classOf, reportingFrom] = [this.#table, this.#classOf, this.#reportingFrom];
    const { length } = value;
    const bytes = bytesOf(value);
    let row = 0;
    for (let i = 0; ; i++) {
      if (row >= reportingFrom) {
        for (let at = row; at !== -1; at = this.#suffixRow[this.#reportIndex(at)]!) {
          let literal = this.#ending[this.#reportIndex(at)]!;
          for (; literal !== -1; literal = this.#sameText[literal]!) onHit(literal, i);
        }
      }
      if (i >= length) return;
      row = table[row + classOf[bytes[i]!]!]!;
    }
  }

  /**
   * Sets `marks[literal]` to 1 for each literal that occurs; true if any mark is new. Linear however the literals
   * overlap: what a state reports is looked at only until something is marked already, as then all behind it is.
   */
  mark(value: string, marks: Uint8Array): boolean {
    const [table, classOf, reportingFrom, begins] = [
      this.#table,
      this.#classOf,
      this.#reportingFrom,
      this.#begins,
    ];
    const { length } = value;
    const bytes = bytesOf(value);
    let isNew = false;
    let row = 0;
    for (let i = 0; ; i++) {
      if (row >= reportingFrom && this.#markState(row, marks)) isNew = true;
      if (row === 0) while (i < length && begins[bytes[i]!] === 0) i++;
      if (i >= length) return isNew;
      row = table[row + classOf[bytes[i]!]!]!;
    }
  }

  #markState(row: number, marks: Uint8Array): boolean {
    let isNew = false;
    for (let at = row; at !== -1; at = this.#suffixRow[this.#reportIndex(at)]!) {
      let literal = this.#ending[this.#reportIndex(at)]!;
      if (literal !== -1 && marks[literal] === 1) return isNew;
      for (; literal !== -1; literal = this.#sameText[literal]!) {
        marks[literal] = 1;
        isNew = true;
      }
    }
    return isNew;
  }

  #reportIndex(row: number): number {
    return (row - this.#reportingFrom) / this.#rowLength;
  }
}

/** Gives every byte of the literals a class of its own, all others class 0, and says how many classes there are. */
function numberBytes(classOf: Uint16Array, literals: readonly string[], ignoreCase: boolean): number {
  let count = 1;
  for (const literal of literals) {
    for (let i = 0; i < literal.length; i++) {
      const byte = literal.charCodeAt(i) & 0xff;
      if (classOf[byte] !== 0) continue;
      classOf[byte] = count;
      const otherCase = byte ^ 0x20;
      const isLetter = (byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x7a;
      if (ignoreCase && isLetter) classOf[otherCase] = count;
      count++;
    }
  }
  return count;
}

/** The literals as a tree of states, state 0 the empty text. */
class Trie {
  /** By state and class; after `link`, complete. */
  readonly next: Int32Array;
  readonly ending: Int32Array;
  readonly suffix: Int32Array;
  readonly sameText: Int32Array;
  readonly #rowLength: number;

  constructor(literals: readonly string[], classOf: Uint16Array, rowLength: number) {
    const statesMax = literals.reduce((sum, literal) => sum + literal.length, 1);
    this.#rowLength = rowLength;
    this.next = new Int32Array(statesMax * rowLength);
    this.ending = new Int32Array(statesMax).fill(-1);
    this.suffix = new Int32Array(statesMax).fill(-1);
    this.sameText = new Int32Array(literals.length).fill(-1);
    let count = 1;
    for (const [index, literal] of literals.entries()) {
      let state = 0;
      for (let i = 0; i < literal.length; i++) {
        const slot = state * rowLength + classOf[literal.charCodeAt(i) & 0xff]!;
        // No literal leads back to the empty text, so 0 stands for none.
        if (this.next[slot] === 0) this.next[slot] = count++;
        state = this.next[slot]!;
      }
      this.sameText[index] = this.ending[state]!;
      this.ending[state] = index;
    }
  }

  /** Completes `next` and `suffix` by what follows from suffixes, shorter texts first; gives the states in that order. */
  link(): number[] {
    const { next, ending, suffix } = this;
    const rowLength = this.#rowLength;
    const failure = new Int32Array(ending.length);
    const order = [0];
    for (const state of order) {
      for (let column = 0; column < rowLength; column++) {
        const slot = state * rowLength + column;
        const child = next[slot]!;
        const viaSuffix = state === 0 ? 0 : next[failure[state]! * rowLength + column]!;
        if (child === 0) {
          next[slot] = viaSuffix;
          continue;
        }
        failure[child] = viaSuffix;
        suffix[child] = ending[viaSuffix] === -1 ? suffix[viaSuffix]! : viaSuffix;
        order.push(child);
      }
    }
    return order;
  }
}
