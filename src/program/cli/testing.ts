/** For tests: commands in this process, and `gatehouse dev` as users run it. */
import { AsyncLocalStorage } from 'node:async_hooks';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import { killWith, makeDirectory } from './watched/testing.ts';
import { runCli } from './run.ts';

export interface Outcome {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

type Written = Record<'stdout' | 'stderr', string>;

/** The output of the command whose code is running. */
const captured = new AsyncLocalStorage<Written>();
let restores: ReadonlyArray<() => void> = [];
let capturing = 0;

/** For tests: runs a command in this process and captures its output. Several can run side by side. */
export async function runCaptured(...args: string[]): Promise<Outcome> {
  const written = { stdout: '', stderr: '' };
  if (capturing++ === 0) restores = (['stdout', 'stderr'] as const).map(captureWrites);
  try {
    const code = await captured.run(written, () => runCli(args));
    return { code, ...written };
  } finally {
    if (--capturing === 0) for (const restore of restores) restore();
  }
}

/** Returns a function that undoes it. */
function captureWrites(name: keyof Written): () => void {
  const write = Reflect.get(process[name], 'write');
  process[name].write = (text: string | Uint8Array) => {
    const written = captured.getStore();
    // Commands write text. Bytes are results of the test runner, which shares these streams.
    if (written === undefined || typeof text !== 'string') return write.call(process[name], text);
    written[name] += text;
    return true;
  };
  return () => void (process[name].write = write);
}

const main = fileURLToPath(new URL('./main.ts', import.meta.url));

export function temporary(t: TestContext, files: Record<string, string> = {}): string {
  const directory = makeDirectory(t, 'gatehouse-dev-');
  for (const [name, content] of Object.entries(files)) writeFileSync(join(directory, name), content);
  return directory;
}

/** A running `gatehouse`, and its output. */
/** Static files of a project, some of which must not be served. */
const assetFiles: Readonly<Record<string, string>> = {
  'seen.txt': 'seen',
  '.assetsignore': '_worker.js\nserver\n',
  '_worker.js/index.js': 'hidden',
  'server/entry.mjs': 'hidden',
  '.dev.vars': 'KEY=hidden',
  'wrangler.json': '{"hidden": true}',
};

/** Writes them into a directory. */
export function writeAssets(directory: string): void {
  for (const [name, text] of Object.entries(assetFiles)) {
    const path = join(directory, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }
}

/** The names of those that a program serves. */
export async function listServedAssets(url: string): Promise<string[]> {
  const served: string[] = [];
  for (const [name, text] of Object.entries(assetFiles)) {
    const response = await fetch(`${url}/${name}`, { headers: { connection: 'close' } });
    if ((await response.text()) === text) served.push(name);
  }
  return served;
}

export class Gatehouse {
  readonly process: ChildProcess;
  #said = '';
  #waiting: { pattern: RegExp; resolve: (match: RegExpExecArray) => void; reject: (error: Error) => void }[] =
    [];

  constructor(t: TestContext, ...args: string[]) {
    this.process = spawn(process.execPath, [main, ...this.complete(args), '--port', '0'], {
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    killWith(t, this.process);
    this.process.stderr!.setEncoding('utf8').on('data', (text: string) => {
      this.#said += text;
      this.#check();
    });
    // Not at its exit: its last output may be read later.
    this.process.on('close', () => {
      for (const { reject } of this.#waiting) reject(new Error(`it ended after saying:\n${this.#said}`));
    });
  }

  /** Most tests do not need hosts, and start faster without them. */
  protected complete(args: readonly string[]): readonly string[] {
    return args[0] === 'dev' && !args.includes('--hosts') ? [...args, '--hosts', '1'] : args;
  }

  /** Waits until it has printed a match, after the matches of earlier calls. */
  async says(pattern: RegExp): Promise<RegExpExecArray> {
    const { promise, resolve, reject } = Promise.withResolvers<RegExpExecArray>();
    this.#waiting.push({ pattern, resolve, reject });
    this.#check();
    return promise;
  }

  async url(): Promise<string> {
    return (await this.says(/on (http:\/\/\S+?)\.?\s/))[1]!;
  }

  async end(signal: NodeJS.Signals): Promise<number | null> {
    const exited = once(this.process, 'exit');
    this.process.kill(signal);
    return ((await exited) as [number | null])[0];
  }

  #check(): void {
    const [next] = this.#waiting;
    const match = next?.pattern.exec(this.#said);
    if (next === undefined || match === undefined || match === null) return;
    this.#said = this.#said.slice(match.index + match[0].length);
    this.#waiting.shift();
    next.resolve(match);
  }
}

/** With the default number of hosts. */
export class PlainGatehouse extends Gatehouse {
  protected override complete(args: readonly string[]): readonly string[] {
    return args;
  }
}

export async function call(url: string, method = 'GET', body?: unknown): Promise<any> {
  const response = await fetch(url, {
    method,
    // Connections are not reused: one of a previous process would be reset.
    headers: { connection: 'close' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
