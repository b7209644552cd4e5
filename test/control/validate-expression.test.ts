import { deepEqual, equal, match } from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { TestControl } from './harness.ts';

let control: TestControl;
before(async () => {
  control = await TestControl.open();
});
after(() => control.close());

const path = '/filters/validate-expr';
const get = (expression: string) => control.call(`GET ${path}?expression=${encodeURIComponent(expression)}`);
const post = (expression: string) => control.call(`POST ${path}`, { body: { expression } });

test('filters.validateExpression answers null for what any plan could use', async () => {
  for (const expression of ['ssl', ' http.host matches "^a+$" ', 'ip.src in {192.0.2.0/24 2001:db8::/32}']) {
    for (const answer of [await get(expression), await post(expression)]) {
      deepEqual(
        [answer.status, answer.success, answer.result, answer.errors, answer.messages],
        [200, true, null, [], []],
      );
    }
  }
});

test('filters.validateExpression shows the location of the error, in the words of wirefilter', async () => {
  const cases: [string, string][] = [
    ['ip.src in {192.0.2.1 192.0.2.256/32}', "couldn't parse address in network: invalid IP address syntax"],
    ['http.host == "a" or nosuch == 1', 'unknown identifier'],
    ['ip.src.asnum eq 99999999999999999999', 'number too large to fit in target type'],
  ];
  for (const [expression, reason] of cases) {
    for (const answer of [await get(expression), await post(expression)]) {
      deepEqual([answer.status, answer.success, answer.result], [400, false, null]);
      equal(answer.errors.length, 1);
      const { code, message } = answer.errors[0]!;
      equal(code, 10103);
      const [title, shown, carets] = message.split('\n');
      deepEqual([title, shown], ['Filter parsing error:', `\`${expression}\``]);
      match(carets!, /^ +\^+ /);
      equal(carets!.includes(reason), true, message);
      equal(message.endsWith('\n'), true);
    }
  }
});

test('filters.validateExpression puts the carets below the place', async () => {
  const expression = 'ssl and nosuch';
  const [, shown, carets] = (await get(expression)).errors[0]!.message.split('\n');
  equal(carets!.indexOf('^'), shown!.indexOf('nosuch'));
  equal(carets!.lastIndexOf('^'), shown!.lastIndexOf('h'));
});

test('filters.validateExpression refuses nothing, too much, unknown lists and unknown fields', async () => {
  const missing = await control.call(`GET ${path}`);
  deepEqual([missing.status, missing.errors[0]!.code], [400, 10103]);
  match(missing.errors[0]!.message, /blank/);
  const long = await post(`http.host eq "${'x'.repeat(4096)}"`);
  deepEqual([long.status, long.errors[0]!.code], [400, 10103]);
  equal(long.errors[0]!.message.length < 200, true);
  equal((await get('ip.src in $nosuch')).status, 400);
  const body = await control.call(`POST ${path}`, { body: { expression: 'ssl', zone: 'x' } });
  deepEqual([body.status, body.errors[0]!.code, body.errors[0]!.source], [400, 10026, { pointer: '/zone' }]);
  deepEqual((await post('nosuch')).errors[0]!.source, { pointer: '/expression' });
});

test('filters.validateExpression needs credentials', async () => {
  const answer = await control.call(`GET ${path}?expression=ssl`, { headers: {} });
  equal(answer.status >= 400 && answer.status < 500, true);
  equal(answer.success, false);
});
