import { deepEqual, equal, ok } from 'node:assert/strict';
import { test } from 'node:test';
import { StepBudget } from '#work';
import type { RequestView } from '#expressions';
import { requestFrom } from '#request';
import { getJudgingSteps } from '#rulesets';
import { costlyExpression, createCostlyText, judged, type ZoneParts, zoneOf } from './testing.ts';

const hostile = {
  url: 'https://example.com/',
  method: 'POST',
  body: createCostlyText(131_072),
} as const;

const parts = (more: Partial<ZoneParts['more']> = {}): ZoneParts => ({
  firewallRules: [
    { id: 'first', action: 'log', expression: 'http.request.method eq "POST"' },
    { id: 'slow', action: 'log', expression: costlyExpression, description: 'many patterns' },
  ],
  custom: [{ id: 'last', action: 'block', expression: 'http.request.method eq "POST"' }],
  more: { edge: { origin: undefined, overInspectionLimit: 'default' }, ...more },
});

test('CompiledZone gives a request up that takes too many steps, blocks it and names the rule', () => {
  const zone = zoneOf(parts());
  const { verdict, triggered, steps, exhausted } = judged(zone, hostile);
  ok(verdict.kind === 'block');
  deepEqual([verdict.by.ruleId, verdict.by.source], ['judging-budget', 'firewallrules']);
  deepEqual(verdict.by.exhausted, exhausted);
  equal(exhausted?.ruleId, 'slow');
  equal(
    verdict.by.description,
    'Judging this request took more than 20000000 steps, the last of them in rule slow (many patterns); later rules were not evaluated',
  );
  deepEqual(
    triggered.map(({ action, ruleId }) => `${action} ${ruleId}`),
    ['log first', 'block judging-budget'],
  );
  deepEqual(
    steps.map(({ source, reached, end }) => [source, reached, end]),
    [['firewallrules', 2, { kind: 'out of steps', by: 'slow' }]],
  );
});

test('CompiledZone lets a request pass that takes too many steps where the zone says so, with an event', () => {
  const zone = zoneOf(parts({ edge: { origin: undefined, overInspectionLimit: 'log' } }));
  const { verdict, triggered } = judged(zone, hostile);
  equal(verdict.kind, 'pass');
  deepEqual(
    triggered.map(({ action, ruleId }) => `${action} ${ruleId}`),
    ['log first', 'log judging-budget'],
  );
});

test('CompiledZone judges an ordinary request by the same rules, before and after', () => {
  const zone = zoneOf(parts());
  const ordinary = { ...hostile, body: 'name=anna&city=paris' };
  for (let round = 0; round < 2; round++) {
    const { verdict } = judged(zone, ordinary);
    ok(verdict.kind === 'block');
    equal(verdict.by.ruleId, 'last');
    judged(zone, hostile);
  }
});

test('CompiledZone charges all readings of a request to the one budget that it is given', () => {
  const zone = zoneOf(parts());
  const budget = new StepBudget(3_000_000);
  const view = (): RequestView => requestFrom({ ...hostile, body: createCostlyText(2_000) });
  const first = zone.judge({ view: view(), budget });
  equal(first.exhausted?.ruleId, 'slow');
  equal(budget.exceeded, 'steps');
  const second = zone.judge({ view: view(), budget });
  deepEqual(second.exhausted, {
    source: 'firewallManaged',
    ruleId: '',
    rulesetId: '',
    description: '',
    stepsMax: 3_000_000,
  });
  equal(second.verdict.kind, 'block');
});

test('CompiledZone names the rule of a ruleset that another executes', () => {
  const custom = { id: 'inner', action: 'block', expression: costlyExpression } as const;
  const zone = zoneOf({
    custom: [{ id: 'outer', action: 'execute', action_parameters: { id: 'executed' } }],
    customRulesets: [
      {
        id: 'executed',
        name: 'executed',
        description: '',
        kind: 'custom',
        version: '3',
        last_updated: '',
        phase: 'http_request_firewall_custom',
        rules: [{ version: '1', last_updated: '', ref: '', enabled: true, ...custom }],
      },
    ],
    more: { edge: { origin: undefined, overInspectionLimit: 'block' } },
  });
  const { exhausted, steps } = judged(zone, hostile);
  deepEqual([exhausted?.ruleId, exhausted?.rulesetId], ['inner', 'executed']);
  deepEqual(
    steps.map(({ rulesetId, end }) => [rulesetId, end.kind]),
    [
      ['', 'complete'],
      ['executed', 'out of steps'],
      ['zone http_request_firewall_custom', 'out of steps'],
    ],
  );
});

test('CompiledZone says which budget was used up if a body had added to it', () => {
  const budget = new StepBudget(getJudgingSteps(1_000));
  const { verdict } = zoneOf(parts()).judge({ view: requestFrom(hostile), budget });
  ok(verdict.kind === 'block');
  ok(verdict.by.description.startsWith('Judging this request took more than 20400000 steps'));
  equal(getJudgingSteps(0), 20_000_000);
});
