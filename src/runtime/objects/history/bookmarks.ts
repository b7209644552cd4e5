/**
 * Bookmarks: positions of one object's history as text, for its own code and for operators.
 *
 * `pppppppp-pppppppp-kkkkkkkk-ssssssssssssssssssssssssssssssss`: the position of a record as sixteen
 * hexadecimal digits, the kind, and a seal that binds both to the object, so that a bookmark of another
 * object, or a mistyped one, is refused. Text order is the order of history.
 *
 * Kind 0 is the state after the record. Kind 1 belongs to a record that asked for a restore and is the state just
 * before that restore was done: the undo, whose position is not known yet when the bookmark is issued.
 */
import { type Position, formatPosition, parsePosition } from '#journal';
import type { IdFactory } from '../ids.ts';

export interface BookmarkedPoint {
  readonly position: Position;
  readonly kind: 'after' | 'undo';
}

const kinds = ['after', 'undo'] as const;
const pattern = /^([0-9a-f]{8})-([0-9a-f]{8})-0000000([01])-([0-9a-f]{32})$/;

export function formatBookmark(ids: IdFactory, idHex: string, { position, kind }: BookmarkedPoint): string {
  const text = formatPosition(position);
  const head = `${text.slice(0, 8)}-${text.slice(8)}-0000000${kinds.indexOf(kind)}`;
  return `${head}-${ids.seal(`${idHex} ${head}`)}`;
}

/** Throws unless the text is a bookmark of this object. */
export function parseBookmark(ids: IdFactory, idHex: string, text: string): BookmarkedPoint {
  const match = pattern.exec(text);
  const position = match === null ? undefined : parsePosition(match[1]! + match[2]!);
  if (match === null || position === undefined) {
    throw new TypeError(
      `Invalid bookmark: it must look like 00000000-00000008-00000000-… as getCurrentBookmark() returns it, but was ${quote(text)}.`,
    );
  }
  const point: BookmarkedPoint = { position, kind: kinds[Number(match[3])]! };
  if (formatBookmark(ids, idHex, point) !== text) {
    throw new TypeError(`Invalid bookmark: ${text} does not belong to this Durable Object.`);
  }
  return point;
}

function quote(text: string): string {
  return JSON.stringify(text.length > 80 ? `${text.slice(0, 80)}…` : text);
}
