import { deepEqual, equal } from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { TestControl } from './harness.ts';

let control: TestControl;
before(async () => {
  control = await TestControl.open();
});
after(() => control.close());

test('filters.create answers with the filters in their order, and a second one of the same expression is refused', async () => {
  const filters = `/zones/${control.zone('pro')}/filters`;
  const made = await control.call(`POST ${filters}`, {
    body: [
      { expression: ' ip.src eq 192.0.2.1 ', description: 'one' },
      { expression: 'http.host eq "a"', ref: 'x' },
    ],
  });
  equal(made.status, 200);
  const [one, two] = made.result as { id: string }[];
  deepEqual(made.result, [
    { id: one!.id, paused: false, description: 'one', expression: 'ip.src eq 192.0.2.1' },
    { id: two!.id, paused: false, ref: 'x', expression: 'http.host eq "a"' },
  ]);
  const again = await control.call(`POST ${filters}`, { body: [{ expression: 'ip.src eq 192.0.2.1' }] });
  equal(again.status, 400);
  deepEqual(again.errors, [
    {
      code: 10102,
      message: 'config duplicates an already existing config',
      source: { pointer: '/0' },
      meta: { id: one!.id },
    },
  ]);
});
