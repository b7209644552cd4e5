import { deepEqual, equal } from 'node:assert/strict';
import { test } from 'node:test';
import type { ConfiguredRedirect } from '../configuration.ts';
import { RedirectList } from './redirect-list.ts';

function item(source: string, more: Partial<ConfiguredRedirect> = {}): ConfiguredRedirect {
  return {
    source,
    target: `https://new.example/${source.length}`,
    status: 301,
    includesSubdomains: false,
    matchesSubpaths: false,
    keepsQuery: false,
    keepsPathSuffix: false,
    ...more,
  };
}

test('RedirectList finds whole URLs, whatever their scheme, query and port, and the item with a scheme first', () => {
  const list = new RedirectList([
    item('shop.example/a', { target: 'https://new.example/any' }),
    item('http://shop.example/a', { target: 'https://new.example/plain' }),
  ]);
  const target = (url: string): string | undefined => list.find(url)?.target;
  equal(target('https://shop.example/a?b=c'), 'https://new.example/any');
  equal(target('http://SHOP.example:8080/a'), 'https://new.example/plain');
  for (const url of [
    'https://shop.example/A',
    'https://shop.example/a/',
    'https://www.shop.example/a',
    'shop.example/a',
  ])
    equal(target(url), undefined, url);
  deepEqual(
    [list.has('https://shop.example/a'), list.has('https://shop.example/'), list.has(1)],
    [true, false, false],
  );
});

test('RedirectList: items with subdomains and subpaths match below, the most specific host and path first', () => {
  const below = { includesSubdomains: true, matchesSubpaths: true };
  const list = new RedirectList([
    item('shop.example/', { ...below, target: 'https://new.example/all' }),
    item('shop.example/docs', { ...below, target: 'https://docs.example/v2?x=1', keepsPathSuffix: true }),
    item('www.shop.example/docs/old', { target: 'https://new.example/old' }),
  ]);
  const target = (url: string): string | undefined => list.find(url)?.target;
  equal(target('https://shop.example/docs/a/b'), 'https://docs.example/v2/a/b?x=1');
  equal(target('https://www.shop.example/docs/old'), 'https://new.example/old');
  equal(target('https://www.shop.example/docs/older'), 'https://docs.example/v2/older?x=1');
  equal(
    target('https://shop.example/documents'),
    'https://new.example/all',
    'a part of a segment is no subpath',
  );
  equal(target('https://otherhop.example/docs'), undefined);
  equal(
    target(`https://shop.example/${'/'.repeat(10_000)}`),
    undefined,
    'of a very long path, not all is looked at',
  );
});
