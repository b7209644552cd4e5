import { deepEqual } from 'node:assert/strict';
import { test } from 'node:test';
import { suggestLimit } from './suggest-limit.ts';

const group = (window: number, address: string, count: number) => ({
  count,
  values: [String(window), address],
});

test('suggestLimit answers what 99.9 % of visitors never exceed, and whom it would have stopped', () => {
  const crowd = Array.from({ length: 1_999 }, (_, index) =>
    group(0, `10.0.${index >> 8}.${index & 255}`, 1 + (index % 8)),
  );
  const attacker = [group(0, '192.0.2.1', 500), group(1, '192.0.2.1', 10), group(2, '192.0.2.1', 5)];
  deepEqual(suggestLimit([...crowd, ...attacker]), {
    visitors: 2_000,
    requests: crowd.reduce((sum, { count }) => sum + count, 0) + 515,
    suggestedLimit: 8,
    peak: 500,
    stoppedVisitors: 1,
    stoppedRequests: 494,
    stopped: [{ address: '192.0.2.1', peak: 500, requests: 494 }],
  });
});

test('suggestLimit tries another limit, and has nothing to say of nobody', () => {
  const groups = [group(0, 'a', 3), group(0, 'b', 9)];
  const { suggestedLimit, stopped } = suggestLimit(groups, 2);
  deepEqual(
    [suggestedLimit, stopped],
    [
      9,
      [
        { address: 'b', peak: 9, requests: 7 },
        { address: 'a', peak: 3, requests: 1 },
      ],
    ],
  );
  deepEqual(suggestLimit([]).suggestedLimit, 0);
});
