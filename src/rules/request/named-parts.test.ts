import { deepEqual, equal } from 'node:assert/strict';
import { test } from 'node:test';
import { checkLinear } from '../../../tools/count-work.ts';
import {
  listBodyParts,
  listCookieParts,
  listQueryParts,
  listUriParts,
  namedPartsMax,
} from './named-parts.ts';
import type { NamedPart } from './named-part.ts';

const brief = (parts: readonly NamedPart[]): unknown[] =>
  parts.map(({ kind, name, decoded }) => [kind, name, decoded]);

/** The positions of parts lead back to their text. */
function checkPlaces(text: string, parts: readonly NamedPart[]): void {
  for (const { at, value, piece } of parts) {
    equal(text.slice(at.value, at.value + value.length), value);
    equal(text.slice(at.piece, at.piece + piece.length), piece);
  }
}

test('named parts of cookies, queries and URIs have their names, values and places', () => {
  const cookies = 'session=a=b;  theme=dark ;; flag';
  deepEqual(brief(listCookieParts(cookies)), [
    ['cookie', 'session', 'a=b'],
    ['cookie', 'theme', 'dark'],
    ['cookie', 'flag', ''],
  ]);
  checkPlaces(cookies, listCookieParts(cookies));
  deepEqual(brief(listQueryParts('a=1&&b%20c=2')), [
    ['argument', 'a', '1'],
    ['argument', 'b c', '2'],
  ]);
  const uri = '/x/y?q=1?2&r';
  deepEqual(brief(listUriParts(uri)), [
    ['path', '', '/x/y'],
    ['argument', 'q', '1?2'],
    ['argument', 'r', ''],
  ]);
  checkPlaces(uri, listUriParts(uri));
});

test('named parts of JSON have paths, also when the text is cut off', () => {
  const text =
    '{ "user": {"na/me": "Jo\\u00ebl", "tags": ["a", {"x": null}]}, "n": 12, "e": {}, "cut": "off\\';
  deepEqual(brief(listBodyParts(text, 'application/json')), [
    ['JSON name', 'user', 'user'],
    ['JSON name', 'user.na/me', 'na/me'],
    ['JSON value', 'user.na/me', 'Jo\u00c3\u00abl'],
    ['JSON name', 'user.tags', 'tags'],
    ['JSON value', 'user.tags[0]', 'a'],
    ['JSON name', 'user.tags[1].x', 'x'],
    ['JSON value', 'user.tags[1].x', 'null'],
    ['JSON name', 'n', 'n'],
    ['JSON value', 'n', '12'],
    ['JSON name', 'e', 'e'],
    ['JSON name', 'cut', 'cut'],
    ['JSON value', 'cut', 'off'],
  ]);
  const whole = text.slice(0, text.indexOf(', "cut"')) + '}';
  checkPlaces(whole, listBodyParts(whole, 'application/json'));
  deepEqual(brief(listBodyParts('"top"', '')), [['JSON value', '', 'top']]);
});

test('named parts of forms, and none of other types', () => {
  deepEqual(brief(listBodyParts('a=1&b=2', 'application/x-www-form-urlencoded; charset=utf-8')), [
    ['form field', 'a', '1'],
    ['form field', 'b', '2'],
  ]);
  const body =
    '--X\r\nContent-Disposition: form-data; name="f"; filename="a.txt"\r\n\r\nhello\r\n--X\r\n\r\nno name\r\n--X--';
  deepEqual(brief(listBodyParts(body, 'multipart/form-data; boundary=X')), [
    ['multipart field', 'f', 'hello'],
    ['multipart field', '', 'no name'],
  ]);
  deepEqual(listBodyParts('a=1', 'text/plain'), []);
});

test('named parts are bounded in number and depth, and cost no more than their text', () => {
  equal(listQueryParts('a&'.repeat(5_000)).length, namedPartsMax);
  equal(listBodyParts(`[${'1,'.repeat(5_000)}1]`, 'application/json').length, namedPartsMax);
  const deep = listBodyParts(`${'['.repeat(60_000)}1`, 'application/json');
  equal(deep[0]!.name, '[0]'.repeat(32));
  const prepare =
    (length: number): (() => void) =>
    () =>
      void listBodyParts(`{"a": "${'\\"'.repeat(length)}`, 'application/json');
  checkLinear('listBodyParts', prepare, [8_000, 64_000]);
});
