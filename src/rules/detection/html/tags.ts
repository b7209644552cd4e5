/**
 * The tags of a text, as a browser's tokeniser finds them: a tag starts with `<` and a letter, attributes are separated
 * by spaces or slashes, values are quoted or not, and the end of the text closes all open parts. The time is linear.
 */
import { spendSteps } from '#work';
import { decodeEntities } from '../decode/decode-once.ts';
import { stepsPerTag, tagsMax } from '../limits.ts';

export interface Attribute {
  /** In lower case. */
  readonly name: string;
  /** With entities decoded. */
  readonly value: string;
  /** Whether it has an equals sign. */
  readonly isSet: boolean;
}

export interface Tag {
  /** In lower case, with a slash for an end tag. */
  readonly name: string;
  readonly attributes: readonly Attribute[];
  readonly start: number;
  readonly end: number;
  /** Whether its `>` is present; a page around the text may provide it. */
  readonly isClosed: boolean;
}

/**
 * An unclosed quote makes the rest of the text the attribute's value: it is read without the quote at most this often.
 */
const openQuotesMax = 8;
/** Attributes that are then read again. */
const readAgainMax = 4_000;

export function listTags(text: string): readonly Tag[] {
  const tags: Tag[] = [];
  let openQuotes = 0;
  let readAgain = 0;
  for (let at = text.indexOf('<'); at !== -1 && tags.length < tagsMax;) {
    spendSteps(stepsPerTag);
    const scanner = new TagScanner(text, at);
    const tag = scanner.read(openQuotes === 0 ? Infinity : readAgainMax - readAgain);
    if (tag === undefined) {
      at = text.indexOf('<', at + 1);
      continue;
    }
    tags.push(tag);
    if (openQuotes > 0) readAgain += tag.attributes.length;
    if (scanner.hasOpenQuote && ++openQuotes > openQuotesMax) break;
    at = text.indexOf('<', scanner.hasOpenQuote ? at + 1 : tag.end);
  }
  return tags;
}

const tagName = /<[\s\0]*(\/?[a-z][^\s\0/>"'=<]*)/iy;
const attributeName = /[\s\0/]*([^\s\0/>=][^\s\0/>=]*)?/y;
const equals = /[\s\0]*=[\s\0]*/y;
const bareValue = /[^\s\0>]*/y;

class TagScanner {
  readonly #text: string;
  #at: number;
  hasOpenQuote = false;

  constructor(text: string, at: number) {
    this.#text = text;
    this.#at = at;
  }

  read(attributesMax: number): Tag | undefined {
    const start = this.#at;
    const name = this.#match(tagName)?.[1];
    if (name === undefined) return undefined;
    const attributes: Attribute[] = [];
    while (
      this.#at < this.#text.length &&
      this.#text[this.#at] !== '>' &&
      attributes.length < attributesMax
    ) {
      spendSteps(stepsPerTag);
      const before = this.#at;
      const attribute = this.#readAttribute();
      if (attribute !== undefined) attributes.push(attribute);
      if (this.#at === before) this.#at++;
    }
    const isClosed = this.#text[this.#at] === '>';
    const end = isClosed ? this.#at + 1 : this.#at;
    return { name: name.toLowerCase(), attributes, start, end, isClosed };
  }

  #match(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text);
    if (found === null) return undefined;
    this.#at = pattern.lastIndex;
    return found;
  }

  #readAttribute(): Attribute | undefined {
    const name = this.#match(attributeName)?.[1];
    if (name === undefined) return undefined;
    const isSet = this.#match(equals) !== undefined;
    return { name: name.toLowerCase(), value: isSet ? decodeEntities(this.#readValue()) : '', isSet };
  }

  #readValue(): string {
    const quote = this.#text[this.#at];
    // Old browsers treated back quotes as quotes.
    if (quote !== '"' && quote !== "'") return this.#match(bareValue)![0];
    const end = this.#text.indexOf(quote, this.#at + 1);
    if (end === -1) {
      this.hasOpenQuote = true;
      const value = this.#text.slice(this.#at + 1);
      this.#at = this.#text.length;
      return value;
    }
    const value = this.#text.slice(this.#at + 1, end);
    this.#at = end + 1;
    return value;
  }
}
