import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findExtension, normalizePath, splitUri } from './uri.ts';

test('normalizePath decodes needless escapes and writes the others in upper case', () => {
  assert.equal(normalizePath('/%61%2fb%2F%7e'), '/a%2Fb%2F~');
  assert.equal(normalizePath('/a b\xe9"'), '/a%20b%E9%22');
  assert.equal(normalizePath('/%zz%'), '/%zz%');
  assert.equal(normalizePath("/[a]~'()*!$&+,;=:@"), "/[a]~'()*!$&+,;=:@");
});

test('normalizePath resolves dot segments, also those that were escaped', () => {
  const cases = { '/a/./b/../c': '/a/c', '/../a': '/a', '/a/..': '/', '/a/.': '/a/', '/%2e%2e/a': '/a', '/...': '/...', '/.a/': '/.a/' }; // prettier-ignore
  for (const [path, expected] of Object.entries(cases)) assert.equal(normalizePath(path), expected, path);
});

test('normalizePath changes nothing the second time', () => {
  for (const path of ['/a/../%2e/%61%%41', '/\xff\\|{}^`', '/a//b/']) {
    const once = normalizePath(path);
    assert.equal(normalizePath(once), once);
  }
});

test('findExtension returns the text after the last dot of the last segment', () => {
  const cases = { '/a.html': 'html', '/a.tar.gz': 'gz', '/.mp3': '', '/foo.': '', '/.foo.mp3': 'mp3', '/a.b/c': '', '/': '' }; // prettier-ignore
  for (const [path, expected] of Object.entries(cases)) assert.equal(findExtension(path), expected, path);
});

test('splitUri accepts absolute URIs and paths, and distinguishes no query from an empty one', () => {
  assert.deepEqual(splitUri('HTTPS://h:1/p?q#f'), {
    scheme: 'https',
    authority: 'h:1',
    path: '/p',
    query: 'q',
  });
  assert.deepEqual(splitUri('http://h'), { scheme: 'http', authority: 'h', path: '/', query: undefined });
  assert.deepEqual(splitUri('/p?'), { scheme: '', authority: '', path: '/p', query: '' });
  assert.deepEqual(splitUri('//p://x'), { scheme: '', authority: '', path: '//p://x', query: undefined });
});
