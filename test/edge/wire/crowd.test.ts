/**
 * Many clients at the same moment, while the listeners are busy: as many wait as the kernel queues. The kernel does not
 * answer the others, which try again a second later. Linux only: its kernel reports this.
 */
import { deepEqual } from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { connect } from 'node:net';
import { test, type TestContext } from 'node:test';
import { listen } from '#listeners';
import { proxyUnderTest } from './proxy-under-test.ts';

const crowd = 1_000;
/** The state of a connection whose first packet was not answered. */
const unanswered = '02';

/** Resolves to the number of clients that the kernel has not answered when all have called within one turn. */
async function call(t: TestContext, port: number): Promise<number> {
  const sockets = Array.from({ length: crowd }, () => connect(port, '127.0.0.1').on('error', () => {}));
  t.after(() => {
    for (const socket of sockets) socket.destroy();
  });
  // Node connects to an address of digits in the next tick.
  await new Promise((resolve) => void process.nextTick(resolve));
  const wanted = port.toString(16).toUpperCase().padStart(4, '0');
  return readFileSync('/proc/net/tcp', 'utf8')
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter(([, , remote, state]) => remote?.endsWith(`:${wanted}`) && state === unanswered).length;
}

if (process.platform === 'linux')
  test('a crowd of new connections waits for the listeners, as many as the kernel keeps', async (t) => {
    // One more than its length is kept.
    const kept = 1 + Number(readFileSync('/proc/sys/net/core/somaxconn', 'utf8'));
    const repelled = Math.max(0, crowd - kept);
    const api = createServer();
    const { url, close } = await listen(api, { host: '127.0.0.1', port: 0 });
    t.after(() => close(0));
    await using edge = await proxyUnderTest();
    deepEqual([await call(t, Number(new URL(url).port)), await call(t, edge.port)], [repelled, repelled]);
  });
