/**
 * Whether a value would run script in a page. It is read as text between tags, as an unquoted attribute value, and as
 * an attribute value in either quote, as a browser would.
 */

const activeTags = new Set(
  'applet base comment embed frame frameset handler iframe import isindex link listener meta noscript object script style vmlframe xml xss svg math template form'.split(
    ' ',
  ),
);

const urlAttributes = new Set(
  'action background by data datasrc dynsrc filter folder formaction from handler href lowsrc poster source src srcdoc to values xlink:href'.split(
    ' ',
  ),
);

const deniedAttributes = new Set(
  'datasrc datafld dataformatas style xmlns xlink:href formaction srcdoc'.split(' '),
);

/** Every value with a tag, an attribute or a scheme contains one of these. */
export const signsOfMarkup: readonly string[] = ['<', '=', ':'];

/** The evidence: a tag, an attribute, a scheme; `undefined` if there is none. */
export function findScript(value: string): string | undefined {
  if (!signsOfMarkup.some((sign) => value.includes(sign))) return undefined;
  const inText = findInText(value);
  if (inText !== undefined) return inText;
  for (const quote of ['', "'", '"', '`']) {
    const end = quote === '' ? value.search(/[\s>]/) : value.indexOf(quote);
    if (end === -1) continue;
    const found = readAttributes(value, end + (quote === '' ? 0 : 1)).found;
    if (found !== undefined) return found;
  }
  return undefined;
}

function findInText(value: string): string | undefined {
  for (let at = value.indexOf('<'); at !== -1; at = value.indexOf('<', at + 1)) {
    const next = value[at + 1];
    if (next === undefined) return undefined;
    if (next === '!' || next === '?' || next === '%') {
      const found = judgeDeclaration(value.slice(at + 1, at + 40));
      if (found !== undefined) return found;
      continue;
    }
    const head = /^\/?\0*([A-Za-z][A-Za-z0-9:_\0-]*)/.exec(value.slice(at + 1, at + 64));
    if (head === null) continue;
    const tag = head[1]!.replaceAll('\0', '').toLowerCase();
    if (next !== '/' && (activeTags.has(tag) || /^(?:svg|xsl)/.test(tag))) return `<${tag}`;
    const { found, end } = readAttributes(value, at + 1 + head[0].length);
    if (found !== undefined) return found;
    at = Math.max(at, end - 1);
  }
  return undefined;
}

function judgeDeclaration(text: string): string | undefined {
  if (/^!doctype/i.test(text)) return '<!doctype';
  if (/^!--[^]*?(?:`|\[if|xml)/i.test(text)) return '<!--';
  if (/^!entity/i.test(text)) return '<!entity';
  return /^\?(?:import|xml-stylesheet)/i.test(text) ? `<${text.slice(0, 8)}` : undefined;
}

/** Attributes up to the end of the tag. */
function readAttributes(
  value: string,
  from: number,
): { readonly found: string | undefined; readonly end: number } {
  const attribute =
    /[\s/\0"'`]*([^\s/>="'`\0<][^\s/>=]*)(?:[\s\0]*=[\s\0]*(?:"([^"]*)"?|'([^']*)'?|`([^`]*)`?|([^\s>]*)))?/y;
  let at = from;
  for (let count = 0; count < 200 && at < value.length; count++) {
    attribute.lastIndex = at;
    const part = attribute.exec(value);
    if (part === null) break;
    at = attribute.lastIndex;
    const name = part[1]!.replaceAll('\0', '').toLowerCase();
    const text = part[2] ?? part[3] ?? part[4] ?? part[5];
    if (text === undefined) continue;
    if (/^on[a-z]{3,}$/.test(name)) return { found: name, end: at };
    if (deniedAttributes.has(name)) return { found: name, end: at };
    if (urlAttributes.has(name) && isActiveUrl(text))
      return { found: `${name}=${text.slice(0, 20)}`, end: at };
  }
  return { found: undefined, end: at };
}

function isActiveUrl(text: string): boolean {
  const plain = decodeEntities(text.slice(0, 200))
    .replaceAll(/[\0-\x20\x7f]/g, '')
    .toLowerCase();
  return /^(?:javascript|vbscript|data|view-source|livescript|mocha):/.test(plain);
}

function decodeEntities(text: string): string {
  return text.replaceAll(
    /&#(?:[xX]0*([0-9A-Fa-f]{1,4})|0*([0-9]{1,5}));?/g,
    (_, hex: string | undefined, decimal: string) =>
      String.fromCharCode(hex === undefined ? Number.parseInt(decimal, 10) : Number.parseInt(hex, 16)),
  );
}
