import { deepEqual } from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { ruleOf, Shelves } from './testing.ts';

const managed = 'http_request_firewall_managed';

let shelves: Shelves;
before(async () => {
  shelves = await Shelves.open();
});
after(() => shelves.close());

test('entryPointsOf and customRulesetsOf leave out phases that are not evaluated, and keep the order of execution', async () => {
  const shelf = shelves.get('evaluated');
  await shelf.put([
    { id: 'late', kind: 'root', phase: managed },
    { id: 'other', kind: 'root', phase: 'http_ratelimit' },
    { id: 'early', kind: 'root' },
    { id: 'own', kind: 'custom' },
    { id: 'transform', kind: 'custom', phase: 'http_request_transform' },
  ]);
  deepEqual(await shelf.entryPointIds(), ['early', 'late']);
  deepEqual(await shelf.customIds(), ['own']);
});

test('listReferences finds the rules that name a list, not those that only look like it', async () => {
  const shelf = shelves.get('lists');
  await shelf.put([
    {
      rules: [
        ruleOf('named', 'not ip.src in $office'),
        ruleOf('longer', 'ip.src in $office_vpn'),
        ruleOf('text', 'http.host eq "$office"'),
      ],
    },
    {
      id: 'b',
      kind: 'root',
      phase: managed,
      rules: [ruleOf('account', '(ip.src in $office) and cf.zone.plan eq "ENT"')],
    },
  ]);
  deepEqual(await shelf.listReferences('office'), [
    { rulesetId: 'a', ruleId: 'named' },
    { rulesetId: 'b', ruleId: 'account' },
  ]);
  deepEqual(await shelf.listReferences('off'), []);
  // Earlier versions do not keep a list.
  await shelf.put([{ version: '2' }]);
  deepEqual(await shelf.listReferences('office_vpn'), []);
});
