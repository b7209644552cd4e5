/**
 * The watchdog of a child process: a thread of its own, so it runs while the main thread is blocked. With every
 * heartbeat it shows the parent that the process is alive, and it reports when the event loop of the main thread is
 * blocked, or when a statement of SQL exceeds its time limit: SQLite in Node cannot be interrupted. A parent that has
 * ended cannot read: then it kills the process, so that no child outlives its parent.
 */
import { writeSync } from 'node:fs';
import { workerData } from 'node:worker_threads';
import type { WorkKind } from '#work';
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
/** Its value never changes, so waiting for it is a sleep. */
const never = new Int32Array(new SharedArrayBuffer(4));

/** Reading it costs a system call; a process does not grow much within a second. */
const beatsPerMemoryReading = 10;

/** The last value that the system reported. */
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
    // A busy machine has not hung: killing a process that waits for a processor would make it busier.
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
  /** This many times `msMax` may pass by this clock. */
  readonly clockFactor: number;
  readonly clock: 'clockMs' | 'ownMs';
}

/** CPU time counts, and also elapsed time: callers that wait for the event loop do not care why it is blocked. */
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
    // A parent that is too busy to read has enough earlier lines.
    if (code === 'EAGAIN') return;
    // The parent has ended. Its successor may adopt this process, as long as their watchdog exists.
    if (!isOrphan && Atomics.load(words, watchWords.mayOutlive) === 1)
      Atomics.store(words, watchWords.beatsFd, firstPassedFd);
    else process.kill(process.pid, 'SIGKILL');
  } finally {
    // The watchdog only logs it: no message of a process makes it kill another one.
    if (isOrphan && line.kind !== 'beat') process.kill(process.pid, 'SIGKILL');
  }
}

/** Like `readWorkNotes` of the room `base`, which is too large to be loaded by a thread of every process. */
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
