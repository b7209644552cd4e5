/**
 * The watchdog of a child process: a thread of its own, so it runs while the main thread does not. With every beat it
 * shows its parent that the process lives, and it says when the event loop of the main thread does not turn. A parent
 * that is gone cannot read: then it ends the process, so that no child outlives its parent.
 */
import { writeSync } from 'node:fs';
import { workerData } from 'node:worker_threads';
import type { WorkKind } from '#base';
import { type WatchLine, type WatchThreadData, watchFd, watchWords } from './messages.ts';

const { words: buffer, notes, beatMs, blockedFactor, lookMsMax } = workerData as WatchThreadData;
const words = new Int32Array(buffer);
/** Nobody changes it, so waiting for it is a sleep. */
const never = new Int32Array(new SharedArrayBuffer(4));

/** Reading it costs a system call; a process does not grow much within a second. */
const beatsPerMemoryReading = 10;

let turnsSeen = Atomics.load(words, watchWords.turns);
/** How long the main thread has not turned; a process that was stopped for a while has not hung in that time. */
let passedMs = 0;
let lookedMs = performance.now();
let sinceCpu = process.cpuUsage();
let isTold = false;

for (let beat = 0; ; beat++) {
  tell(
    beat % beatsPerMemoryReading === 0
      ? { kind: 'beat', residentBytes: process.memoryUsage.rss() }
      : { kind: 'beat' },
  );
  lookAtMainThread();
  Atomics.wait(never, 0, 0, beatMs);
}

function lookAtMainThread(): void {
  const turns = Atomics.load(words, watchWords.turns);
  const nowMs = performance.now();
  passedMs += Math.min(nowMs - lookedMs, lookMsMax);
  lookedMs = nowMs;
  if (turns !== turnsSeen) {
    turnsSeen = turns;
    passedMs = 0;
    sinceCpu = process.cpuUsage();
    isTold = false;
    return;
  }
  if (isTold) return;
  const stuckMs = Atomics.load(words, watchWords.stuckMs);
  const { user, system } = process.cpuUsage(sinceCpu);
  const isStuck = (user + system) / 1_000 >= stuckMs && passedMs >= stuckMs;
  if (!isStuck && passedMs < stuckMs * blockedFactor) return;
  isTold = true;
  tell({ kind: 'stuck', ms: Math.round(passedMs), work: readNotes() });
}

function tell(line: WatchLine): void {
  try {
    writeSync(watchFd, `${JSON.stringify(line)}\n`);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    // A parent that is too busy to read has what it needs in the lines before.
    if (code !== 'EAGAIN') process.kill(process.pid, 'SIGKILL');
  }
}

/** As `readWorkNotes` of the room `base`, which is too large to be loaded by a thread of every process. */
function readNotes(): Partial<Record<WorkKind, string>> {
  const { kinds, nameBytes, namesStart } = notes;
  const numbers = new Int32Array(notes.buffer, 0, kinds.length);
  const names = Buffer.from(notes.buffer, namesStart);
  const found: Partial<Record<WorkKind, string>> = {};
  for (const [index, kind] of kinds.entries()) {
    const start = numbers[index]! * nameBytes;
    if (start > 0) found[kind] = names.toString('latin1', start, start + nameBytes).replace(/\0+$/, '');
  }
  return found;
}
