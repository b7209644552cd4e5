import { deepEqual } from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { parseReferer } from './referer.ts';

function parseSlowly(referer: string): object {
  const { protocol = '', host = '', pathname = '', search = '' } = URL.parse(referer) ?? {};
  return { scheme: protocol.slice(0, -1), host, path: pathname, query: search };
}

test('parseReferer shows what URL does', () => {
  const referers = [
    '',
    'nonsense',
    'https://shop.example',
    'https://shop.example/',
    'https://shop.example/products?page=1',
    'http://shop.example:80/a',
    'https://SHOP.example/a',
    'https://user:pass@shop.example/a',
    'https://shop.example/a/../b/./c',
    'https://shop.example/a/%2e%2E/b',
    'https://shop.example/.well-known/x',
    'https://shop.example//a//b',
    'https://shop.example/a?',
    'https://shop.example/a?q=it\'s&r="x"#part',
    'https://xn--mnchen-3ya.example/ü',
    'https://127.0.0.1/a',
    'https://1.2.3/a',
    'https://a..example/x',
    'ftp://shop.example/a',
    'https://shop.example/a\\b',
  ];
  for (const referer of referers) deepEqual(parseReferer(referer), parseSlowly(referer), referer);
});

test('parseReferer shows what URL does with any path and query', () => {
  const part = fc.string({
    unit: fc.constantFrom(...'aZ09.%/2eE~!$&()*+,;=:@_-?#\'"<> |^`{}'.split('')),
    maxLength: 12,
  });
  fc.assert(
    fc.property(part, part, part, (host, path, query) => {
      const referer = `https://${host}.example/${path}?${query}`;
      deepEqual(parseReferer(referer), parseSlowly(referer));
    }),
  );
});
