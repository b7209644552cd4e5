import assert from 'node:assert/strict';
import { test } from 'node:test';
import { phases as phasesOfRules } from '#expressions';
import { evaluatedPhases, hasPhase, isEvaluatedPhase, phases } from './phases.ts';

test('phases has every phase of the language, in the same order', () => {
  const known = [...phases.keys()];
  const ordered = Object.keys(phasesOfRules).sort((a, b) => known.indexOf(a) - known.indexOf(b));
  assert.deepEqual(ordered, Object.keys(phasesOfRules));
  assert.ok(Object.keys(phasesOfRules).every((name) => phases.has(name)));
});

test('phases marks the two that are evaluated', () => {
  const evaluated = [...phases.values()].filter(({ isEvaluated }) => isEvaluated).map(({ name }) => name);
  assert.deepEqual(evaluated, evaluatedPhases);
  assert.equal(isEvaluatedPhase('http_request_sbfm'), false);
});

test('hasPhase keeps phases of packets from zones', () => {
  assert.equal(hasPhase('zone', 'http_ratelimit'), true);
  assert.equal(hasPhase('zone', 'magic_transit'), false);
  assert.equal(hasPhase('account', 'magic_transit'), true);
  assert.equal(hasPhase('account', 'http_nothing'), false);
});
