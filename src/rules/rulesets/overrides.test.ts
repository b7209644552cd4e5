import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Overrides } from './model.ts';
import { resolveOverrides } from './overrides.ts';

const rules = [
  { id: 'plain', categories: [], enabled: true, action: 'block' },
  { id: 'off', categories: ['beta'], enabled: false, action: 'block' },
  { id: 'both', categories: ['sqli', 'beta'], enabled: true, action: 'managed_challenge' },
  { id: 'score', categories: [], enabled: true, action: 'block', score_threshold: 40 },
];

function effective(id: string, overrides?: Overrides): unknown {
  return resolveOverrides(rules, overrides).get(id);
}

test('resolveOverrides leaves the defaults where nothing is overridden', () => {
  assert.deepEqual(
    [...resolveOverrides(rules)],
    [
      ['plain', { enabled: true, action: 'block' }],
      ['off', { enabled: false, action: 'block' }],
      ['both', { enabled: true, action: 'managed_challenge' }],
      ['score', { enabled: true, action: 'block', scoreThreshold: 40 }],
    ],
  );
});

test('resolveOverrides lets the rule beat the category and the category the ruleset', () => {
  const overrides: Overrides = {
    action: 'log',
    enabled: false,
    categories: [{ category: 'beta', action: 'challenge' }],
    rules: [{ id: 'both', enabled: true }],
  };
  assert.deepEqual(effective('plain', overrides), { enabled: false, action: 'log' });
  assert.deepEqual(effective('off', overrides), { enabled: false, action: 'challenge' });
  assert.deepEqual(effective('both', overrides), { enabled: true, action: 'challenge' });
});

test('resolveOverrides lets the later of two categories win, property by property', () => {
  const beta = { category: 'beta', action: 'log' } as const;
  const sqli = { category: 'sqli', action: 'block', enabled: false } as const;
  assert.deepEqual(effective('both', { categories: [sqli, beta] }), { enabled: false, action: 'log' });
  assert.deepEqual(effective('both', { categories: [beta, sqli] }), { enabled: false, action: 'block' });
});

test('resolveOverrides can enable what is off, and move the threshold', () => {
  assert.deepEqual(effective('off', { enabled: true }), { enabled: true, action: 'block' });
  assert.deepEqual(effective('score', { rules: [{ id: 'score', action: 'log', score_threshold: 25 }] }), {
    enabled: true,
    action: 'log',
    scoreThreshold: 25,
  });
});
