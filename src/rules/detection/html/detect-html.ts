/**
 * Markup that runs code: script tags, event handlers, addresses with code, frames with their own pages, and text that
 * breaks out of its attribute. Markup of a text editor is none of these.
 */
import { type Detector, type DetectorReading, pickSurer } from '../finding.ts';
import { isScriptUrl } from './script-urls.ts';
import { listTags, type Tag } from './tags.ts';

export const detectHtml: Detector = (text) => {
  let found = text.includes('<') ? readTags(text) : undefined;
  if (found === undefined || found.confidence < 90) found = pickSurer(found, readBreakout(text));
  if (found === undefined || found.confidence < 90) found = pickSurer(found, readAddress(text));
  return found;
};

function readTags(text: string): DetectorReading | undefined {
  let found: DetectorReading | undefined;
  for (const tag of listTags(text)) {
    const judged = judgeTag(tag, text);
    if (judged === undefined) continue;
    const [confidence, why] = judged;
    const reading = { confidence, why, start: tag.start, end: tag.end };
    found = pickSurer(found, reading);
    if (found!.confidence >= 95) break;
  }
  return found;
}

type TagVerdict = readonly [confidence: number, why: string];

function judgeTag(tag: Tag, text: string): TagVerdict | undefined {
  const { name, attributes, isClosed } = tag;
  if (name === 'script' || name.endsWith(':script')) {
    // Neither an end, nor code, nor an address: a search for the tag name.
    if (!isClosed && attributes.every(({ value }) => value === '')) return undefined;
    const isHarmless = loadsNothingForeign(tag) && (isMention(text, tag.end) || isOfPage(tag, text));
    return [isHarmless ? 60 : 96, 'a script tag'];
  }
  for (const { name: attribute, value } of attributes) {
    if (/^on[a-z]{3,30}$/.test(attribute) && isHandler(value)) return [93, `an event handler, ${attribute},`];
    if (value !== '' && isActive(attribute) && isScriptUrl(value))
      return [95, `an address with code in ${attribute}`];
    if (attribute === 'style' && /expression\s*\(|-moz-binding|behaviou?r\s*:|javascript\s*:/i.test(value))
      return [90, 'code in a style'];
  }
  return judgeElement(tag, text);
}

/** `<script src="app.js" defer>` is a file of the site itself. */
function loadsNothingForeign({ attributes }: Tag): boolean {
  return attributes.every(({ name, value }) =>
    name === 'src'
      ? /^[\w./-]{1,80}\.m?js$/.test(value) && !value.startsWith('//')
      : /^(?:defer|async|type|id|crossorigin|nomodule)$/.test(name),
  );
}

/** Whether the text is a whole page, and the tag runs no inline code: it names a file, or contains data. */
function isOfPage({ end, attributes }: Tag, text: string): boolean {
  if (!/^\s{0,64}<(?:!doctype\s+html|html)\b/i.test(text)) return false;
  const isData = attributes.some(
    ({ name, value }) => name === 'type' && /^(?:importmap|application\/(?:ld\+)?json)$/.test(value),
  );
  return isData || /^\s{0,64}<\/script\s{0,8}>/i.test(text.slice(end, end + 90));
}

/** Whether a sentence mentions the tag: words around it, and no code after it. */
function isMention(text: string, end: number): boolean {
  const behind = text.slice(end, end + 2_000).split(/<\/\s*script/i, 1)[0]!;
  if (/[(=`[{\\;]|\w\.\w|%[0-9a-f]{2}|&#/i.test(behind)) return false;
  if (text !== last.text) last = { text, isSentence: words.test(replaceTags(text)) };
  return last.isSentence;
}

/** A cache for the last text: it may have thousands of tags. */
let last = { text: '', isSentence: false };

const words = /(?:^|[\s,])[a-z\x80-\xff]{2,}[,.]?\s+[a-z\x80-\xff]{2,}/i;

/** Replaces each tag by a word. */
function replaceTags(text: string): string {
  let replaced = '';
  let from = 0;
  for (let start = text.indexOf('<'); start !== -1; start = text.indexOf('<', from)) {
    const end = text.indexOf('>', start);
    if (end === -1) break;
    replaced += `${text.slice(from, start)} word `;
    from = end + 1;
  }
  return replaced + text.slice(from);
}

/** Any attribute may be animated into an address, so only those that show text are excluded. */
function isActive(attribute: string): boolean {
  return (
    attribute !== 'title' &&
    attribute !== 'alt' &&
    attribute !== 'placeholder' &&
    !attribute.startsWith('aria-')
  );
}

/** A handler calls, assigns or throws something. */
function isHandler(value: string): boolean {
  // `onClick={save}` is the page's own code.
  if (/^\s*\{/.test(value)) return false;
  return /[(`=;]|\bthrow\b|javascript:|^[\w.$]+$|\\/.test(value) && value.trim() !== '';
}

function judgeElement({ name, attributes, isClosed }: Tag, text: string): TagVerdict | undefined {
  const get = (wanted: string): string | undefined =>
    attributes.find((attribute) => attribute.name === wanted)?.value;
  switch (name) {
    case 'iframe':
    case 'frame':
      if (get('srcdoc') !== undefined) return [92, 'a frame with a page of its own'];
      return isForeign(get('src')) && !isPlayer(get('src')) ? [55, 'a frame with a foreign page'] : undefined;
    case 'object':
      return isOddObject(get('data')) ? [86, 'an object tag'] : undefined;
    case 'embed':
      return isOddObject(get('src') ?? get('code')) ? [86, 'an embed tag'] : undefined;
    case 'applet':
    case 'isindex':
    case 'bgsound':
      return attributes.length > 0 ? [86, `the tag ${name}`] : undefined;
    case 'base':
      return get('href') === undefined ? undefined : [85, 'another base for all addresses'];
    case 'meta':
      return /refresh|set-cookie/i.test(get('http-equiv') ?? '') ? [86, 'a redirection'] : undefined;
    case 'link':
      return /import|stylesheet/i.test(get('rel') ?? '') &&
        isForeign(get('href')) &&
        !/<html|<!doctype/i.test(text)
        ? [82, 'a foreign style sheet']
        : undefined;
    case 'style':
      return /@import\s*['"u]|expression\s*\(|-moz-binding|behaviou?r\s*:/i.test(text.slice(0, 4096)) &&
        isClosed
        ? [82, 'a style that loads or runs something']
        : undefined;
    case 'set':
    case 'animate':
    case 'animatetransform':
      return /^(?:xlink:)?href$|^on/i.test(get('attributename') ?? '')
        ? [92, 'an animated address']
        : undefined;
    case 'use':
      return /^\s*data:/i.test(get('href') ?? get('xlink:href') ?? '')
        ? [92, 'a page in a data: address']
        : undefined;
    default:
      return undefined;
  }
}

function isForeign(address: string | undefined): boolean {
  return address !== undefined && /^\s*(?:https?:)?[/\\]{2}/i.test(address);
}

/** Players that editors embed. */
function isPlayer(address: string | undefined): boolean {
  return (
    address !== undefined &&
    /^\s*https?:\/\/[^/]*(?:youtube|vimeo|google|spotify|soundcloud|codepen|dailymotion|facebook|twitter|instagram|microsoft|maps)/i.test(
      address,
    )
  );
}

function isOddObject(address: string | undefined): boolean {
  return (
    address !== undefined &&
    (/^\s*(?:data|javascript|vbscript):/i.test(address) ||
      /^\s*[/\\]{2}/.test(address) ||
      /\.(?:swf|svg|html?|js|xml|class|jar)\b/i.test(address))
  );
}

/** Text that ends an attribute and adds a handler: `" onfocus=alert(1) autofocus="`. */
const handler = /["'`\s/\0]on[a-z]{3,30}[\s\0]*=[\s\0]*(["'`]?)([^\0]{1,200})/i;

function readBreakout(text: string): DetectorReading | undefined {
  const quote = /["'`]/.exec(text)?.index ?? (/^[^\s<>]{0,40}\son/i.test(text) ? 0 : -1);
  if (quote === -1 || !/\bon[a-z]{3,30}[\s\0]*=/i.test(text)) return undefined;
  const found = handler.exec(text.slice(quote));
  if (found === null) return undefined;
  const code = found[2]!;
  // A sentence has words after the equals sign, code has a call, an assignment or an address.
  if (!/^[\w$.[\]\\"'+/ -]{0,80}(?:[(`]|=[^=])/.test(code) || /^[a-z]+ [a-z]+ [a-z]+/i.test(code))
    return undefined;
  const start = quote + found.index;
  // A program's own variable.
  if (/(?:\b(?:var|let|const)|[,{])$/.test(text.slice(0, start).trimEnd())) return undefined;
  return {
    confidence: 90,
    why: 'an event handler behind the end of an attribute',
    start,
    end: start + found[0].length,
  };
}

function readAddress(text: string): DetectorReading | undefined {
  if (!text.includes(':') || !isScriptUrl(text)) return undefined;
  return { confidence: 92, why: 'an address with code in it', start: 0, end: Math.min(text.length, 80) };
}
