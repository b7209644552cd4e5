/** The text and the attribute values of an XML document. Entities are the five of XML and numbers; none is declared. */
import { argumentsMax } from './argument.ts';

export interface XmlTexts {
  /** All text between tags, in order. */
  readonly text: string;
  readonly attributes: readonly string[];
  readonly error: string | undefined;
}

const named: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" };

export function readXml(body: string): XmlTexts {
  const attributes: string[] = [];
  const texts: string[] = [];
  let depth = 0;
  let elements = 0;
  const token =
    /<!--[^]*?-->|<!\[CDATA\[([^]*?)\]\]>|<\?[^]*?\?>|<!DOCTYPE[^[>]*(?:\[[^\]]*\])?[^>]*>|<(\/?)([^\s/>!?]+)([^>"']*(?:"[^"]*"|'[^']*'|[^>"'])*?)(\/?)>|([^<]+)/giy;
  let at = 0;
  while (at < body.length) {
    token.lastIndex = at;
    const found = token.exec(body);
    if (found === null) return { text: texts.join(''), attributes, error: `unexpected text at byte ${at}` };
    at = token.lastIndex;
    const [, data, closing, name, inside, selfClosing, text] = found;
    if (data !== undefined) texts.push(data);
    else if (text !== undefined) texts.push(decodeEntities(text));
    else if (name !== undefined) {
      if (closing === '/') depth--;
      else {
        elements++;
        if (selfClosing !== '/') depth++;
        collectAttributes(inside!, attributes);
      }
      if (depth < 0) return { text: texts.join(''), attributes, error: `element ${name} is closed but not open` };
    }
  }
  const error = elements === 0 ? 'there is no element' : depth > 0 ? 'an element is not closed' : undefined;
  return { text: texts.join(''), attributes, error };
}

function collectAttributes(inside: string, attributes: string[]): void {
  for (const [, double, single] of inside.matchAll(/=\s*(?:"([^"]*)"|'([^']*)')/g)) {
    if (attributes.length >= argumentsMax) return;
    attributes.push(decodeEntities(double ?? single!));
  }
}

function decodeEntities(text: string): string {
  return text.replaceAll(
    /&(?:#[xX]([0-9A-Fa-f]{1,8})|#([0-9]{1,8})|(lt|gt|amp|quot|apos));/g,
    (whole, hex: string | undefined, decimal: string | undefined, name: string | undefined) => {
      if (name !== undefined) return named[name]!;
      const code = hex === undefined ? Number.parseInt(decimal!, 10) : Number.parseInt(hex, 16);
      return code > 0x10ffff ? whole : Buffer.from(String.fromCodePoint(code), 'utf8').toString('latin1');
    },
  );
}
