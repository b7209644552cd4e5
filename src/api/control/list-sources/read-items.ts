/** The items of a published list. */
import { readPublishedList } from '#addresses';
import type { ListKind } from '#rulesets';
import { type GivenItem, readItem } from '../stores/lists/list-item.ts';

/** Throws an `Error` that describes the problem. */
export function readItems(text: string, kind: ListKind, itemsMax: number): GivenItem[] {
  const isEntry = (token: string): boolean => typeof readToken(token, kind) !== 'string';
  return toItems(
    readPublishedList(text, { name: kind, isEntry, hasNumbers: kind === 'asn' }),
    kind,
    itemsMax,
  );
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
