import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import type { ChildAnswer, ChildRequest } from './host-child.ts';

/** A host in a process of its own, as its parent sees it. */
export class ChildHost {
  readonly #process: ChildProcess;
  readonly #waiting = new Map<number, (answer: ChildAnswer | undefined) => void>();
  isStopped = false;

  private constructor(child: ChildProcess) {
    this.#process = child;
    child.on('message', (answer: ChildAnswer) => {
      this.#waiting.get(answer.number)?.(answer);
      this.#waiting.delete(answer.number);
    });
    child.on('exit', () => this.#abandon());
  }

  static async start(
    url: string,
    { leaseMs, plant }: { leaseMs: number; plant: string },
  ): Promise<ChildHost> {
    const child = fork(new URL('./host-child.ts', import.meta.url), [url, String(leaseMs), plant]);
    await once(child, 'message');
    return new ChildHost(child);
  }

  /** What the host answers; undefined if it is killed or stopped before it does. */
  ask(request: ChildRequest): Promise<ChildAnswer | undefined> {
    const { promise, resolve } = Promise.withResolvers<ChildAnswer | undefined>();
    this.#waiting.set(request.number, resolve);
    this.#process.send(request, (error) => {
      if (error === null) return;
      this.#waiting.delete(request.number);
      resolve(undefined);
    });
    return promise;
  }

  /** Nobody waits for what it was asked before. */
  stop(): void {
    this.isStopped = true;
    this.#process.kill('SIGSTOP');
    this.#abandon();
  }

  resume(): void {
    this.isStopped = false;
    this.#process.kill('SIGCONT');
  }

  #abandon(): void {
    for (const resolve of this.#waiting.values()) resolve(undefined);
    this.#waiting.clear();
  }

  async kill(): Promise<void> {
    const exited = once(this.#process, 'exit');
    this.#process.kill('SIGKILL');
    await exited;
  }
}
