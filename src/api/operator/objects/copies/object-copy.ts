/**
 * Copies of objects' databases, current or as of a moment, for people who inspect them. Each is read by a separate
 * process (`copy-process.ts`) that is killed when it takes too long; the objects themselves are not affected.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { constants, getPriority, setPriority } from 'node:os';
import { extname } from 'node:path';
import { listProgramArguments, realClock, shareCompileCache, type Timer, untilStarted } from '#base';
import { startOwn } from '#work';
import { fault, objectCodes } from '#contract';
import type { HistoryAccess, ObjectRuntime } from '#objects';
import { readWaitedForCpu } from '#processes';
import type { CopyAnswers, CopyQuestion } from './copy-question.ts';
import type { SecretColumn } from '../inspection.ts';
import { copiesMax, copyAnswerBytesMax, copyHeapMegabytes, copyMsMax, copyWaitMsMax } from '../../limits.ts';

export interface CopySource {
  readonly runtime: ObjectRuntime;
  readonly history: HistoryAccess;
  readonly secrets: readonly SecretColumn[];
  readonly at: string | undefined;
}

let copiesOpen = 0;

/** Queries a copy, and removes it afterwards. */
export async function askCopy<Q extends CopyQuestion>(
  source: CopySource,
  question: Q,
): Promise<CopyAnswers[Q['kind']]> {
  await using copy = await openCopy(source);
  return await copy.ask(question);
}

/** A copy that exists until it is disposed. */
export async function openCopy({ runtime, history, secrets, at }: CopySource): Promise<ObjectCopy> {
  if (copiesOpen >= copiesMax) throw fault(objectCodes.objectsBusy, { fill: { count: copiesMax } });
  copiesOpen++;
  const where = at === undefined ? {} : { at };
  let path = '';
  try {
    path = runtime.scratchPath('copy', await history.readFile(where, async ({ bytes }) => bytes));
    await history.exportTo(path, where);
    return new ObjectCopy(path, secrets);
  } catch (error) {
    copiesOpen--;
    if (path !== '') await rm(path, { force: true });
    throw error;
  }
}

class ObjectCopy implements AsyncDisposable {
  readonly path: string;
  readonly #secrets: readonly SecretColumn[];

  constructor(path: string, secrets: readonly SecretColumn[]) {
    this.path = path;
    this.#secrets = secrets;
  }

  async ask<Q extends CopyQuestion>(question: Q): Promise<CopyAnswers[Q['kind']]> {
    const answer = JSON.parse(await this.#run(question)) as
      | { readonly result: CopyAnswers[Q['kind']] }
      | { readonly problem: string };
    if ('result' in answer) return answer.result;
    throw fault(objectCodes.objectQueryFailed, { fill: { reason: answer.problem } });
  }

  async #run(question: CopyQuestion): Promise<string> {
    const program = new URL(`./copy-process${extname(import.meta.filename)}`, import.meta.url);
    const child = startOwn(() =>
      spawn(
        process.execPath,
        [
          ...listProgramArguments([`--max-old-space-size=${copyHeapMegabytes}`], program),
          this.path,
          JSON.stringify(this.#secrets),
        ],
        { env: shareCompileCache(), stdio: 'pipe' },
      ),
    );
    await untilStarted(child);
    // Serving requests takes precedence.
    setPriority(child.pid!, Math.max(getPriority(), constants.priority.PRIORITY_BELOW_NORMAL));
    // A process that ends before it has read everything reports the reason itself.
    child.stdin.on('error', () => {}).end(JSON.stringify(question));
    const pieces: Buffer[] = [];
    let [bytes, complaint] = [0, ''];
    let timer: Timer | undefined;
    const stop = (): void => void child.kill('SIGKILL');
    const stopWhenLate = (startMs: number): void => {
      const waitedMs = Math.min(readWaitedForCpu(child.pid!) ?? 0, copyWaitMsMax);
      const endMs = startMs + copyMsMax + waitedMs;
      if (realClock.now() >= endMs) return stop();
      timer = realClock.setTimer(endMs, () => stopWhenLate(startMs), 'housekeeping');
    };
    child.stdout.on('data', (piece: Buffer) => {
      if (timer === undefined) stopWhenLate(realClock.now());
      bytes += piece.length;
      if (bytes > copyAnswerBytesMax) stop();
      else pieces.push(piece);
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      complaint = (complaint + text).slice(-2_000);
    });
    const [code, signal] = (await once(child, 'close')) as [number | null, string | null];
    timer?.cancel();
    if (bytes > copyAnswerBytesMax) {
      const reason = `the answer has more than ${copyAnswerBytesMax} bytes: ask for fewer or shorter rows`;
      throw fault(objectCodes.objectQueryFailed, { fill: { reason } });
    }
    if (signal === 'SIGKILL')
      throw fault(objectCodes.objectQueryTooLong, { fill: { seconds: copyMsMax / 1000 } });
    if (code !== 0) throw new Error(`the process of a copy ended with ${signal ?? code}: ${complaint}`);
    return Buffer.concat(pieces).toString();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    copiesOpen--;
    for (const suffix of ['', '-wal', '-shm', '-journal']) await rm(`${this.path}${suffix}`, { force: true });
  }
}
