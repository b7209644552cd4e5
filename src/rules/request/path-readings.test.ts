import { deepEqual, match, ok } from 'node:assert/strict';
import { test } from 'node:test';
import { readPath } from './path-readings.ts';
import { defaultUrlNormalization, type UrlNormalization } from './url-normalization.ts';

function read(path: string, settings: Partial<UrlNormalization> = {}): unknown {
  const readings = readPath(path, { ...defaultUrlNormalization, ...settings });
  return 'problem' in readings ? 'refused' : [readings.forwarded, ...readings.judged];
}

test('readPath gives an ordinary path one reading, which is forwarded', () => {
  deepEqual(read('/a/b.html'), ['/a/b.html', '/a/b.html']);
  deepEqual(read('/x\\..\\admin//%61'), ['/admin/a', '/admin/a']);
  deepEqual(read('*'), ['*', '*']);
});

test('readPath adds the readings of servers that decode slashes, drop parameters or decode twice', () => {
  deepEqual(read('/%2fadmin'), ['/%2Fadmin', '/%2Fadmin', '/admin']);
  deepEqual(read('/x%5cadmin'), ['/x%5Cadmin', '/x%5Cadmin', '/x/admin']);
  deepEqual(read('/admin;a=1/b;c'), ['/admin;a=1/b;c', '/admin;a=1/b;c', '/admin/b']);
  deepEqual(read('/x;%2fadmin'), ['/x;%2Fadmin', '/x;%2Fadmin', '/x', '/x;/admin']);
  deepEqual(read('/%2561dmin'), ['/%2561dmin', '/%2561dmin', '/admin']);
  deepEqual(read('/%25252f%c1%a1'), ['/%25252f%C1%A1', '/%25252f%C1%A1', '/a']);
});

test('readPath refuses dot segments and nulls that only some servers see', () => {
  const paths = ['/x%2f..%2fadmin', '/x/..%2fadmin', '/x/..%5cadmin', '/x/..;/admin', '/x/.;a/b', '/a%00.html', '/%252e%252e/a', '/%c0%ae%c0%ae/a', '/%e0%80%ae/a', '/..%3b/..;x', '/a%2500', '/x/%252e%252e%252fadmin']; // prettier-ignore
  for (const path of paths) deepEqual(read(path), 'refused', path);
  const readings = readPath('/x/..;/admin', defaultUrlNormalization);
  ok('problem' in readings);
  match(readings.problem, /dot segments/);
});

test('readPath with the scope incoming forwards what it received, and refuses what an origin may resolve', () => {
  const scope = 'incoming';
  deepEqual(read('/%61/b', { scope }), ['/%61/b', '/a/b']);
  deepEqual(read('/a//b', { scope }), ['/a//b', '/a/b', '/a//b']);
  deepEqual(read('//h/admin', { scope }), ['//h/admin', '/h/admin', '//h/admin', '/admin']);
  for (const path of ['/a/../b', '/a/%2e%2e/b', '/a\\b', '/%u0061', '/a/.'])
    deepEqual(read(path, { scope }), 'refused', path);
});

test('readPath with the type rfc3986 keeps slashes, and judges the path behind what looks like a host', () => {
  deepEqual(read('/a//b\\c', { type: 'rfc3986' }), ['/a//b%5Cc', '/a//b%5Cc', '/a/b/c']);
  deepEqual(read('///h', { type: 'rfc3986' }), ['///h', '///h', '/h', '/']);
});

test('readPath with the scope none leaves the path alone', () => {
  for (const path of ['/a/../b', '/a\\b', '//h/%2f', '/%00;']) {
    deepEqual(read(path, { scope: 'none' }), [path, path], path);
  }
});

test('readPath gives a long path at most eight readings, none longer than the path', () => {
  for (const piece of ['/', '%25', '%2f', ';', '%c0%af', '//a;b%2f', '%']) {
    const path = `//h${piece.repeat(5_000)}`;
    const readings = readPath(path, { type: 'rfc3986', scope: 'both' });
    ok('judged' in readings && readings.judged.length <= 8, piece);
    ok(readings.judged.every(({ length }) => length <= readings.forwarded.length));
  }
});
