import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findExtension, splitUri } from './uri.ts';

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
