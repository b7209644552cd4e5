import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { FaultProxy } from '../fault-proxy.ts';
import { urlThrough } from '../postgres-server.ts';
import type { ChildAnswer, ChildOptions, ChildRequest } from './host-child.ts';

export interface ChildHostOptions extends Omit<ChildOptions, 'advertise'> {
  /** Where the database is. */
  readonly path: string;
}

/** A host in a separate process, as its parent sees it, with its proxies to the database and from the other hosts. */
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
    await using ways = new AsyncDisposableStack();
    const toDatabase = ways.adopt(await FaultProxy.start({ path }), (proxy) => proxy.stop());
    const fromHosts = ways.adopt(await FaultProxy.start(), (proxy) => proxy.stop());
    const advertise = `127.0.0.1:${fromHosts.port}`;
    const options: ChildOptions = {
      ...rest,
      urls: urls.map((url) => urlThrough(url, toDatabase)),
      advertise,
    };
    const child = fork(new URL('./host-child.ts', import.meta.url), [JSON.stringify(options)], {
      silent: true,
    });
    const address = await readAddress(child);
    fromHosts.retarget({ host: '127.0.0.1', port: Number(new URL(`tcp://${address}`).port) });
    ways.move();
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

  /** No caller waits for earlier requests. */
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

  /** Its proxies stay open: data that it has sent can still use them. */
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

/** The first message of a child. Rejects with the child's output if it exits before; later output is shown. */
async function readAddress(child: ChildProcess): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  let printed = '';
  const collect = (bytes: Buffer): void => void (printed += bytes);
  const streams = [child.stdout!, child.stderr!];
  for (const stream of streams) stream.on('data', collect);
  child.once('message', (address) => resolve(address as string));
  child.once('error', reject);
  // Not `exit`: output may arrive after it.
  child.once('close', (code, signal) =>
    reject(new Error(`a host ended before it was ready (${signal ?? `exit code ${code}`}):\n${printed}`)),
  );
  const address = await promise;
  process.stderr.write(printed);
  for (const stream of streams) stream.off('data', collect).pipe(process.stderr);
  return address;
}
