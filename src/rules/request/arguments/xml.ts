/** The texts and attributes of an XML document. Entities are the five of XML and numbers; declarations are ignored. */
import type { PartKind } from '../named-part.ts';
import { argumentsMax } from '../limits.ts';

export interface XmlTexts {
  /** All text between tags, in order. */
  readonly text: string;
  readonly attributes: readonly string[];
  /** Why the text is not valid XML. The part before the error is returned nevertheless. */
  readonly error: string | undefined;
}

const named: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" };

interface XmlPart {
  readonly kind: Extract<PartKind, 'XML text' | 'XML attribute'>;
  /** The path of the element: `order/item`, followed by `@id` for an attribute. */
  readonly name: string;
  /** With its entities decoded. */
  readonly value: string;
  /** The offset of the value as written. */
  readonly start: number;
  readonly end: number;
}

type XmlVisitor = (part: XmlPart) => void;

/** Also by its content: many applications ignore the type. */
export function looksLikeXml(mediaType: string, body: string): boolean {
  return /^\s{0,64}<[?!a-z]/i.test(body) && !mediaType.endsWith('html');
}

export function readXml(body: string): XmlTexts {
  return new XmlReader(body).read();
}

/** Text before an error is visited nevertheless. */
export function visitXml(body: string, visit: XmlVisitor): void {
  new XmlReader(body, visit).read();
}

/** Length of the path of an element: deeper ones have the name of their container. */
const namesMax = 32;

/** Reads each byte a bounded number of times, whatever the document. */
class XmlReader {
  readonly #body: string;
  readonly #texts: string[] = [];
  readonly #attributes: string[] = [];
  readonly #visit: XmlVisitor | undefined;
  /** The elements that are open. */
  readonly #names: string[] = [];
  /** The text of an element, in the pieces between comments, instructions and sections. */
  #pieces: string[] = [];
  #piecesAt = 0;
  #at = 0;
  #depth = 0;
  #elements = 0;

  constructor(body: string, visit?: XmlVisitor) {
    this.#body = body;
    this.#visit = visit;
  }

  read(): XmlTexts {
    let error: string | undefined;
    while (error === undefined && this.#at < this.#body.length) error = this.#step();
    if (this.#elements === 0) error ??= 'there is no element';
    if (this.#depth > 0) error ??= 'an element is not closed';
    return { text: this.#texts.join(''), attributes: this.#attributes, error };
  }

  #step(): string | undefined {
    const body = this.#body;
    if (body[this.#at] !== '<') {
      const end = indexOrEnd(body, '<', this.#at);
      this.#addText(decodeEntities(body.slice(this.#at, end)), this.#at, end);
      this.#at = end;
      return undefined;
    }
    if (body.startsWith('<!--', this.#at)) return this.#skipTo('-->', 'a comment');
    if (body.startsWith('<![CDATA[', this.#at)) {
      const start = this.#at + 9;
      const error = this.#skipTo(']]>', 'a CDATA section');
      const end = error === undefined ? this.#at - 3 : body.length;
      this.#addText(body.slice(start, end), start, end);
      return error;
    }
    if (body.startsWith('<?', this.#at)) return this.#skipTo('?>', 'an instruction');
    if (body.startsWith('<!', this.#at)) return this.#skipDeclaration();
    this.#joinPieces();
    return this.#readTag();
  }

  #addText(value: string, start: number, end: number): void {
    this.#texts.push(value);
    if (this.#visit === undefined || value.trim() === '') return;
    this.#visit({ kind: 'XML text', name: this.#names.join('/'), value, start, end });
    if (this.#pieces.length === 0) this.#piecesAt = start;
    this.#pieces.push(value);
  }

  /** A parser treats all text up to the next tag as one. */
  #joinPieces(): void {
    if (this.#pieces.length > 1)
      this.#visit!({
        kind: 'XML text',
        name: this.#names.join('/'),
        value: this.#pieces.join(''),
        start: this.#piecesAt,
        end: this.#at,
      });
    if (this.#pieces.length > 0) this.#pieces = [];
  }

  /** `name`: the path of the element with the name of the attribute. */
  #addAttribute(name: string, start: number, end: number): void {
    const value = decodeEntities(this.#body.slice(start, end));
    if (this.#attributes.length < argumentsMax) this.#attributes.push(value);
    // The rest is one value, so that nothing is skipped.
    else if (this.#attributes.length === argumentsMax) this.#attributes.push(this.#body.slice(start));
    this.#visit?.({ kind: 'XML attribute', name: [...this.#names, name].join('/'), value, start, end });
  }

  #skipTo(end: string, what: string): string | undefined {
    const found = this.#body.indexOf(end, this.#at + 2);
    if (found === -1) {
      this.#at = this.#body.length;
      return `${what} is not closed`;
    }
    this.#at = found + end.length;
    return undefined;
  }

  /** A document type, whose entities are not read. */
  #skipDeclaration(): string | undefined {
    const open = this.#body.indexOf('[', this.#at);
    const close = this.#body.indexOf('>', this.#at);
    if (open !== -1 && open < close) {
      const error = this.#skipTo(']', 'a document type');
      if (error !== undefined) return error;
      // The search for the end starts two bytes later, as after `<!`.
      this.#at -= 2;
    }
    return this.#skipTo('>', 'a declaration');
  }

  #readTag(): string | undefined {
    const body = this.#body;
    const name = /<\/?[^\s/>!?<"'=]+/y;
    name.lastIndex = this.#at;
    const found = name.exec(body);
    if (found === null) return `unexpected text at byte ${this.#at}`;
    this.#at = name.lastIndex;
    const isClosing = found[0].startsWith('</');
    const tag = found[0].slice(isClosing ? 2 : 1);
    let nameAt = this.#at;
    for (;;) {
      const character = body[this.#at];
      if (character === undefined) return 'a tag is not closed';
      if (character === '>') break;
      if (character === '"' || character === "'") {
        const end = body.indexOf(character, this.#at + 1);
        if (end === -1) return 'the value of an attribute is not closed';
        const name = body
          .slice(nameAt, this.#at)
          .replaceAll(/[\s=/]+/g, '')
          .slice(0, 80);
        this.#addAttribute(`${tag}@${name}`, this.#at + 1, end);
        nameAt = end + 1;
        this.#at = end;
      }
      this.#at++;
    }
    const isEmpty = body[this.#at - 1] === '/';
    this.#at++;
    if (isClosing) {
      if (this.#depth <= namesMax) this.#names.pop();
      return --this.#depth < 0 ? `${found[0]}> closes an element that is not open` : undefined;
    }
    this.#elements++;
    if (!isEmpty && ++this.#depth <= namesMax) this.#names.push(tag);
    return undefined;
  }
}

function indexOrEnd(text: string, part: string, from: number): number {
  const at = text.indexOf(part, from);
  return at === -1 ? text.length : at;
}

function decodeEntities(text: string): string {
  if (!text.includes('&')) return text;
  return text.replaceAll(
    /&(?:#[xX]([0-9A-Fa-f]{1,8})|#([0-9]{1,8})|(lt|gt|amp|quot|apos));/g,
    (whole, hex: string | undefined, decimal: string | undefined, name: string | undefined) => {
      if (name !== undefined) return named[name]!;
      const code = hex === undefined ? Number.parseInt(decimal!, 10) : Number.parseInt(hex, 16);
      return code > 0x10ffff ? whole : Buffer.from(String.fromCodePoint(code), 'utf8').toString('latin1');
    },
  );
}
