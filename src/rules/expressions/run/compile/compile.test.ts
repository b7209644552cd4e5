import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Value } from '../../values.ts';
import { type FieldSource, RequestView } from '../request-view.ts';
import { parseFilter, createRequestWith } from '../testing.ts';
import { compile, compileList, compileListInPieces } from './compile.ts';

class RecordingSource implements FieldSource {
  readonly asked: string[] = [];
  readonly #facts: Readonly<Record<string, Value>>;

  constructor(facts: Readonly<Record<string, Value>>) {
    this.#facts = facts;
  }

  read(key: string): Value | undefined {
    this.asked.push(key);
    return this.#facts[key];
  }
}

test('compile keeps what users write out of the code', () => {
  const evil = '"];throw new Error();//`${process.exit(1)}\\u2028\\';
  const bytes = Buffer.from(evil, 'latin1')
    .toString('hex')
    .replaceAll(/../g, String.raw`\x$&`);
  const headers = new Map([[evil, [evil]]]);
  for (const key of ['http.host', `http.request.headers["${bytes}"][0]`, `concat(http.host, "")`]) {
    for (const condition of [
      `eq "${bytes}"`,
      `contains "${bytes}"`,
      `in {"${bytes}"}`,
      `in {"a" "b" "c" "d" "${bytes}"}`,
    ]) {
      const request = createRequestWith({ 'http.host': evil, 'http.request.headers': headers });
      assert.equal(compile(parseFilter(`${key} ${condition}`))(request), true);
    }
  }
});

test('compile computes a part that occurs twice once for each request', () => {
  let runs = 0;
  const list = { has: (): boolean => (runs++, false) };
  const part = 'lower(http.host) in $counted';
  const isTrue = compile(parseFilter(`${part} or not ssl and ${part}`), {
    lists: new Map([['counted', list]]),
  });
  assert.equal(isTrue(createRequestWith({})), false);
  assert.equal(runs, 1);
  assert.equal(isTrue(createRequestWith({})), false);
  assert.equal(runs, 2);
});

test('compileList computes a part that rules share once for each request', () => {
  let runs = 0;
  const list = { has: (): boolean => (runs++, true) };
  const filters = Array.from({ length: 5 }, () => parseFilter('ip.src in $counted'));
  const compiled = compileList(filters, { lists: new Map([['counted', list]]) });
  assert.deepEqual(compiled.matches(createRequestWith({})), [0, 1, 2, 3, 4]);
  assert.equal(runs, 1);
});

test('compileListInPieces builds a long list in parts, whose rules share parts of them nevertheless', () => {
  let runs = 0;
  const list = { has: (): boolean => (runs++, true) };
  const filters = Array.from({ length: 1_000 }, (_, index) =>
    parseFilter(
      `lower(http.host) in $counted and len(http.user_agent) ne ${index} and lower(http.host) ne "${index}"`,
    ),
  );
  const pieces = compileListInPieces(filters, { lists: new Map([['counted', list]]) });
  let [count, compiled] = [0, pieces.next()];
  for (; compiled.done !== true; compiled = pieces.next()) count++;
  assert.ok(count >= filters.length, `${count} pieces`);
  for (const length of [3, 999]) {
    runs = 0;
    const request = createRequestWith({ 'http.host': '17', 'http.user_agent': 'x'.repeat(length) });
    const expected = filters.keys().filter((index) => index !== length && index !== 17);
    assert.deepEqual(compiled.value.matches(request), [...expected]);
    assert.equal(runs, 1);
  }
});

test('CompiledList.findFirst reads no field that only later rules need', () => {
  const sources = [
    'http.host eq "a"',
    'http.request.body.raw contains "x"',
    'http.referer contains "y" or ssl',
  ];
  const list = compileList(sources.map(parseFilter));
  const source = new RecordingSource({ 'http.host': 'a' });
  assert.equal(list.findFirst(new RequestView(source)), 0);
  assert.deepEqual(source.asked, ['http.host']);
});

test('CompiledList.run stops when its callback returns false', () => {
  const list = compileList(['true', 'http.host eq "a"', 'false', 'not ssl'].map(parseFilter));
  const seen: number[] = [];
  list.run(createRequestWith({ 'http.host': 'a' }), (rule) => seen.push(rule) < 2);
  assert.deepEqual(seen, [0, 1]);
  assert.deepEqual(list.matches(createRequestWith({ 'http.host': 'a' })), [0, 1, 3]);
});

test('CompiledList runs no rule whose guard does not hold', () => {
  let runs = 0;
  const lists = new Map([['counted', { has: (): boolean => (runs++, true) }]]);
  const list = compileList(
    [
      'http.host eq "a" and ip.src in $counted',
      'http.request.uri.path contains "/admin" and ip.src in $counted',
      'http.user_agent matches "(?i)evil[0-9]" and ip.src in $counted',
      'any(lower(http.request.headers.names[*])[*] eq "x-evil") and ip.src in $counted',
      'ip.src in {10.0.0.0/8 192.0.2.1} and cf.threat_score in $counted',
      'http.host wildcard "*.EVIL.com" and ip.src in $counted',
      'starts_with(http.referer, "evil") and ip.src in $counted',
      'http.request.headers["x-evil"][0] ne "good" and http.request.headers["x-evil"][1] lt "b" and ip.src in $counted',
    ].map(parseFilter),
    { lists },
  );
  assert.deepEqual(list.matches(createRequestWith({ 'http.host': 'b', 'http.user_agent': 'good' })), []);
  assert.equal(runs, 0);
  assert.deepEqual(
    list.matches(createRequestWith({ 'http.host': 'x.evil.com', 'http.referer': 'evil' })),
    [5, 6],
  );
  const headers = new Map([['x-evil', ['a', 'a']]]);
  assert.deepEqual(list.matches(createRequestWith({ 'http.request.headers': headers })), [7]);
});

test('CompiledList uses other guards when all rules have the same host', () => {
  let runs = 0;
  const lists = new Map([['counted', { has: (): boolean => (runs++, true) }]]);
  const filters = Array.from({ length: 100 }, (_, index) =>
    parseFilter(
      `http.host eq "a" and http.request.uri.path contains "/part${index}/" and len(http.referer) in $counted`,
    ),
  );
  const list = compileList(filters, { lists });
  const request = createRequestWith({ 'http.host': 'a', 'http.request.uri.path': '/x/part7/' });
  assert.deepEqual(list.matches(request), [7]);
  assert.equal(runs, 1);
});

test('compileList accepts an empty list, and one rule many times', () => {
  assert.deepEqual(compileList([]).matches(createRequestWith({})), []);
  const same = parseFilter('ip.src in {0.0.0.0/0 0.0.0.0..0.0.0.5} or http.host eq ""');
  assert.deepEqual(compileList([same, same, same]).matches(createRequestWith({})), [0, 1, 2]);
});

test('CompiledList finds literals in values of any length', () => {
  const filters = ['a', 'aa', 'aaa', 'B', 'zz'].map((text) =>
    parseFilter(`http.request.body.raw contains "${text}"`),
  );
  const folded = parseFilter('http.request.body.raw wildcard "*b*"');
  const list = compileList([...filters, folded]);
  for (const length of [10, 10_000, 200_000]) {
    assert.deepEqual(
      list.matches(createRequestWith({ 'http.request.body.raw': 'a'.repeat(length) })),
      [0, 1, 2],
    );
    assert.deepEqual(
      list.matches(createRequestWith({ 'http.request.body.raw': `${'x'.repeat(length)}B` })),
      [3, 5],
    );
  }
});
