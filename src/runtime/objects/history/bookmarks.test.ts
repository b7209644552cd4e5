import { deepEqual, equal, throws } from 'node:assert/strict';
import { test } from 'node:test';
import type { Position } from '#journal';
import { IdFactory } from '../ids.ts';
import { type BookmarkedPoint, formatBookmark, parseBookmark } from './bookmarks.ts';

const ids = new IdFactory('Counter', 'Counter');
const id = ids.fromName('a').toString();

function point(position: number, kind: BookmarkedPoint['kind'] = 'after'): BookmarkedPoint {
  return { position: position as Position, kind };
}

test('formatBookmark writes what parseBookmark reads', () => {
  for (const one of [point(0), point(8), point(2 ** 40 + 1), point(8, 'undo')]) {
    const text = formatBookmark(ids, id, one);
    equal(/^[0-9a-f]{8}-[0-9a-f]{8}-[0-9a-f]{8}-[0-9a-f]{32}$/.test(text), true);
    deepEqual(parseBookmark(ids, id, text), one);
  }
});

test('formatBookmark sorts as history went', () => {
  const texts = [point(0), point(8), point(8, 'undo'), point(16), point(2 ** 33)].map((one) =>
    formatBookmark(ids, id, one),
  );
  deepEqual(texts.toReversed().toSorted(), texts);
});

test('parseBookmark refuses another object, another class, another point, and what is no bookmark', () => {
  const text = formatBookmark(ids, id, point(8));
  const foreign = /does not belong to this Durable Object/;
  throws(() => parseBookmark(ids, ids.fromName('b').toString(), text), foreign);
  throws(() => parseBookmark(new IdFactory('Other', 'Other'), id, text), foreign);
  throws(() => parseBookmark(ids, id, text.replace('00000008', '00000010')), foreign);
  throws(() => parseBookmark(ids, id, text.replace('-00000000-', '-00000001-')), foreign);
  for (const wrong of ['', ' ', `${text} `, text.slice(1), text.toUpperCase().replace(/^0/, 'X')]) {
    throws(() => parseBookmark(ids, id, wrong), {
      name: 'TypeError',
      message: /^Invalid bookmark: it must look like /,
    });
  }
});
