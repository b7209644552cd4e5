import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { compareFirewallRules, firewallRuleActions } from './firewall-rules.ts';

const rule = fc.record({
  action: fc.constantFrom(...firewallRuleActions),
  priority: fc.option(fc.nat({ max: 3 })),
});

test('compareFirewallRules goes by priority, then action, then age', () => {
  const rows: [number | null, Parameters<typeof compareFirewallRules>[0]['action'], number][] = [
    [null, 'block', 1],
    [null, 'log', 2],
    [10, 'block', 3],
    [2, 'block', 4],
    [2, 'allow', 5],
    [2, 'allow', 0],
    [0, 'block', 6],
  ];
  const rules = rows.map(([priority, action, sequence]) => ({ priority, action, sequence }));
  assert.deepEqual(
    rules.sort(compareFirewallRules).map(({ sequence }) => sequence),
    [6, 0, 5, 4, 3, 2, 1],
  );
});

test('compareFirewallRules is a total order, with rules without priority last', () => {
  fc.assert(
    fc.property(fc.array(rule, { maxLength: 12 }), (drafts) => {
      const rules = drafts.map((draft, sequence) => ({ ...draft, sequence }));
      const sorted = rules.toSorted(compareFirewallRules);
      assert.deepEqual(rules.toReversed().sort(compareFirewallRules), sorted);
      const priorities = sorted.map(({ priority }) => priority ?? Infinity);
      assert.deepEqual(
        priorities,
        priorities.toSorted((a, b) => (a === b ? 0 : a - b)),
      );
    }),
  );
});
