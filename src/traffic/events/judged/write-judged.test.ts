import { equal } from 'node:assert/strict';
import { test } from 'node:test';
import type { Judged } from './judged.ts';
import { writeJudged } from './write-judged.ts';

const step = {
  source: 'firewallCustom',
  phase: 'http_request_firewall_custom',
  rulesetId: 'r',
  version: '1',
  level: 'zone',
  reached: 1,
  ruleCount: 2,
  matched: ['a"b'],
  end: 'decided by a"b',
};
const rule = { source: 'firewallCustom', ruleId: 'a', rulesetId: 'r', action: 'log', description: 'grüß\n' };

test('writeJudged writes what JSON.stringify writes, also if steps are shared', () => {
  const cases: Judged[] = [
    { version: 1, steps: [], rules: [] },
    { version: 2, steps: [step], rules: [rule] },
    { version: 3, path: '/"\\x', steps: [step, { ...step, reached: 2 }, step], rules: [rule, rule] },
    {
      version: 4,
      steps: [step],
      rules: [{ ...rule, tree: { text: 'ssl', result: 'true' } }],
      alsoDeciding: [{ ...rule, contributors: ['1'] }],
    },
  ];
  for (const judged of cases) equal(writeJudged(judged), JSON.stringify(judged));
});
