/** Literals in their canonical spelling. */
import type { BytesLiteral, IntRange, IpRange, Literal, RegexLiteral, WildcardLiteral } from '../ast.ts';
import { formatIp, isEqualIp } from '#addresses';
import { textOf } from '#text';

export function formatLiteral(literal: Literal): string {
  switch (literal.kind) {
    case 'Int':
      return String(literal.exact);
    case 'Ip':
      return formatIp(literal.value);
    default:
      return formatBytes(literal);
  }
}

/** A raw string stays raw, because the user chose it for readability. Bytes are upper-case pairs with colons. */
export function formatBytes({ value, form }: BytesLiteral): string {
  if (form === 'bytes') return formatByteString(value);
  const text = textOf(value);
  return form === 'raw' && text !== undefined ? formatRaw(text) : quoteBytes(value);
}

function formatByteString(bytes: string): string {
  const pairs = Array.from(bytes, (byte) => byte.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0'));
  return pairs.join(':');
}

/** In quotes, with escapes for control characters and for bytes that are not UTF-8. */
export function quoteBytes(bytes: string): string {
  const text = textOf(bytes);
  // oxlint-disable-next-line no-control-regex
  const escapePattern = text === undefined ? /["\\\0-\x1f\x7f-\xff]/g : /["\\\0-\x1f\x7f]/g;
  const escaped = (text ?? bytes).replaceAll(escapePattern, (character) => {
    if (character === '"' || character === '\\') return `\\${character}`;
    return `\\x${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`;
  });
  return `"${escaped}"`;
}

/** With as many `#` as the text needs. */
function formatRaw(text: string): string {
  const longest = Math.max(-1, ...Array.from(text.matchAll(/"(#*)/g), (match) => match[1]!.length));
  const hashes = '#'.repeat(longest + 1);
  return `r${hashes}"${text}"${hashes}`;
}

export function formatWildcard({ source, form }: WildcardLiteral): string {
  return form === 'raw' ? formatRaw(textOf(source)!) : quoteBytes(source);
}

export function formatRegex({ source, form }: RegexLiteral): string {
  if (form === 'raw') return formatRaw(source);
  return `"${escapeRegexQuotes(source)}"`;
}

/** A quote outside of brackets gets its backslash back; inside, it needs none. */
function escapeRegexQuotes(source: string): string {
  let text = '';
  let isInClass = false;
  for (let index = 0; index < source.length; index++) {
    const character = source[index]!;
    if (character === '\\') {
      text += character + (source[++index] ?? '');
      continue;
    }
    if (character === '[') isInClass = true;
    else if (character === ']') isInClass = false;
    text += character === '"' && !isInClass ? '\\"' : character;
  }
  return text;
}

export function formatIntRange({ first, last }: IntRange): string {
  return first.exact === last.exact ? String(first.exact) : `${first.exact}..${last.exact}`;
}

export function formatRange({ first, last, prefixLength }: IpRange): string {
  if (prefixLength !== undefined) return `${formatIp(first)}/${prefixLength}`;
  return isEqualIp(first, last) ? formatIp(first) : `${formatIp(first)}..${formatIp(last)}`;
}
