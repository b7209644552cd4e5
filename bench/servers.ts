/** The two measured servers, side by side on one module, each in its own directory. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { startGatehouse } from '../conformance/gatehouse.ts';
import { startWorkerd } from '../conformance/workerd.ts';

export interface Server {
  readonly name: 'workerd' | 'gatehouse';
  /** The text of an answer; anything but 200 is an error. */
  ask(path: string, params?: Readonly<Record<string, string | number>>): Promise<string>;
  url(): string;
  residentBytes(): number;
  /** Kills the server, and restarts it on the same data. */
  restart(): Promise<void>;
  kill(): Promise<void>;
}

interface Child {
  readonly url: string;
  readonly pid: number;
  kill(): Promise<void>;
}

const wranglerPath = join(import.meta.dirname, 'wrangler.jsonc');

export async function startServers(directory: string): Promise<[workerd: Server, gatehouse: Server]> {
  const gatehouse = await serve('gatehouse', () =>
    startGatehouse({ wranglerPath, directory: join(directory, 'gatehouse'), hosts: 1 }),
  );
  try {
    const workerd = await serve('workerd', () =>
      startWorkerd({ package: import.meta.dirname, wranglerPath, directory: join(directory, 'workerd') }),
    );
    return [workerd, gatehouse];
  } catch (error) {
    await gatehouse.kill();
    throw error;
  }
}

async function serve(name: Server['name'], start: () => Promise<Child>): Promise<Server> {
  let child = await start();
  return {
    name,
    async ask(path, params = {}) {
      const url = new URL(path, child.url);
      for (const [key, value] of Object.entries(params)) url.searchParams.set(key, String(value));
      const response = await fetch(url);
      const text = await response.text();
      if (!response.ok)
        throw new Error(`${name} answered ${response.status} to ${url.pathname}${url.search}: ${text}`);
      return text;
    },
    url: () => child.url,
    residentBytes: () => residentBytes(child.pid),
    async restart() {
      await child.kill();
      child = await start();
    },
    kill: () => child.kill(),
  };
}

/** Of a process and those that it has started. */
function residentBytes(pid: number): number {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').match(/\d+/g) ?? [];
  return children.reduce((sum, child) => sum + residentBytes(Number(child)), ownBytes(pid));
}

function ownBytes(pid: number): number {
  const kilobytes = /^VmRSS:\s*(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  if (kilobytes === undefined) throw new Error(`no resident size of process ${pid}`);
  return Number(kilobytes) * 1024;
}
