/**
 * Tokenizes HTML incrementally: tags, text, comments and doctypes, each with its source, as lol-html does in workerd. An
 * incomplete token waits for the rest, text does not. So the tokens do not depend on how the document is cut.
 */
import { htmlTokenCharactersMax } from '../../limits.ts';
import { ParsingContext } from './parsing-context.ts';

export type Token =
  | { readonly kind: 'text'; readonly raw: string }
  | { readonly kind: 'comment'; readonly raw: string; readonly text: string }
  | { readonly kind: 'doctype'; readonly raw: string }
  /** Markup that no handler sees: `</>`, the marks around a CDATA section, a tag that the document ends in. */
  | { readonly kind: 'other'; readonly raw: string }
  | { readonly kind: 'end'; readonly raw: string; readonly name: string }
  | {
      readonly kind: 'start';
      readonly raw: string;
      /** In lower case. */
      readonly name: string;
      readonly sourceName: string;
      readonly attributes: readonly SourceAttribute[];
      readonly isSelfClosing: boolean;
      readonly namespace: string;
    };

export interface SourceAttribute {
  /** In lower case. */
  readonly name: string;
  readonly sourceName: string;
  /** As written: references are not resolved. */
  readonly value: string;
  readonly raw: string;
}

/** Shorter tokens are parsed again with each piece. */
const eagerCharactersMax = 4_096;

const markup = /<(?:[a-z!?]|\/[^])/i;
const tagName = /<\/?([a-z][^\t\n\f\r />]*)(?=[\t\n\f\r />])/iy;
/** Fails if more could follow, so that a value never ends where a piece ends. */
const attributePattern =
  /[\t\n\f\r /]*([^\t\n\f\r />][^\t\n\f\r />=]*)(?=[\t\n\f\r />=])(?:[\t\n\f\r ]*=[\t\n\f\r ]*(?:"([^"]*)"|'([^']*)'|([^\t\n\f\r "'>][^\t\n\f\r >]*)(?=[\t\n\f\r >])|(?=>))|(?![\t\n\f\r ]*=)(?=[\t\n\f\r ]*[^\t\n\f\r ]))/y;
const tagEnd = /[\t\n\f\r /]*>/y;
const scriptMarks = /<!(?=--)|-->|<(\/?)script(?=[\t\n\f\r />])/gi;

export class HtmlTokenizer {
  readonly #context = new ParsingContext();
  #rest = '';
  /** The element whose content is text up to its end tag, if there is one; `plaintext` has no end. */
  #rawText: string | undefined;
  /** In a script after `<!--`, and there after `<script>`, whose end tag does not end the outer one. */
  #script: 'plain' | 'escaped' | 'escaped twice' = 'plain';
  #isCdata = false;
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

