import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { FaultProxy } from '../fault-proxy.ts';
import { urlThrough } from '../postgres-server.ts';
import type { ChildAnswer, ChildOptions, ChildRequest } from './host-child.ts';

export interface ChildHostOptions extends Omit<ChildOptions, 'advertise'> {
  /** Where the database is. */
  readonly path: string;
}

/** A host in a process of its own, as its parent sees it, with its ways to the database and from the other hosts. */
export class ChildHost {
  readonly toDatabase: FaultProxy;
  readonly fromHosts: FaultProxy;
  readonly #process: ChildProcess;
  readonly #waiting = new Map<number, (answer: ChildAnswer | undefined) => void>();
  isStopped = false;

  private constructor(child: ChildProcess, ways: Pick<ChildHost, 'toDatabase' | 'fromHosts'>) {
    this.#process = child;
    this.toDatabase = ways.toDatabase;
    this.fromHosts = ways.fromHosts;
    child.on('message', (answer: ChildAnswer) => {
      this.#waiting.get(answer.number)?.(answer);
      this.#waiting.delete(answer.number);
    });
    child.on('exit', () => this.#abandon());
  }

  static async start({ path, urls, ...rest }: ChildHostOptions): Promise<ChildHost> {
    const toDatabase = await FaultProxy.start({ path });
    const fromHosts = await FaultProxy.start();
    const advertise = `127.0.0.1:${fromHosts.port}`;
    const options: ChildOptions = {
      ...rest,
      urls: urls.map((url) => urlThrough(url, toDatabase)),
      advertise,
    };
    const child = fork(new URL('./host-child.ts', import.meta.url), [JSON.stringify(options)]);
    const [address] = (await once(child, 'message')) as [string];
    fromHosts.retarget({ host: '127.0.0.1', port: Number(new URL(`tcp://${address}`).port) });
    return new ChildHost(child, { toDatabase, fromHosts });
  }

  get pid(): number {
    return this.#process.pid!;
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

  /** Its ways stay: what it left behind can still use them. */
  async killOnly(): Promise<void> {
    if (this.#process.signalCode !== null) return;
    const exited = once(this.#process, 'exit');
    this.#process.kill('SIGKILL');
    await exited;
  }

  async kill(): Promise<void> {
    await this.killOnly();
    await Promise.all([this.toDatabase.stop(), this.fromHosts.stop()]);
  }
}
