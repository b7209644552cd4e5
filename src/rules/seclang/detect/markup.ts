/**
 * Whether a value would run script in a page. It is read as text between tags, as an unquoted attribute value, and as
 * an attribute value in each quote, as a browser would.
 */
import { type Attribute, listTags } from '#detection';

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
  // Some browsers drop zeros, others take them for spaces.
  const plain = value.replaceAll('\0', '');
  return findIn(value) ?? (plain === value ? undefined : findIn(plain));
}

function findIn(value: string): string | undefined {
  const inText = findDeclaration(value) ?? findTag(value);
  if (inText !== undefined) return inText;
  if (/[\s>]/.test(value)) {
    const found = findInAttribute(`<a b=a${value}`);
    if (found !== undefined) return found;
  }
  for (const quote of ["'", '"', '`']) {
    if (!value.includes(quote)) continue;
    // Old browsers take back quotes for quotes.
    const text = quote === '`' ? value.replaceAll('`', '"') : value;
    const found = findInAttribute(`<a b=${quote === '`' ? '"' : quote}${text}`);
    if (found !== undefined) return found;
  }
  return undefined;
}

function findTag(value: string): string | undefined {
  if (!value.includes('<')) return undefined;
  for (const { name, attributes, start } of listTags(value)) {
    // "a < b" compares.
    if (/\s/.test(value[start + 1]!)) continue;
    // A filter that removes inner tags makes a tag of `<scr<script>ipt>`.
    const inner = attributes.find((each) => each.name.startsWith('<'))?.name.slice(1);
    const active = [name, inner].find((each) => each !== undefined && isActive(each));
    if (active !== undefined) return `<${active}`;
    const found = findActive(attributes);
    if (found !== undefined) return found;
  }
  return undefined;
}

function isActive(tag: string): boolean {
  return activeTags.has(tag) || /^(?:svg|xsl)/.test(tag);
}

/** What the rest of a tag does whose last attribute is open. */
function findInAttribute(text: string): string | undefined {
  return findActive(listTags(text)[0]!.attributes.slice(1));
}

const declaration = /<(?:!doctype|!entity|\?import|\?xml-stylesheet|!--(?=[^]{0,36}(?:`|\[if|xml)))/i;

function findDeclaration(value: string): string | undefined {
  return declaration.exec(value)?.[0];
}

function findActive(attributes: readonly Attribute[]): string | undefined {
  for (const { name: written, value, isSet } of attributes) {
    if (!isSet) continue;
    const name = written.replace(/^["'`]+/, '');
    if (/^on[a-z]{3,}$/.test(name) || deniedAttributes.has(name)) return name;
    if (urlAttributes.has(name) && isActiveUrl(value)) return `${name}=${value.slice(0, 20)}`;
  }
  return undefined;
}

function isActiveUrl(text: string): boolean {
  const plain = text
    .slice(0, 200)
    .replaceAll(/[\0-\x20\x7f]/g, '')
    .toLowerCase();
  return /^(?:javascript|vbscript|data|view-source|livescript|mocha):/.test(plain);
}
