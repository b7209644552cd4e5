import assert from 'node:assert/strict';
import { test } from 'node:test';
import { argumentsMax } from '../limits.ts';
import { jsonDepthMax, readJsonArguments } from './json.ts';
import { readMultipart } from './multipart.ts';
import { readUrlencoded } from './urlencoded.ts';
import { readXml } from './xml.ts';

test('readUrlencoded decodes once, keeps broken escapes, and reads what is beyond its limit as one argument', () => {
  assert.deepEqual(readUrlencoded('a=1&b&&c=%2541+%zz'), [
    { name: 'a', value: '1' },
    { name: 'b', value: '' },
    { name: 'c', value: '%41 %zz' },
  ]);
  const many = readUrlencoded(`${'a&'.repeat(argumentsMax)}b=1&c=2`);
  assert.equal(many.length, argumentsMax + 1);
  assert.deepEqual(many.at(-1), { name: 'b', value: '1&c=2' });
  const empty = readUrlencoded(`${'&'.repeat(2 * argumentsMax)}b=1`);
  assert.deepEqual(empty, [{ name: 'b', value: '1' }]);
});

test('readJsonArguments names each value by its path, and is bounded in depth', () => {
  assert.deepEqual(readJsonArguments('{"items":[{"note":"x"},2],"Ã©":null}').list, [
    { name: 'json.items.0.note', value: 'x' },
    { name: 'json.items.1', value: '2' },
    { name: 'json.Ã©', value: '' },
  ]);
  assert.deepEqual(readJsonArguments('{"a":"1","a":"2"}').list, [
    { name: 'json.a', value: '1' },
    { name: 'json.a', value: '2' },
  ]);
  const many = readJsonArguments(`[${'1,'.repeat(argumentsMax)}"x","y"]`).list;
  assert.deepEqual(many.at(-1), { name: 'json', value: 'x","y"]' });
  assert.match(readJsonArguments('{').error!, /JSON/);
  const deep = '['.repeat(jsonDepthMax) + ']'.repeat(jsonDepthMax);
  assert.equal(readJsonArguments(deep).error, undefined);
  assert.match(readJsonArguments(`[${deep}]`).error!, /nested deeper/);
});

const head = 'Content-Disposition: form-data; name="a"';

const type = 'multipart/form-data; boundary=b';

function readNamed(body: string, contentType = type): readonly (readonly [string, string])[] {
  return readMultipart(body, contentType).parts.map(({ names, content }) => [names.join('|'), content]);
}

test('readMultipart gives fields and files with their headers and positions', () => {
  const body = `--b\r\n${head}\r\n\r\none\r\n--b\r\n${head}; filename="C:\\x.txt"\r\nContent-Type: text/plain\r\n\r\ntwo\r\n--b--\r\n`;
  const { parts, flaws } = readMultipart(body, type);
  assert.deepEqual([...flaws], []);
  assert.deepEqual(
    parts.map(({ names, fileNames, headers, content }) => [names, fileNames, headers, content]),
    [
      [['a'], [], [head], 'one'],
      [['a'], ['C:\\x.txt'], [`${head}; filename="C:\\x.txt"`, 'Content-Type: text/plain'], 'two'],
    ],
  );
  for (const { head: at, start, content, end } of parts) {
    assert.equal(body.slice(start, end), content);
    assert.ok(body.startsWith(head, at));
  }
});

test('readMultipart reads what any application reads as a part', () => {
  const part = (lines: string, content: string): string => `--b\r\n${lines}\r\n\r\n${content}\r\n`;
  // Lines without CR, folded heads, heads that PHP continues.
  assert.deepEqual(readNamed(`--b\n${head}\n\nx\n--b--`), [['a', 'x']]);
  assert.deepEqual(readNamed(`${part('Content-Disposition: form-data;\r\n name=a', 'x')}--b--`), [
    ['a', 'x'],
  ]);
  assert.deepEqual(readNamed(`${part('Content-Disposition: form-data;\r\nname=a', 'x')}--b--`), [['a', 'x']]);
  // `formData()` of Node needs no semicolon, and no line end before the first delimiter.
  assert.deepEqual(readNamed(`${part('Content-Disposition: form-data name="a"', 'x')}--b--`), [['a', 'x']]);
  assert.deepEqual(readNamed(`before--b\r\n${head}\r\n\r\nx\r\n--b--`), [['a', 'x']]);
  // PHP reads on after the last delimiter, and Go takes half a delimiter for content.
  const after = `${part(head, 'x')}--b--\r\n${part('Content-Disposition: form-data; name=c', 'y')}--b--`;
  assert.deepEqual(readNamed(after), [
    ['a', 'x'],
    ['c', 'y'],
  ]);
  assert.deepEqual(readNamed(`${part(head, 'x\r\n--b--c\r\n--bc\r\ny')}--b--`), [
    ['a', 'x\r\n--b--c\r\n--bc\r\ny'],
  ]);
  // The last of two names counts for PHP; some parsers keep a part without a name.
  assert.deepEqual(readNamed(`${part(`${head}; name="c"`, 'x')}${part('A: b', 'y')}--b--`), [
    ['a|c', 'x'],
    ['', 'y'],
  ]);
  assert.deepEqual(readNamed(part('Content-Disposition: form-data; name="it\\"s\\\\', 'x')), [
    ['it"s\\', 'x\r\n'],
  ]);
});

