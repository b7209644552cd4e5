import { deepEqual, equal } from 'node:assert/strict';
import { test } from 'node:test';
import { legacyPackages } from '#managed';
import { type OperationId, operations } from '#contract';
import { TestZone } from './testing.ts';

const [signatures, scores] = legacyPackages;
const id = '0'.repeat(32);

/** Valid input for each operation before migration. */
const inputs = {
  'wafPackages.list': {},
  'wafPackages.get': { path: { package_id: scores!.id } },
  'wafPackages.edit': { path: { package_id: scores!.id }, body: { sensitivity: 'low' } },
  'wafGroups.list': { path: { package_id: scores!.id } },
  'wafGroups.get': { path: { package_id: scores!.id, group_id: scores!.groups[0]!.id } },
  'wafGroups.edit': {
    path: { package_id: scores!.id, group_id: scores!.groups[0]!.id },
    body: { mode: 'off' },
  },
  'wafRules.list': { path: { package_id: signatures!.id } },
  'wafRules.get': { path: { package_id: signatures!.id, rule_id: signatures!.rules[0]!.id } },
  'wafRules.edit': {
    path: { package_id: signatures!.id, rule_id: signatures!.rules[0]!.id },
    body: { mode: 'simulate' },
  },
  'wafOverrides.create': {
    body: { urls: ['zone.example/*'], groups: { [scores!.groups[0]!.id]: 'disable' } },
  },
  'wafOverrides.list': {},
  'wafOverrides.get': { path: { override_id: id } },
  'wafOverrides.update': { path: { override_id: id }, body: { urls: ['zone.example/*'] } },
  'wafOverrides.delete': { path: { override_id: id } },
} satisfies Partial<Record<OperationId, object>>;

test('every operation on legacy managed rules is refused with one code once the zone is migrated', async () => {
  await using zone = await TestZone.open();
  const before = await zone.configuration();
  await zone.migrate();
  const families = Object.keys(operations).filter((each) =>
    /^waf(?:Packages|Groups|Rules|Overrides)\./.test(each),
  );
  deepEqual(Object.keys(inputs).toSorted(), families.toSorted());
  for (const [operation, input] of Object.entries(inputs)) {
    const { status, result, errors } = await zone.answer(operation as OperationId, input);
    const what = operation.startsWith('wafOverrides') ? 'WAF overrides' : 'WAF packages';
    deepEqual([status, result], [400, null], operation);
    deepEqual(errors, [
      { code: 1101, message: `${what} are not available: zone migrated to managed rulesets` },
    ]);
  }
  deepEqual(await zone.configuration(), before);
});

test('the setting waf is read-only once the zone is migrated; page rules still work', async () => {
  await using zone = await TestZone.open();
  const path = { setting_id: 'waf' };
  await zone.answer('settings.edit', { path, body: { value: 'on' } });
  await zone.migrate();
  const { result } = await zone.answer('settings.get', { path });
  deepEqual([result.value, result.editable], ['on', false]);
  const { status, errors } = await zone.answer('settings.edit', { path, body: { value: 'off' } });
  equal(status, 400);
  deepEqual(errors, [
    { code: 1015, message: 'Not allowed to edit setting for waf: zone migrated to managed rulesets' },
  ]);
  const targets = [{ target: 'url', constraint: { operator: 'matches', value: 'zone.example/*' } }];
  const made = await zone.answer('pageRules.create', {
    body: { targets, actions: [{ id: 'disable_security' }] },
  });
  equal(made.status, 200);
});
