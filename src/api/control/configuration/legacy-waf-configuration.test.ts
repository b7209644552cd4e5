import { deepEqual, equal, ok } from 'node:assert/strict';
import { test } from 'node:test';
import { coreRulesFrom } from '#seclang';
import { legacyPackages, replaceCoreRules } from '#managed';
import { TestZone } from '../operations/managed-rules/testing.ts';

const rule = `SecRule ARGS "@contains x" "id:1,phase:2,pass,msg:'X',tag:'paranoia-level/1',setvar:tx.anomaly_score=+5"`;
const files = [{ name: 'one.conf', text: rule }];
await replaceCoreRules(coreRulesFrom('1.0.0', { files, data: [] }, '2026-01-01T00:00:00.000Z'));

const [signatures, scores] = legacyPackages;
const group = signatures!.groups[0]!;
const deny = signatures!.rules[0]!;
const anomaly = scores!.rules[0]!;

test('readLegacyWafConfiguration of an untouched zone is the catalogue, switched off', async () => {
  await using zone = await TestZone.open();
  const { waf, packages, overrides, pageRules } = await zone.configuration();
  equal(waf, 'off');
  deepEqual([overrides, pageRules], [[], []]);
  deepEqual(
    packages.map(({ name, settings }) => [name, settings]),
    [
      ['CloudFlare', null],
      ['OWASP', { sensitivity: 'high', actionMode: 'challenge' }],
      ['USER', null],
    ],
  );
  for (const [index, { groups, rules }] of packages.entries()) {
    const { groups: known, rules: knownRules } = legacyPackages[index]!;
    deepEqual(
      groups,
      known.map(({ id, defaultMode }) => ({ id, mode: defaultMode })),
    );
    deepEqual(
      rules.map(({ id, mode, isChanged }) => [id, mode, isChanged]),
      knownRules.map(({ id, defaultMode }) => [id, defaultMode, false]),
    );
  }
});

test('readLegacyWafConfiguration contains what operations changed', async () => {
  await using zone = await TestZone.open();
  const path = { package_id: signatures!.id };
  await zone.answer('settings.edit', { path: { setting_id: 'waf' }, body: { value: 'on' } });
  await zone.answer('wafPackages.edit', {
    path: { package_id: scores!.id },
    body: { sensitivity: 'medium' },
  });
  const mode = group.defaultMode === 'on' ? 'off' : 'on';
  await zone.answer('wafGroups.edit', { path: { ...path, group_id: group.id }, body: { mode } });
  // An explicitly chosen default: it stays when the catalogue changes.
  await zone.answer('wafRules.edit', {
    path: { ...path, rule_id: deny.id },
    body: { mode: deny.defaultMode },
  });
  const isOn = anomaly.defaultMode === 'on';
  await zone.answer('wafRules.edit', {
    path: { package_id: scores!.id, rule_id: anomaly.id },
    body: { mode: isOn ? 'off' : 'on' },
  });
  const made = await zone.answer('wafOverrides.create', {
    body: { urls: ['zone.example/*'], groups: { [group.id]: 'simulate' } },
  });
  for (const status of ['active', 'disabled']) {
    const targets = [{ target: 'url', constraint: { operator: 'matches', value: `zone.example/${status}` } }];
    await zone.answer('pageRules.create', {
      body: { targets, actions: [{ id: 'waf', value: 'off' }], status },
    });
  }
  const { waf, packages, overrides, pageRules } = await zone.configuration();
  equal(waf, 'on');
  deepEqual(packages[1]!.settings, { sensitivity: 'medium', actionMode: 'challenge' });
  deepEqual(packages[0]!.groups[0], { id: group.id, mode });
  deepEqual(packages[0]!.rules[0], {
    id: deny.id,
    groupId: deny.groupId,
    mode: deny.defaultMode,
    defaultMode: deny.defaultMode,
    isChanged: true,
  });
  const { mode: anomalyMode, isChanged } = packages[1]!.rules[0]!;
  deepEqual([anomalyMode, isChanged], [isOn ? 'off' : 'on', true]);
  deepEqual(
    overrides.map(({ id, groups }) => [id, groups]),
    [[made.result.id, { [group.id]: 'simulate' }]],
  );
  deepEqual(
    pageRules.map(({ pattern, actions }) => [pattern, actions]),
    [['zone.example/active', [{ id: 'waf', value: 'off' }]]],
  );
  ok(packages[0]!.rules.slice(1).every((rule) => !rule.isChanged));
});
