/**
 * Reads the items of a published list: one in each line, in a column of CSV, or as strings anywhere in JSON. A text
 * that cannot be parsed completely is not used: part of a block list, or a page about a move, must not replace the
 * current items.
 */
import type { ListKind } from '#firewall';
import { type GivenItem, readItem } from '../stores/lists/list-item.ts';

/** Throws an `Error` that describes the problem. */
export function readItems(text: string, kind: ListKind, itemsMax: number): GivenItem[] {
  const trimmed = text.replace(/^\uFEFF/, '').trim();
  if (trimmed.startsWith('<')) throw new Error('it is HTML or XML, not a list');
  const tokens = /^[[{]/.test(trimmed) ? readJson(trimmed, kind) : readLines(trimmed, kind);
  if (tokens.length === 0) throw new Error('it is empty');
  return toItems(tokens, kind, itemsMax);
}

/** Each item once. */
export function toItems(tokens: Iterable<string>, kind: ListKind, itemsMax: number): GivenItem[] {
  const items = new Map<string, GivenItem>();
  for (const token of tokens) {
    const read = readToken(token, kind);
    if (typeof read === 'string') throw new Error(read);
    items.set(read.key, read.given);
    if (items.size > itemsMax) throw new Error(`it has more than ${itemsMax} items`);
  }
  return [...items.values()];
}

function readLines(text: string, kind: ListKind): string[] {
  const tokens: string[] = [];
  for (const [index, raw] of text.split(/\r?\n/).entries()) {
    const line = raw.replace(/^\s*(?:#|;|\/\/).*|(?<!\s)\s+[#;].*/, '').trim();
    if (line === '') continue;
    const columns = line.split(/[,;\t]/).map((column) => column.trim().replace(/^"(.*)"$/, '$1'));
    const found = columns.find((column) => typeof readToken(column, kind) !== 'string');
    if (found !== undefined) tokens.push(found);
    // The first line may name the columns.
    else if (index > 0 || columns.length === 1)
      throw new Error(`line ${index + 1} is no ${kind}: ${JSON.stringify(line.slice(0, 60))}`);
  }
  return tokens;
}

/** Strings that are not items are names, times and remarks. */
function readJson(text: string, kind: ListKind): string[] {
  const tokens: string[] = [];
  JSON.parse(text, (_key, value: unknown) => {
    const token = typeof value === 'number' && kind === 'asn' ? String(value) : value;
    if (typeof token === 'string' && typeof readToken(token, kind) !== 'string') tokens.push(token);
    return value;
  });
  return tokens;
}

/** The item and its key, or a problem. */
function readToken(
  token: string,
  kind: ListKind,
): { readonly key: string; readonly given: GivenItem } | string {
  const given = toGiven(token, kind);
  const read = readItem(kind, given);
  return read.ok ? { key: read.item.key, given } : read.reason;
}

function toGiven(token: string, kind: ListKind): GivenItem {
  if (kind === 'asn') return { asn: Number(/^(?:AS)?(\d{1,10})$/i.exec(token)?.[1] ?? Number.NaN) };
  return kind === 'hostname' ? { hostname: { url_hostname: token } } : { ip: token };
}
