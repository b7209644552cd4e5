import { equal } from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { normalizePath, type UrlNormalizationType, urlNormalizationTypes } from './url-normalization.ts';

function check(type: UrlNormalizationType, cases: Readonly<Record<string, string>>): void {
  for (const [path, expected] of Object.entries(cases)) equal(normalizePath(path, type), expected, path);
}

test('normalizePath decodes needless escapes and writes the others in upper case', () => {
  for (const type of urlNormalizationTypes) {
    check(type, {
      '/%68ello': '/hello',
      '/%61%2fb%2F%7e': '/a%2Fb%2F~',
      '/a b\xe9"': '/a%20b%E9%22',
      "/[a]~'()*!$&+,;=:@": "/[a]~'()*!$&+,;=:@",
    });
  }
});

test('normalizePath escapes a percent sign that begins no escape, so that none comes about', () => {
  check('cloudflare', {
    '/%zz%': '/%25zz%25',
    '/%%361dmin': '/%2561dmin',
    '/%u0061': '/%25u0061',
    '/%2': '/%252',
  });
});

test('normalizePath resolves dot segments, also those that were escaped', () => {
  for (const type of urlNormalizationTypes) {
    check(type, { '/a/./b/../c': '/a/c', '/../a': '/a', '/a/..': '/', '/a/.': '/a/', '/%2e%2e/a': '/a', '/...': '/...', '/.a/': '/.a/' }); // prettier-ignore
  }
});

test('normalizePath treats slashes and backslashes as the documentation of Cloudflare shows', () => {
  check('rfc3986', {
    '/%68ello//pa\\th': '/hello//pa%5Cth',
    '/hello//../path': '/hello/path',
    '/hello/\\../path': '/hello/%5C../path',
  });
  check('cloudflare', {
    '/%68ello//pa\\th': '/hello/pa/th',
    '/hello//../path': '/path',
    '/hello/\\../path': '/path',
    '\\\\//a': '/a',
  });
});

test('normalizePath changes nothing the second time', () => {
  const pieces = fc.constantFrom(...'/ / \\ . .. % %2 %25 %2e %2f %5c %61 61 2e a ; : \xff | ~'.split(' '));
  const paths = fc.array(pieces, { maxLength: 12 }).map((parts) => `/${parts.join('')}`);
  for (const type of urlNormalizationTypes) {
    fc.assert(
      fc.property(paths, (path) => {
        const once = normalizePath(path, type);
        equal(normalizePath(once, type), once);
      }),
      { seed: 11, numRuns: 2_000 },
    );
  }
});
