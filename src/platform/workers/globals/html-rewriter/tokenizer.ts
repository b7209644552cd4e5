/**
 * Tokenizes HTML incrementally: tags, text, comments and doctypes, each with its source. An incomplete token waits for
 * the rest; text does not wait. Anything that is not a tag by the rules of HTML is text, so that nothing is lost.
 */
import { htmlTokenCharactersMax } from '../../limits.ts';

export type Token =
  | { readonly kind: 'text'; readonly raw: string }
  | { readonly kind: 'comment'; readonly raw: string; readonly text: string }
  | { readonly kind: 'doctype'; readonly raw: string }
  | { readonly kind: 'end'; readonly raw: string; readonly name: string }
  | {
      readonly kind: 'start';
      readonly raw: string;
      /** In lower case. */
      readonly name: string;
      readonly attributes: readonly SourceAttribute[];
      readonly isSelfClosing: boolean;
    };

export interface SourceAttribute {
  /** In lower case. */
  readonly name: string;
  readonly sourceName: string;
  /** As written: references are not resolved. */
  readonly value: string;
  readonly raw: string;
}

/** Their content is text up to their end tag. */
const rawTextElements: ReadonlySet<string> = new Set([
  'script',
  'style',
  'textarea',
  'title',
  'xmp',
  'iframe',
  'noembed',
  'noframes',
]);

/** Shorter tokens are parsed again with each piece. */
const eagerCharactersMax = 4_096;

const tagName = /[a-zA-Z][^\s/>]*/y;
const attributePattern = /[\s/]*([^\s/>=][^\s/>=]*)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>]*)))?/y;

export class HtmlTokenizer {
  #rest = '';
  /** The open element whose content is text, if there is one. */
  #rawText: string | undefined;
  /** The length that the waiting input must reach before it is parsed again. */
  #readLength = 0;

  /** The tokens that are complete with this piece. */
  *add(piece: string): Generator<Token> {
    this.#rest += piece;
    if (this.#rest.length >= this.#readLength) {
      yield* this.#read(false);
      const { length } = this.#rest;
      // A long tag in small pieces is not parsed from its start with each of them.
      this.#readLength = length < eagerCharactersMax ? 0 : length + length / 8;
    }
    if (this.#rest.length > htmlTokenCharactersMax) {
      throw new TypeError(`a tag or comment is longer than ${htmlTokenCharactersMax} characters`);
    }
  }

  /** The rest is text, or an unclosed comment. */
  *end(): Generator<Token> {
    yield* this.#read(true);
    if (this.#rest === '') return;
    const raw = this.#rest;
    this.#rest = '';
    yield raw.startsWith('<!--') ? { kind: 'comment', raw, text: raw.slice(4) } : { kind: 'text', raw };
  }

  *#read(isLast: boolean): Generator<Token> {
    for (;;) {
      const at = this.#findMarkup();
      if (at !== 0) {
        const raw = this.#cut(at === -1 ? this.#rest.length - this.#countDoubtful(isLast) : at);
        if (raw !== '') yield { kind: 'text', raw };
        if (at === -1) return;
      }
      const token = this.#readMarkup();
      if (token === undefined) return;
      yield token;
    }
  }

  /** Where the next tag, comment or doctype starts; -1 if nowhere yet. */
  #findMarkup(): number {
    if (this.#rawText !== undefined) {
      return this.#rest.search(new RegExp(`</${this.#rawText}(?=[\\s/>])`, 'i'));
    }
    return this.#rest.search(/<(?:[a-zA-Z]|\/[a-zA-Z]|!|\?)/);
  }

  /** Characters at the end that may be the start of a tag. */
  #countDoubtful(isLast: boolean): number {
    if (isLast) return 0;
    const last = this.#rest.lastIndexOf('<');
    if (last === -1) return 0;
    const tail = this.#rest.slice(last).toLowerCase();
    const begin = this.#rawText === undefined ? '</' : `</${this.#rawText}`;
    return begin.startsWith(tail) ? tail.length : 0;
  }

  /** Undefined if it is incomplete. */
  #readMarkup(): Token | undefined {
    const rest = this.#rest;
    if (rest.startsWith('<!--')) return this.#readComment(rest);
    if (/^<(?:!|\?)/.test(rest)) return this.#readDeclaration(rest);
    return rest[1] === '/' ? this.#readEndTag(rest) : this.#readStartTag(rest);
  }

  #readComment(rest: string): Token | undefined {
    // A comment that is closed immediately.
    const short = /^<!--(?:-?>)/.exec(rest);
    const end = short === null ? rest.indexOf('-->', 4) : short[0].length - 3;
    if (end === -1) return undefined;
    const raw = this.#cut(end + 3);
    return { kind: 'comment', raw, text: short === null ? raw.slice(4, -3) : '' };
  }

  #readDeclaration(rest: string): Token | undefined {
    const end = rest.indexOf('>');
    if (end === -1 || (rest.length < 4 && '<!--'.startsWith(rest))) return undefined;
    const raw = this.#cut(end + 1);
    if (/^<!doctype/i.test(raw)) return { kind: 'doctype', raw };
    // As browsers do: `<?php ... >` and `<!else>` are comments.
    return { kind: 'comment', raw, text: raw.slice(raw[1] === '?' ? 1 : 2, -1) };
  }

  #readEndTag(rest: string): Token | undefined {
    const end = rest.indexOf('>');
    if (end === -1) return undefined;
    const raw = this.#cut(end + 1);
    this.#rawText = undefined;
    tagName.lastIndex = 2;
    return { kind: 'end', raw, name: tagName.exec(raw)![0].toLowerCase() };
  }

  #readStartTag(rest: string): Token | undefined {
    tagName.lastIndex = 1;
    const name = tagName.exec(rest)![0].toLowerCase();
    const attributes: SourceAttribute[] = [];
    const seen = new Set<string>();
    let at = tagName.lastIndex;
    for (;;) {
      attributePattern.lastIndex = at;
      const found = attributePattern.exec(rest);
      if (found === null) break;
      at = attributePattern.lastIndex;
      const attribute = found[1]!.toLowerCase();
      // The first of several attributes of the same name counts.
      if (seen.has(attribute)) continue;
      seen.add(attribute);
      const value = found[2] ?? found[3] ?? found[4] ?? '';
      attributes.push({
        name: attribute,
        value,
        sourceName: found[1]!,
        raw: found[0].replace(/^[\s/]+/, ''),
      });
    }
    const end = /[\s/]*>/y;
    end.lastIndex = at;
    const closing = end.exec(rest);
    // Also inside of a quoted value: the pattern stops at its quote.
    if (closing === null) return undefined;
    const raw = this.#cut(end.lastIndex);
    if (rawTextElements.has(name)) this.#rawText = name;
    return { kind: 'start', raw, name, attributes, isSelfClosing: closing[0].includes('/') };
  }

  #cut(length: number): string {
    const cut = this.#rest.slice(0, length);
    this.#rest = this.#rest.slice(length);
    return cut;
  }
}
