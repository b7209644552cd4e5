import { deepEqual, equal, match } from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Envelope, TestControl } from './harness.ts';

let control: TestControl;
before(async () => {
  control = await TestControl.open();
});
after(() => control.close());

function assist(body: object, plan: 'pro' | 'enterprise' = 'enterprise'): Promise<Envelope> {
  return control.call(`POST /zones/${control.zone(plan)}/expressions/assist`, { body });
}

test('expressions.assist shows where an expression is wrong, and a hint', async () => {
  const expression = 'ssl and\n http.hots eq "a"';
  const { status, result } = await assist({ expression });
  equal(status, 200);
  const [{ start, end, severity, code, message, hint }] = result.diagnostics;
  deepEqual([expression.slice(start, end), severity, code], ['http.hots', 'error', 'unknown_identifier']);
  equal(message, 'unknown identifier');
  match(hint, /http\.host/);
  deepEqual([result.formatted, result.tree, result.hover], [null, null, null]);
});

test('expressions.assist completes and describes the name at the cursor', async () => {
  const expression = 'ssl and http.request.uri.pa';
  const { result } = await assist({ expression, position: expression.length });
  const { start, end, items } = result.completions;
  equal(expression.slice(start, end), 'http.request.uri.pa');
  const path = items.find(({ label }: { label: string }) => label === 'http.request.uri.path');
  deepEqual([path.kind, path.detail], ['field', 'Bytes']);
  const described = await assist({ expression: 'http.host eq "a"', position: 3 });
  deepEqual([described.result.hover.start, described.result.hover.end], [0, 9]);
  match(described.result.hover.title, /^http\.host: /);
  const operators = await assist({ expression: 'http.host ', position: 999 });
  equal(
    operators.result.completions.items.some(({ label }: { label: string }) => label === 'contains'),
    true,
  );
});

test('expressions.assist knows what a search of events can name', async () => {
  const about = 'events';
  const wrong = 'http.request.headers.names[0] eq "a"';
  const { result } = await assist({ expression: wrong, about });
  const [{ start, end, hint }] = result.diagnostics;
  deepEqual(
    [wrong.slice(start, end), hint],
    ['http.request.headers.names', 'events do not store the data of this field'],
  );
  const { result: right } = await assist({ expression: 'http.response.code ge 500', about });
  deepEqual(right.diagnostics, []);
  const { result: next } = await assist({ expression: '', position: 0, about });
  const labels = new Set(next.completions.items.map(({ label }: { label: string }) => label));
  deepEqual(
    ['http.request.uri.path', 'http.request.headers.names'].map((label) => labels.has(label)),
    [true, false],
  );
  equal((await assist({ expression: 'x'.repeat(5000), about })).result.diagnostics.length, 1);
  equal((await assist({ expression: 'ssl', about: 'objects' })).status, 400);
});

test('expressions.assist formats what is valid, and gives its tree', async () => {
  const { result } = await assist({ expression: 'http.host=="a"  &&  not ssl' });
  deepEqual(result.diagnostics, []);
  equal(result.formatted, 'http.host eq "a" and not ssl');
  deepEqual(result.tree, {
    op: 'And',
    items: [
      { lhs: 'http.host', op: 'Equal', rhs: 'a' },
      { op: 'Not', arg: { lhs: 'ssl', op: 'IsTrue' } },
    ],
  });
});

test('expressions.assist checks lists, plan and phase, and says of the whole what has no place', async () => {
  const account = control.control.directory.account!.id;
  await control.call(`POST /accounts/${account}/rules/lists`, { body: { name: 'office', kind: 'ip' } });
  const lists = await assist({ expression: 'ip.src in $', position: 11 });
  deepEqual(
    lists.result.completions.items.map(({ label }: { label: string }) => label),
    ['$office'],
  );
  const misfit = await assist({ expression: 'http.host in $office' });
  deepEqual(
    misfit.result.diagnostics.map(({ code, start, end }: any) => [code, start, end]),
    [['invalid', 0, 20]],
  );
  const expression = 'http.host matches "^a"';
  deepEqual((await assist({ expression })).result.diagnostics, []);
  equal((await assist({ expression }, 'pro')).result.diagnostics[0].code, 'not_entitled');
  equal((await assist({ expression: 'http.response.code eq 200' })).result.diagnostics[0].code, 'phase');
  const later = { expression: 'http.response.code eq 200', phase: 'http_response_headers_transform' };
  deepEqual((await assist(later)).result.diagnostics, []);
  equal((await assist({ expression: ' ' })).result.diagnostics[0].code, 'blank');
});

test('expressions.assist is bounded', async () => {
  const long = await assist({ expression: `${'ssl and '.repeat(600)}ssl`, position: 4_800 });
  equal(long.result.diagnostics.length, 1);
  match(long.result.diagnostics[0].message, /4,?096/);
  deepEqual(long.result.completions.items, []);
  equal((await assist({ expression: 'x'.repeat(8_193) })).status, 400);
  equal((await assist({ expression: 'ssl', position: -1 })).status, 400);
});
