import { writeSync } from 'node:fs';
import { workerData } from 'node:worker_threads';
import { readWorkNotes } from '#work';
import type { HangThreadData } from './hang-watch.ts';

const { words: buffer, notes, hangMs } = workerData as HangThreadData;
const words = new Int32Array(buffer);
/** Its value never changes, so waiting for it is a sleep. */
const never = new Int32Array(new SharedArrayBuffer(4));

for (let seen = Atomics.load(words, 0), stillMs = 0, lookMs = 500; ;) {
  const cpuBefore = process.cpuUsage();
  Atomics.wait(never, 0, 0, lookMs);
  const { user, system } = process.cpuUsage(cpuBefore);
  const now = Atomics.load(words, 0);
  // Only computing counts: a paused debugger, or a machine that slept, is not a hang.
  stillMs = now === seen ? stillMs + Math.min(lookMs, (user + system) / 1_000) : 0;
  seen = now;
  if (stillMs < hangMs) continue;
  const { object = 'code of the story or of an object' } = readWorkNotes(notes);
  writeSync(
    2,
    `gatehouse: seed ${words[1]}: ${object} has computed for ${Math.round(stillMs / 1_000)} s without a pause: an endless loop. The process is ended.\n`,
  );
  process.kill(process.pid, 'SIGKILL');
}
