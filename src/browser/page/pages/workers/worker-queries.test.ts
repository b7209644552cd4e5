import { deepEqual } from 'node:assert/strict';
import { test } from 'node:test';
import { countByVersion } from './worker-queries.ts';

test('countByVersion adds the requests of one Worker by version, with failures and the mean of their times', () => {
  const requests = (worker: string, status: string, version: string, value: number) => ({
    labels: { worker, status, version },
    value,
  });
  const counts = countByVersion(
    [
      {
        name: 'gatehouse_worker_requests_total',
        help: '',
        type: 'counter',
        points: [
          requests('a', '2xx', '1', 3),
          requests('a', '5xx', '1', 1),
          requests('a', '2xx', '2', 5),
          requests('b', '2xx', '1', 7),
        ],
      },
      {
        name: 'gatehouse_worker_request_duration_seconds',
        help: '',
        type: 'histogram',
        points: [
          { labels: { worker: 'a', version: '1' }, distribution: { bounds: [1], counts: [3, 1], sum: 2 } },
        ],
      },
    ],
    'a',
  );
  deepEqual(
    [...counts],
    [
      ['1', { requests: 4, failures: 1, meanMs: 500 }],
      ['2', { requests: 5, failures: 0, meanMs: undefined }],
    ],
  );
});
