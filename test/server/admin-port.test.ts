import { deepEqual, equal } from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { Worker } from 'node:worker_threads';
import { eventually } from '../eventually.ts';
import { serveAdmin } from '../../src/program/server/admin/admin-server.ts';

const options = {
  answer: async ({ target }: { readonly target: string }) => ({
    status: target === '/readyz' ? 200 : 404,
    headers: { 'content-type': 'text/plain' },
    body: `asked for ${target}\n`,
  }),
  host: '127.0.0.1',
  port: 0,
  onError: (error: unknown) => {
    throw error;
  },
};

/**
 * Sends requests from another thread until it gets this status, and wakes this one, which does nothing else meanwhile.
 */
async function blockUntil(url: string, status: number): Promise<void> {
  const words = new Int32Array(new SharedArrayBuffer(8));
  const source = `
    const { parentPort, workerData: { status, url, words } } = require('node:worker_threads');
    const http = require('node:http');
    const ask = (then) => http.get(url, { agent: false }, (response) => {
      response.resume();
      then(response.statusCode);
    });
    ask(() => {
      parentPort.postMessage('it has asked once');
      Atomics.wait(words, 1, 0);
      ask(function look(answered) {
        if (answered !== status) return void setTimeout(ask, 10, look);
        Atomics.store(words, 0, answered);
        Atomics.notify(words, 0);
      });
    });`;
  const worker = new Worker(source, { eval: true, workerData: { url, status, words } });
  worker.unref();
  // A thread takes long to start on a busy machine, in which this one must not be silent.
  await once(worker, 'message');
  Atomics.store(words, 1, 1);
  Atomics.notify(words, 1);
  Atomics.wait(words, 0, 0, 120_000);
  equal(words[0], status);
}

test('serveAdmin answers /livez while the program is busy, until the program has been silent for too long', async () => {
  const server = await serveAdmin({ ...options, liveMs: 5_000 });
  await blockUntil(`${server.url}/livez`, 200);
  await blockUntil(`${server.url}/livez`, 503);
  // The next heartbeat shows that it is alive.
  await eventually(
    async () => (await fetch(`${server.url}/livez`)).status === 200,
    'the program lives again',
  );
  await server.close({ graceMs: 1_000 });
});

test('serveAdmin lets the program answer everything else', async () => {
  const server = await serveAdmin(options);
  const answers = [];
  for (const path of ['/readyz', '/metrics?a=b', '/nothing']) {
    const response = await fetch(`${server.url}${path}`);
    answers.push([response.status, await response.text()]);
  }
  deepEqual(answers, [
    [200, 'asked for /readyz\n'],
    [404, 'asked for /metrics?a=b\n'],
    [404, 'asked for /nothing\n'],
  ]);
  await server.close({ graceMs: 1_000 });
});
