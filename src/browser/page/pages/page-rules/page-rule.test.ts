import { deepEqual, equal, throws } from 'node:assert/strict';
import { test } from 'node:test';
import { getFirstValue, toBody, toDraft, valueKinds } from './page-rule.ts';

test('toBody sends each value as its action takes it', () => {
  const draft = { ...toDraft(undefined), url: ' shop.example/* ', priority: '3' };
  const actions = [
    { id: 'disable_security', text: '' },
    { id: 'waf', text: 'off' },
    { id: 'edge_cache_ttl', text: '60' },
    { id: 'minify', text: '{"js": "on"}' },
  ];
  deepEqual(toBody({ ...draft, actions }), {
    targets: [{ target: 'url', constraint: { operator: 'matches', value: 'shop.example/*' } }],
    actions: [
      { id: 'disable_security' },
      { id: 'waf', value: 'off' },
      { id: 'edge_cache_ttl', value: 60 },
      { id: 'minify', value: { js: 'on' } },
    ],
    priority: 3,
    status: 'active',
  });
  throws(
    () => toBody({ ...draft, actions: [{ id: 'minify', text: '{' }] }),
    /The value of minify is not JSON/,
  );
});

test('getFirstValue is a value that can be sent, for every action', () => {
  for (const id of valueKinds.keys())
    toBody({ ...toDraft(undefined), actions: [{ id, text: getFirstValue(id) }] });
  equal(getFirstValue('ssl'), 'off');
});