  *end(): Generator<Token> {
    yield* this.#read(true);
    const raw = this.#cut(this.#rest.length);
    if (raw === '') return;
    const comment = /^<(?:!--|!(?!doctype)|(?=\?)|\/(?![a-z]))/i.exec(raw);
    if (raw === '<' || raw === '</') yield { kind: 'text', raw };
    else if (comment !== null) {
      const text = raw.slice(comment[0].length);
      yield { kind: 'comment', raw, text: comment[0] === '<!--' ? text.replace(/--?!?$/, '') : text };
    } else if (raw[1] === '!') yield { kind: 'doctype', raw };
    else yield { kind: 'other', raw };
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

  /** Where the next markup starts; -1 if nowhere yet. */
  #findMarkup(): number {
    if (this.#isCdata) return this.#rest.indexOf(']]>');
    if (this.#rawText === undefined) return this.#rest.search(markup);
    if (this.#rawText === 'plaintext') return -1;
    if (this.#rawText === 'script') return this.#findScriptEnd();
    return this.#rest.search(new RegExp(`</${this.#rawText}(?=[\\t\\n\\f\\r />])`, 'i'));
  }

  #findScriptEnd(): number {
    for (const { 0: mark, 1: slash, index } of this.#rest.matchAll(scriptMarks)) {
      if (mark === '-->') this.#script = 'plain';
      else if (mark === '<!') this.#script = this.#script === 'plain' ? 'escaped' : this.#script;
      else if (slash === '') this.#script = this.#script === 'escaped' ? 'escaped twice' : this.#script;
      else if (this.#script === 'escaped twice') this.#script = 'escaped';
      else return index;
    }
    return -1;
  }

  /** Characters at the end that may be the start of markup. */
  #countDoubtful(isLast: boolean): number {
    if (isLast) return 0;
    const doubtful = this.#isCdata
      ? /\]{1,2}$/
      : this.#rawText === undefined
        ? /<\/?$/
        : /<(?:\/?[a-z]{0,10}|!-?)$|--?$/i;
    return doubtful.exec(this.#rest)?.[0].length ?? 0;
  }

  /** Undefined if it is incomplete. */
  #readMarkup(): Token | undefined {
    const rest = this.#rest;
    if (this.#isCdata) {
      this.#isCdata = false;
      return { kind: 'other', raw: this.#cut(3) };
    }
    if (rest[1] === '!') return this.#readDeclaration(rest);
    if (rest[1] === '?') return this.#readBogusComment(rest, 1);
    if (rest.startsWith('</>')) return { kind: 'other', raw: this.#cut(3) };
    if (/^<\/[^a-z]/i.test(rest)) return this.#readBogusComment(rest, 2);
    return this.#readTag(rest);
  }

  #readDeclaration(rest: string): Token | undefined {
    if (rest.startsWith('<!--')) return this.#readComment(rest);
    const cdata = '<![CDATA[';
    if (this.#context.isForeign && rest.startsWith(cdata)) {
      this.#isCdata = true;
      return { kind: 'other', raw: this.#cut(cdata.length) };
    }
    const isUndecided = (known: string): boolean => rest.length < known.length && known.startsWith(rest);
    if (isUndecided('<!--') || (this.#context.isForeign && isUndecided(cdata))) return undefined;
    if (!/^<!doctype/i.test(rest)) return this.#readBogusComment(rest, 2);
    const end = rest.indexOf('>');
    return end === -1 ? undefined : { kind: 'doctype', raw: this.#cut(end + 1) };
  }

  #readComment(rest: string): Token | undefined {
    const opening = '<!--'.length;
    // The first is closed immediately.
    const empty = /^<!---?>/.exec(rest)?.[0].length;
    const end = /--!?>/.exec(rest.slice(opening));
    if (empty === undefined && end === null) return undefined;
    const textLength = empty === undefined ? end!.index : 0;
    const raw = this.#cut(empty ?? opening + textLength + end![0].length);
    return { kind: 'comment', raw, text: raw.slice(opening, opening + textLength) };
  }

  /** As browsers do: `<?php ... >`, `<!else>` and `</ p>` are comments. */
  #readBogusComment(rest: string, start: number): Token | undefined {
    const end = rest.indexOf('>');
    if (end === -1) return undefined;
    const raw = this.#cut(end + 1);
    return { kind: 'comment', raw, text: raw.slice(start, -1) };
  }

  #readTag(rest: string): Token | undefined {
    tagName.lastIndex = 0;
    const sourceName = tagName.exec(rest)?.[1];
    if (sourceName === undefined) return undefined;
    const attributes: SourceAttribute[] = [];
    let at = tagName.lastIndex;
    for (;;) {
      attributePattern.lastIndex = at;
      const found = attributePattern.exec(rest);
      if (found === null) break;
      at = attributePattern.lastIndex;
      const [text, written, ...values] = found as string[] as [string, string, ...string[]];
      const value = values.find((each) => each !== undefined);
      // Without a value, an equals sign would take the next attribute as one.
      const raw = value === undefined ? written : text.slice(text.indexOf(written));
      attributes.push({ name: written.toLowerCase(), value: value ?? '', sourceName: written, raw });
    }
    tagEnd.lastIndex = at;
    const closing = tagEnd.exec(rest);
    if (closing === null) return undefined;
    const raw = this.#cut(tagEnd.lastIndex);
    const name = sourceName.toLowerCase();
    if (raw[1] === '/') {
      this.#rawText = undefined;
      this.#script = 'plain';
      this.#context.close(name);
      return { kind: 'end', raw, name };
    }
    const isSelfClosing = closing[0].endsWith('/>');
    const { namespace, rawText } = this.#context.open({ name, attributes, isSelfClosing });
    this.#rawText = rawText;
    return { kind: 'start', raw, name, sourceName, attributes, isSelfClosing, namespace };
  }

  #cut(length: number): string {
    const cut = this.#rest.slice(0, length);
    this.#rest = this.#rest.slice(length);
    return cut;
  }
}
