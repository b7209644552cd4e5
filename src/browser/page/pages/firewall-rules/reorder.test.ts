import { deepEqual, equal, ok } from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { moveItem } from '../rules/listed-rule.ts';
import { findNext, planMove, type Ranked } from './reorder.ts';

/** In the server's order: those without a priority last, equals unchanged. */
function sortRanked(rules: readonly Ranked[]): readonly Ranked[] {
  return rules.toSorted((one, other) => (one.priority ?? Infinity) - (other.priority ?? Infinity) || 0);
}

test('planMove puts a rule where it was dropped and leaves the order of the others', () => {
  const priorities = fc.array(fc.option(fc.nat({ max: 40 })), { minLength: 1, maxLength: 12 });
  fc.assert(
    fc.property(priorities, fc.nat(), fc.nat(), (given, one, other) => {
      const rules = sortRanked(given.map((priority, index) => ({ id: `r${index}`, priority })));
      const [from, to] = [one % rules.length, other % rules.length];
      const changes = new Map(planMove(rules, from, to).map(({ id, priority }) => [id, priority]));
      const after = rules.map((rule) => ({ ...rule, priority: changes.get(rule.id) ?? rule.priority }));
      deepEqual(
        sortRanked(after).map(({ id }) => id),
        moveItem(rules, from, to).map(({ id }) => id),
      );
      ok([...changes.values()].every((priority) => priority > 0 || rules.length === 1));
    }),
  );
});

test('planMove changes one rule where there is room, and from the first on where there is none', () => {
  const spaced = [10, 20, 30].map((priority, index) => ({ id: `r${index}`, priority }));
  deepEqual(planMove(spaced, 2, 1), [{ id: 'r2', priority: 15 }]);
  const unranked = ['a', 'b', 'c'].map((id) => ({ id, priority: null }));
  deepEqual(planMove(unranked, 2, 1), [
    { id: 'a', priority: 10 },
    { id: 'c', priority: 20 },
  ]);
});

test('findNext places an unsaved rule as the server would: by priority, then by action, the newest last', () => {
  const rules = [
    { id: 'a', created_on: '2026-01-01', priority: 5, action: 'block', paused: false },
    { id: 'p', created_on: '2026-01-02', priority: 6, action: 'block', paused: true },
    { id: 'b', created_on: '2026-01-03', priority: null, action: 'allow', paused: false },
    { id: 'c', created_on: '2026-01-04', priority: null, action: 'block', paused: false },
  ];
  equal(findNext(rules, undefined, { priority: '5', action: 'block' }), 'b');
  equal(findNext(rules, undefined, { priority: '5', action: 'allow' }), 'a');
  equal(findNext(rules, undefined, { priority: '', action: 'log' }), 'b');
  equal(findNext(rules, undefined, { priority: '', action: 'block' }), null);
  equal(findNext(rules, 'b', { priority: '', action: 'allow' }), 'c');
  equal(findNext(rules, 'a', { priority: '', action: 'block' }), 'c');
  equal(findNext(rules, 'c', { priority: '5', action: 'block' }), 'b');
  equal(findNext(rules, 'c', { priority: '', action: 'block' }), null);
});
