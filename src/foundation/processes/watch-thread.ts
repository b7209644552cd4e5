/**
 * The watchdog of a child process: a thread of its own, so it runs while the main thread does not. With every beat it
 * shows its parent that the process lives, and it says when the event loop of the main thread does not turn, or when a
 * statement of SQL takes longer than it may: SQLite, as Node has it, cannot be interrupted. A parent that is gone cannot
 * read: then it ends the process, so that no child outlives its parent.
 */
import { writeSync } from 'node:fs';
import { workerData } from 'node:worker_threads';
import type { WorkKind } from '#base';
import { measureMemory } from './measured/measure-memory.ts';
import { firstPassedFd, type WatchLine, type WatchThreadData, watchWords } from './messages.ts';
import { Stretch, type Used } from './measured/stretch.ts';
import { readWaitedForCpu } from './measured/waited-for-cpu.ts';

const data = workerData as WatchThreadData;
const { words: buffer, notes, beatMs, blockedFactor, statementClockFactor, lookMsMax } = data;
const words = new Int32Array(buffer);
/** The number of the name of each kind of work, and how many statements were begun. */
const noted = new Int32Array(notes.buffer, 0, notes.kinds.length + 1);
const names = Buffer.from(notes.buffer, notes.namesStart);
/** It never changes, so waiting for it is a sleep. */
const never = new Int32Array(new SharedArrayBuffer(4));

/** Reading it costs a system call; a process does not grow much within a second. */
const beatsPerMemoryReading = 10;

/** What the system said last. */
let waitedMs = 0;
const turn = new Stretch(readUsed);
const statement = new Stretch(readUsed);
let lookedMs = performance.now();

for (let beat = 0; ; beat++) {
  tell(
    beat % beatsPerMemoryReading === 0 ? { kind: 'beat', residentBytes: measureMemory() } : { kind: 'beat' },
  );
  lookAtMainThread();
  Atomics.wait(never, 0, 0, beatMs);
}

function lookAtMainThread(): void {
  const nowMs = performance.now();
  const sinceLookMs = Math.min(nowMs - lookedMs, lookMsMax);
  lookedMs = nowMs;
  lookAt(turn, 'stuck', {
    now: Atomics.load(words, watchWords.turns),
    sinceLookMs,
    msMax: Atomics.load(words, watchWords.stuckMs),
    clockFactor: blockedFactor,
    // A machine that is busy has not stopped: ending what waits for a processor would make it busier.
    clock: 'ownMs',
  });
  const runs = Atomics.load(noted, notes.kinds.indexOf('statement')) !== 0;
  lookAt(statement, 'statement', {
    now: runs ? Atomics.load(noted, notes.kinds.length) : -1,
    sinceLookMs,
    msMax: runs ? Atomics.load(words, watchWords.statementMs) : 0,
    clockFactor: statementClockFactor,
    clock: 'clockMs',
  });
}

interface Allowed {
  readonly now: number;
  readonly sinceLookMs: number;
  readonly msMax: number;
  /** So many times `msMax` may pass, of this. */
  readonly clockFactor: number;
  readonly clock: 'clockMs' | 'ownMs';
}

/** CPU time counts, and time as well: those who wait for the event loop do not care what keeps it. */
function lookAt(
  stretch: Stretch,
  kind: 'stuck' | 'statement',
  { now, sinceLookMs, msMax, clockFactor, clock }: Allowed,
): void {
  const taken = stretch.look(now, sinceLookMs);
  if (stretch.isTold || msMax === 0) return;
  const isOver = (taken.cpuMs >= msMax && taken.ownMs >= msMax) || taken[clock] >= msMax * clockFactor;
  if (!isOver) return;
  stretch.isTold = true;
  tell({ kind, ms: Math.round(taken.clockMs), work: readNotes() });
}

function readUsed(): Used {
  const { user, system } = process.cpuUsage();
  waitedMs = readWaitedForCpu(process.pid) ?? waitedMs;
  return { cpuMs: (user + system) / 1_000, waitedMs };
}

function tell(line: WatchLine): void {
  const fd = Atomics.load(words, watchWords.beatsFd);
  const isOrphan = fd === firstPassedFd;
  try {
    const orphan = isOrphan ? { orphan: process.pid } : {};
    writeSync(fd, `${JSON.stringify({ ...line, ...orphan })}\n`);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    // A parent that is too busy to read has what it needs in the lines before.
    if (code === 'EAGAIN') return;
    // The parent is gone. Its successor may take this process over, as long as their watchdog is there.
    if (!isOrphan && Atomics.load(words, watchWords.mayOutlive) === 1)
      Atomics.store(words, watchWords.beatsFd, firstPassedFd);
    else process.kill(process.pid, 'SIGKILL');
  } finally {
    // The watchdog only notes it: nothing that a process sends makes it end another one.
    if (isOrphan && line.kind !== 'beat') process.kill(process.pid, 'SIGKILL');
  }
}

/** As `readWorkNotes` of the room `base`, which is too large to be loaded by a thread of every process. */
function readNotes(): Partial<Record<WorkKind, string>> {
  const { kinds, slotBytes, slotsMax, nameBytesMax } = notes;
  const found: Partial<Record<WorkKind, string>> = {};
  for (const [index, kind] of kinds.entries()) {
    const number = Atomics.load(noted, index);
    if (number === 0) continue;
    const start = (number % slotsMax) * slotBytes;
    const bytes = names.subarray(start, start + nameBytesMax);
    found[kind] = bytes.toString('utf8', 0, bytes.indexOf(0));
  }
  return found;
}
