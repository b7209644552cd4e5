/** For tests of this room: projects in temporary folders, and their Workers. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { TestContext } from 'node:test';
import type { WorkerOptions } from './options.ts';
import { Worker } from './worker.ts';

export type Files = Readonly<Record<string, string | Buffer | object>>;

export function writeFiles(directory: string, files: Files): void {
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(directory, name)), { recursive: true });
    const isText = typeof content === 'string' || Buffer.isBuffer(content);
    writeFileSync(join(directory, name), isText ? content : JSON.stringify(content));
  }
}

export function createProject(t: TestContext, files: Files): string {
  const directory = mkdtempSync(join(tmpdir(), 'gatehouse-project-'));
  t.after(() => rmSync(directory, { recursive: true, force: true }));
  writeFiles(directory, files);
  return directory;
}

export interface StartedWorker {
  readonly worker: Worker;
  readonly said: string[];
  fetch(path: string, init?: RequestInit): Promise<Response>;
  text(path: string): Promise<string>;
}

export async function startWorker(
  t: TestContext,
  options: Omit<WorkerOptions, 'log' | 'durability'>,
): Promise<StartedWorker> {
  const said: string[] = [];
  const say = (text: unknown): void => void said.push(String(text));
  const log = { info: say, warn: say, error: say };
  const worker = await Worker.start({ ...options, log, durability: 'os' });
  t.after(() => worker.close());
  const fetch = async (path: string, init?: RequestInit): Promise<Response> =>
    await worker.fetch(new Request(`http://worker.test${path}`, init));
  return { worker, said, fetch, text: async (path) => (await fetch(path)).text() };
}
