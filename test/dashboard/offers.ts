/** The commands that pages offer, and a shell that runs them as printed. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Page } from 'playwright-core';
import { settle } from './browser-windows.ts';

export interface Offer {
  /** The title of the empty state that contains it; undefined elsewhere. */
  readonly title: string;
  readonly command: string;
}

/** The commands of the open page, when it has loaded. */
export async function readOffers(page: Page): Promise<readonly Offer[]> {
  await settle(page);
  return await page.locator('.command').evaluateAll((commands: readonly any[]) =>
    commands.map((each) => ({
      title: each.closest('.state')?.querySelector('.state-title').textContent ?? '',
      command: each.querySelector('code').textContent,
    })),
  );
}

export interface Ran {
  readonly code: number | null;
  /** Its output on both streams. */
  readonly said: string;
}

const root = join(import.meta.dirname, '../..');

/** A folder in which commands are run, with `gatehouse` on the path. */
export class Shell implements AsyncDisposable {
  readonly directory: string;
  /** Run before each command; a reader runs it once. */
  setup: string;
  readonly #own = mkdtempSync(join(tmpdir(), 'gatehouse-shell-'));
  readonly #running = new Set<ChildProcess>();

  /** In a new folder unless one is given. */
  constructor({ setup = ':', directory }: { readonly setup?: string; readonly directory?: string } = {}) {
    this.setup = setup;
    this.directory = directory ?? this.#own;
    mkdirSync(join(this.#own, 'bin'));
    symlinkSync(join(root, 'gatehouse'), join(this.#own, 'bin/gatehouse'));
  }

  write(files: Readonly<Record<string, string | object>>): void {
    for (const [name, content] of Object.entries(files)) {
      const file = join(this.directory, name);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
    }
  }

  /** To its end; or, with a pattern, until its output matches, when it is interrupted as with Ctrl C. */
  async run(
    command: string,
    { until, input = '' }: { readonly until?: RegExp | undefined; readonly input?: string } = {},
  ): Promise<Ran> {
    const { PATH, NODE_COMPILE_CACHE = '' } = process.env;
    const child = spawn('bash', ['-c', `${this.setup}\n${command}`], {
      cwd: this.directory,
      env: {
        PATH: `${this.#own}/bin:${PATH}`,
        HOME: this.#own,
        TMPDIR: tmpdir(),
        NODE_COMPILE_CACHE,
        CI: '1',
        NO_COLOR: '1',
        GATEHOUSE_WATCHDOG: 'false',
      },
      stdio: 'pipe',
      // A separate process group, which gets the interrupt as a whole.
      detached: true,
    });
    this.#running.add(child);
    child.stdin.on('error', () => {}).end(input);
    let said = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        said += text;
        if (until?.test(said) === true) process.kill(-child.pid!, 'SIGINT');
      });
    }
    const [code] = (await once(child, 'close')) as [number | null];
    this.#running.delete(child);
    return { code, said };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const child of this.#running) {
      const closed = once(child, 'close');
      process.kill(-child.pid!, 'SIGKILL');
      await closed;
    }
    rmSync(this.#own, { recursive: true, force: true });
  }
}
