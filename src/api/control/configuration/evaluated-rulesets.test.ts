import { deepEqual } from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Shelves } from '../operations/rulesets/testing.ts';

const managed = 'http_request_firewall_managed';

let shelves: Shelves;
before(async () => {
  shelves = await Shelves.open();
});
after(() => shelves.close());

test('readEvaluatedEntryPoints and readEvaluatedCustomRulesets leave out other phases, and keep the order of execution', async () => {
  const shelf = shelves.get('evaluated');
  await shelf.put([
    { id: 'late', kind: 'root', phase: managed },
    { id: 'between', kind: 'root', phase: 'http_ratelimit' },
    { id: 'other', kind: 'root', phase: 'http_request_origin' },
    { id: 'early', kind: 'root' },
    { id: 'own', kind: 'custom' },
    { id: 'transform', kind: 'custom', phase: 'http_request_transform' },
  ]);
  deepEqual(await shelf.entryPointIds(), ['early', 'between', 'late']);
  deepEqual(await shelf.customIds(), ['own']);
});
