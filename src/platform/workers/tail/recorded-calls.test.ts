import { deepEqual, equal, rejects } from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { describeFetch, followCalls, noteLog, recordCall, type RecordedCall } from './recorded-calls.ts';

afterEach(() => followCalls(undefined));

function follow(): RecordedCall[] {
  const calls: RecordedCall[] = [];
  followCalls((call) => calls.push(call));
  return calls;
}

test('recordCall hands a call that nobody follows on as it is, and describes nothing', () => {
  const answer = Promise.resolve(1);
  const describe = (): never => {
    throw new Error('described');
  };
  equal(
    recordCall(describe, () => answer),
    answer,
  );
  equal(
    recordCall(describe, () => 2),
    2,
  );
});

test('recordCall tells what a call logged, each call apart, in the order of their ends', async () => {
  const calls = follow();
  const gate = Promise.withResolvers<void>();
  const slow = recordCall(
    () => ({ cron: 'slow' }),
    async () => {
      noteLog('log', ['slow', { deep: [1] }]);
      await gate.promise;
      noteLog('warn', [new TypeError('late').message]);
    },
  );
  await recordCall(
    () => ({ cron: 'quick' }),
    () => noteLog('error', ['quick', undefined, 1n, Symbol.for('s')]),
  );
  gate.resolve();
  await slow;
  noteLog('log', ['outside of calls']);
  deepEqual(
    calls.map(({ event, outcome, logs }) => [
      event,
      outcome,
      logs.map(({ level, message }) => [level, ...message]),
    ]),
    [
      [{ cron: 'quick' }, 'ok', [['error', 'quick', 'undefined', '1n', 'Symbol(s)']]],
      [
        { cron: 'slow' },
        'ok',
        [
          ['log', 'slow', { deep: [1] }],
          ['warn', 'late'],
        ],
      ],
    ],
  );
  equal(
    calls.every(({ cpuTime, wallTime }) => Number.isInteger(cpuTime) && wallTime >= 0),
    true,
  );
});

test('recordCall tells what a call throws, and throws it', async () => {
  const calls = follow();
  const throws = (thrown: unknown): Promise<void> =>
    Promise.resolve(
      recordCall(
        () => ({}),
        () => Promise.reject<void>(thrown),
      ),
    );
  await rejects(throws(new RangeError('too far')), /too far/);
  // oxlint-disable-next-line typescript/prefer-promise-reject-errors -- code of users may
  await rejects(throws('a text'));
  deepEqual(
    calls.map(({ outcome, exceptions }) => [
      outcome,
      ...exceptions.map(({ name, message }) => [name, message]),
    ]),
    [
      ['exception', ['RangeError', 'too far']],
      ['exception', ['Error', 'a text']],
    ],
  );
});

test('recordCall tells the frames of the code of a Worker, by the names of its modules, and none of this program', async () => {
  const calls = follow();
  const error = new Error('at fault:1:2');
  error.stack = [
    'Error: at fault:1:2',
    '    at boom (/uploaded/shop/lib/a b.js:3:7)',
    '    at Array.map (<anonymous>)',
    '    at async /uploaded/shop/index.js:4:1',
    '    at callFetch (file:///opt/our program/entry.ts:131:16)',
    '    at AsyncLocalStorage.run (node:internal/async_local_storage:66:14)',
    '    at file:///opt/worker-process.js:290:22',
  ].join('\n');
  await rejects(async () => {
    await recordCall(
      () => ({}),
      () => {
        noteLog('error', [error]);
        throw error;
      },
    );
  }, /at fault/);
  const kept = [
    'Error: at fault:1:2',
    '    at boom (lib/a b.js:3:7)',
    '    at Array.map (<anonymous>)',
    '    at async index.js:4:1',
  ].join('\n');
  const [{ logs, exceptions }] = calls as [RecordedCall];
  deepEqual([logs[0]?.message[0], exceptions[0]?.stack], [kept, kept]);
});

test('recordCall bounds what a call logs', async () => {
  const calls = follow();
  const circle: Record<string, unknown> = {};
  circle['self'] = circle;
  await recordCall(
    () => ({}),
    () => {
      noteLog('log', ['x'.repeat(100_000), circle]);
      for (let count = 0; count < 1_000; count++) noteLog('log', [count]);
    },
  );
  const [{ logs }] = calls as [RecordedCall];
  equal(logs.length, 200);
  equal(String(logs[0]!.message[0]).length, 8_193);
  equal(logs[0]!.message[1], '<ref *1> { self: [Circular *1] }');
});

test('describeFetch leaves credentials out', () => {
  const request = new Request('http://a.example/b?c', {
    headers: { authorization: 'Bearer a', cookie: 'b', 'x-api-key': 'c', accept: 'd' },
  });
  deepEqual(describeFetch(request, new Response(null, { status: 204 })), {
    request: {
      url: 'http://a.example/b?c',
      method: 'GET',
      headers: { authorization: 'REDACTED', cookie: 'REDACTED', 'x-api-key': 'REDACTED', accept: 'd' },
      cf: {},
    },
    response: { status: 204 },
  });
});
