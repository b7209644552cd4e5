import { deepEqual, equal, rejects, throws } from 'node:assert/strict';
import { test } from 'node:test';
import type { Position } from '#journal';
import type { Owner } from '../ledger/records.ts';
import { MemoryLog } from './memory-log.ts';

interface Opened {
  readonly log: MemoryLog;
  /** Settles each sync. */
  readonly syncs: Array<PromiseWithResolvers<void>>;
  readonly settled: string[];
  readonly append: (text: string) => Promise<void>;
}

function open({ isDown = (): boolean => false } = {}): Opened {
  const syncs: Array<PromiseWithResolvers<void>> = [];
  const settled: string[] = [];
  const sync = (): Promise<void> => {
    const ended = Promise.withResolvers<void>();
    syncs.push(ended);
    return ended.promise;
  };
  const log = new MemoryLog({ owner: 'a' as Owner, now: () => 7, isDown, sync });
  const append = (text: string): Promise<void> =>
    log.append([Buffer.from(text)], () => settled.push(text)).durable;
  return { log, syncs, settled, append };
}

test('MemoryLog makes records durable in order, those that come during a sync with the next one', async () => {
  const { log, syncs, settled, append } = open();
  const durable = [append('1'), append('2'), append('3')];
  equal(syncs.length, 1);
  syncs[0]!.resolve();
  await durable[0];
  deepEqual(settled, ['1']);
  equal(syncs.length, 2);
  syncs[1]!.resolve();
  await Promise.all(durable);
  deepEqual(settled, ['1', '2', '3']);
  equal(Buffer.from(log.read(3 as Position).payload).toString(), '3');
});

test('MemoryLog keeps the first records of a crash and loses the others, and tells none of their writers', async () => {
  const { log, syncs, settled, append } = open();
  const durable = [append('1'), append('2'), append('3')];
  log.crash(2);
  for (const each of durable) await rejects(each, /cannot make a write durable: the host has stopped/);
  deepEqual(settled, ['1', '2']);
  equal(log.durableEnd, 3);
  throws(() => log.read(3 as Position), /no record at position 3/);
  // The interrupted sync ends too late to matter, and the position of the lost record is assigned again.
  syncs[0]!.resolve();
  const next = append('4');
  syncs[1]!.resolve();
  await next;
  deepEqual(settled, ['1', '2', '4']);
  equal(log.end, 4);
});

test('MemoryLog loses everything that waits when a sync fails, and goes on', async () => {
  const { log, syncs, settled, append } = open();
  const durable = [append('1'), append('2')];
  syncs[0]!.reject(new Error('ENOSPC'));
  for (const each of durable) await rejects(each, /ENOSPC/);
  equal(log.failures, 1);
  const next = append('3');
  syncs[1]!.resolve();
  await next;
  deepEqual(settled, ['3']);
});

test('MemoryLog takes nothing while its host is down', () => {
  throws(() => open({ isDown: () => true }).append('1'), /the host has stopped/);
});
