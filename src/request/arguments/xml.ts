/** The text and the attribute values of an XML document. Entities are the five of XML and numbers; none is declared. */
import { argumentsMax } from './argument.ts';

export interface XmlTexts {
  /** All text between tags, in order. */
  readonly text: string;
  readonly attributes: readonly string[];
  /** Why the text is no XML. What was read before the error is there all the same. */
  readonly error: string | undefined;
}

const named: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" };

export function readXml(body: string): XmlTexts {
  return new XmlReader(body).read();
}

/** Looks at each byte a bounded number of times, whatever the document. */
class XmlReader {
  readonly #body: string;
  readonly #texts: string[] = [];
  readonly #attributes: string[] = [];
  #at = 0;
  #depth = 0;
  #elements = 0;

  constructor(body: string) {
    this.#body = body;
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
      this.#texts.push(decodeEntities(body.slice(this.#at, end)));
      this.#at = end;
      return undefined;
    }
    if (body.startsWith('<!--', this.#at)) return this.#skipTo('-->', 'a comment');
    if (body.startsWith('<![CDATA[', this.#at)) {
      const start = this.#at + 9;
      const error = this.#skipTo(']]>', 'a CDATA section');
      this.#texts.push(body.slice(start, error === undefined ? this.#at - 3 : body.length));
      return error;
    }
    if (body.startsWith('<?', this.#at)) return this.#skipTo('?>', 'an instruction');
    if (body.startsWith('<!', this.#at)) return this.#skipDeclaration();
    return this.#readTag();
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
      // The search for the end begins two bytes on, as behind `<!`.
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
    for (;;) {
      const character = body[this.#at];
      if (character === undefined) return 'a tag is not closed';
      if (character === '>') break;
      if (character === '"' || character === "'") {
        const end = body.indexOf(character, this.#at + 1);
        if (end === -1) return 'the value of an attribute is not closed';
        if (this.#attributes.length < argumentsMax) {
          this.#attributes.push(decodeEntities(body.slice(this.#at + 1, end)));
        }
        this.#at = end;
      }
      this.#at++;
    }
    const isEmpty = body[this.#at - 1] === '/';
    this.#at++;
    if (isClosing) return --this.#depth < 0 ? `${found[0]}> closes an element that is not open` : undefined;
    this.#elements++;
    if (!isEmpty) this.#depth++;
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
