/** Clients that request a large response and disconnect: the program releases their resources, and continues. */
import { deepEqual, equal } from 'node:assert/strict';
import { readdirSync, readlinkSync } from 'node:fs';
import { connect } from 'node:net';
import { once } from 'node:events';
import { test } from 'node:test';
import { eventually } from '../eventually.ts';
import { Gatehouse, type ReadyFacts, temporary } from './gatehouse.ts';
import { createLimitedToken } from './limited-token.ts';

/** At each moment. Some are refused, because only a few copies are read at a time. */
const leavers = 20;

/** Removed files that a process still has open: copies of databases that are being sent to a client. */
function listRemovedFiles(pid: number): string[] {
  const folder = `/proc/${pid}/fd`;
  return readdirSync(folder).flatMap((fd) => {
    try {
      const target = readlinkSync(`${folder}/${fd}`);
      return target.includes('copy') && target.endsWith('(deleted)') ? [target] : [];
    } catch {
      // Closed between the two calls.
      return [];
    }
  });
}

async function countAnswered({ api }: ReadyFacts): Promise<number> {
  const page = await (await fetch(new URL('/metrics', api))).text();
  const lines = page.split('\n').filter((line) => line.startsWith('gatehouse_api_requests_total{'));
  return lines.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0);
}

/**
 * Sends a request, and disconnects at once, or when the first part of the response has arrived: the former starts no
 * work.
 */
async function leave(url: URL, token: string, moment: 'at once' | 'within the answer'): Promise<void> {
  const socket = connect(Number(url.port), url.hostname);
  socket.on('error', () => {});
  await once(socket, 'connect');
  const head = `GET ${url.pathname} HTTP/1.1\r\nhost: h\r\nauthorization: Bearer ${token}\r\n\r\n`;
  await new Promise((resolve) => socket.write(head, resolve));
  if (moment === 'within the answer') await once(socket, 'data');
  socket.destroy();
}

test(
  'gatehouse serve gives up exports whose clients went away, and answers on',
  { skip: process.platform !== 'linux' },
  async (t) => {
    const { server, ready } = await Gatehouse.start(t, {
      directory: temporary(t),
      args: ['--rate-limit', 'false'],
    });
    const token = await createLimitedToken(ready, { groups: ['Account Objects Read'] });
    const place = `/accounts/${ready.account_id}/objects/Account/account/export`;
    const read = async (): Promise<number> => {
      const answer = await fetch(`${ready.api}${place}`, { headers: { authorization: `Bearer ${token}` } });
      await answer.arrayBuffer();
      return answer.status;
    };
    equal(await read(), 200);
    const before = await countAnswered(ready);
    for (const moment of ['at once', 'within the answer'] as const) {
      const leaving = () => leave(new URL(`${ready.api}${place}`), token, moment);
      await Promise.all(Array.from({ length: leavers }, leaving));
    }
    await eventually(async () => (await countAnswered(ready)) >= before + leavers, 'every answer is made');
    await eventually(() => listRemovedFiles(server.process.pid!).length === 0, 'every file is closed');
    deepEqual([server.process.exitCode, await read()], [null, 200]);
  },
);