test('readMultipart reads boundaries as their declaration does', () => {
  const body = (boundary: string): string => `--${boundary}\r\n${head}\r\n\r\nx\r\n--${boundary}--`;
  for (const [declared, boundary] of [
    ['"a;b"', 'a;b'],
    [String.raw`"a\"b"`, 'a"b'],
    ['a, multipart/form-data; boundary=c', 'a'],
    ['a; charset=utf-8', 'a'],
  ] as const)
    assert.deepEqual(
      readNamed(body(boundary), `multipart/form-data; boundary=${declared}`),
      [['a', 'x']],
      declared,
    );
  assert.deepEqual(readNamed(body('b'), 'multipart/form-data boundary=b'), [['a', 'x']]);
  const inside = 'multipart/form-data; x="; boundary=c"; boundary=b';
  assert.deepEqual(readNamed(body('b'), inside), [['a', 'x']]);
});

test('readMultipart reads what is beyond its limit as the last part', () => {
  const parts = readNamed(
    `${`--b\n${head}\n\n\n`.repeat(argumentsMax)}--b\n${head}\n\nx\n--b\n${head}\n\ny\n--b--`,
  );
  assert.equal(parts.length, argumentsMax + 1);
  assert.ok(parts.at(-1)![1].endsWith('y\n--b--'));
});

const flawed: readonly (readonly [flaw: string, type: string, body: string])[] = [
  ['no-boundary', 'multipart/form-data', `--b\r\n${head}\r\n\r\nx\r\n--b--`],
  ['boundary-quoted', 'multipart/form-data; boundary="b"', `--b\r\n${head}\r\n\r\nx\r\n--b--`],
  ['boundary-whitespace', 'multipart/form-data; boundary =b', `--b\r\n${head}\r\n\r\nx\r\n--b--`],
  ['data-before', 'multipart/form-data; boundary=b', `hidden\r\n--b\r\n${head}\r\n\r\nx\r\n--b--`],
  ['data-after', 'multipart/form-data; boundary=b', `--b\r\n${head}\r\n\r\nx\r\n--b--\r\nhidden`],
  [
    'missing-semicolon',
    'multipart/form-data; boundary=b',
    '--b\r\nContent-Disposition: form-data name=a\r\n\r\nx\r\n--b--',
  ],
  ['invalid-header-folding', 'multipart/form-data; boundary=b', `--b\r\n${head}\r\nx\r\n\r\nx\r\n--b--`],
  ['header-folding', 'multipart/form-data; boundary=b', `--b\r\nX: a\r\n b\r\n${head}\r\n\r\nx\r\n--b--`],
  ['lf-line', 'multipart/form-data; boundary=b', `--b\n${head}\n\nx\n--b--`],
  ['invalid-part', 'multipart/form-data; boundary=b', '--b\r\nX: y\r\n\r\nx\r\n--b--'],
  ['not-closed', 'multipart/form-data; boundary=b', `--b\r\n${head}\r\n\r\nx`],
  ['unmatched-boundary', 'multipart/form-data; boundary=b', `--b\r\n${head}\r\n\r\nx\r\n--bc\r\n--b--`],
  [
    'invalid-quoting',
    'multipart/form-data; boundary=b',
    "--b\r\nContent-Disposition: form-data; name='a'\r\n\r\nx\r\n--b--",
  ],
];

test('readMultipart notes what two readers could read differently', () => {
  for (const [flaw, type, body] of flawed) {
    const { flaws } = readMultipart(body, type);
    assert.ok(flaws.has(flaw as never), `${flaw}: ${[...flaws].join(', ')}`);
  }
});

test('readXml gives text and attributes, and declares no entities', () => {
  const { text, attributes, error } = readXml(
    '<?xml version="1.0"?><!DOCTYPE a [<!ENTITY x "y">]><a b="1 &lt;" c=\'2\'>t&#65;<!-- c --><![CDATA[<d>]]><e/>&x;</a>',
  );
  assert.deepEqual(
    { text, attributes, error },
    { text: 'tA<d>&x;', attributes: ['1 <', '2'], error: undefined },
  );
  const many = readXml(`<a ${'b="1" '.repeat(argumentsMax)}c="2" d="3"/>`).attributes;
  assert.equal(many.at(-1), '2" d="3"/>');
  for (const broken of ['', 'x', '<a', '<a>', '</a>', '<a b="', '<!-- x', '<1=2>']) {
    assert.notEqual(readXml(broken).error, undefined, broken);
  }
});
