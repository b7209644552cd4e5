import { equal } from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { findSource, mapFrames, useSourceMaps } from './uploaded-maps.ts';

afterEach(() => useSourceMaps('none', {}));

/** The first line comes from line 3 and column 5 of its source. */
const map = (source: string): string =>
  JSON.stringify({ version: 3, sources: [source], names: [], mappings: 'AAEI' });

test('findSource finds the place in the sources of the module of a Worker', () => {
  useSourceMaps('shop', { 'index.js': map('../src/index.ts') });
  equal(findSource('/uploaded/shop/index.js', 1, 1), 'src/index.ts:3:5');
  equal(findSource('/uploaded/shop/index.js', 2, 1), undefined, 'of a line that it does not know');
  equal(findSource('/uploaded/shop/other.js', 1, 1), undefined);
  equal(findSource('/uploaded/other/index.js', 1, 1), undefined);
});

test('mapFrames changes frames of modules with a map, and nothing else', () => {
  const stack = [
    'Error: at /uploaded/shop/index.js:1:1 of text',
    '    at fetch (file:///uploaded/shop/index.js?gatehouse=7:1:1)',
    '    at /uploaded/shop/index.js:1:9',
    '    at /uploaded/shop/broken.js:1:1',
  ].join('\n');
  equal(mapFrames(stack), stack, 'without maps');
  useSourceMaps('shop', { 'index.js': map('../src/a b\n.ts'), 'broken.js': '{"version":3' });
  equal(
    mapFrames(stack),
    [
      'Error: at /uploaded/shop/index.js:1:1 of text',
      '    at fetch (src/a b .ts:3:5)',
      '    at src/a b .ts:3:5',
      '    at /uploaded/shop/broken.js:1:1',
    ].join('\n'),
  );
});

test('a map that says nothing, or nonsense, leaves places as they are', () => {
  const texts = [
    'null',
    '7',
    '{}',
    '{"version":3,"sources":[null],"names":[],"mappings":"AAEI"}',
    '{"mappings":"!!"}',
  ];
  for (const text of texts) {
    useSourceMaps('shop', { 'index.js': text });
    equal(findSource('/uploaded/shop/index.js', 1, 1), undefined, text);
  }
});
