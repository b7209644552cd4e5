/** `gatehouse dev` as a user runs it, with the page of its objects in a real Chromium. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { buildDashboard } from '../../tools/build-dashboard.ts';
import { BrowserWindows, type WindowOptions } from './browser-windows.ts';

const main = fileURLToPath(new URL('../../src/program/cli/main.ts', import.meta.url));

export class DevSite implements AsyncDisposable {
  readonly windows: BrowserWindows;
  /** Of the Worker. */
  readonly url: string;
  /** Where `gatehouse objects --data` finds the objects. */
  readonly state: string;
  /** Of the project. */
  readonly directory: string;
  readonly #terminal: Terminal;
  readonly #opened: AsyncDisposableStack;
  #link: string;

  private constructor(
    parts: Pick<DevSite, 'windows' | 'url' | 'state' | 'directory'> & { link: string; terminal: Terminal },
    opened: AsyncDisposableStack,
  ) {
    this.windows = parts.windows;
    this.url = parts.url;
    this.state = parts.state;
    this.directory = parts.directory;
    this.#link = parts.link;
    this.#terminal = parts.terminal;
    this.#opened = opened;
  }

  static async open(files: Readonly<Record<string, string>>): Promise<DevSite> {
    await buildDashboard({ ifStale: true });
    await using opened = new AsyncDisposableStack();
    const directory = mkdtempSync(join(tmpdir(), 'gatehouse-dev-page-'));
    opened.defer(() => rmSync(directory, { recursive: true, force: true }));
    for (const [name, content] of Object.entries(files)) writeFileSync(join(directory, name), content);
    const state = join(directory, 'state');
    const args = [
      'dev',
      directory,
      '--port',
      '0',
      '--persist-to',
      state,
      '--no-watch',
      '--quiet',
      '--hosts',
      '1',
    ];
    const terminal = opened.use(new Terminal([main, ...args]));
    const url = await terminal.find(/ready on (http:\S+)/);
    const link = await terminal.find(/objects: (http:\S+)/);
    const windows = opened.use(await BrowserWindows.launch());
    return new DevSite({ windows, url, state, directory, link, terminal }, opened.move());
  }

  /** Of the page. */
  get pageUrl(): string {
    return new URL(this.#link).origin;
  }

  /** A window at a link that signs in. */
  async openSignedIn(path: string, options: WindowOptions = {}): Promise<Page> {
    const page = await this.windows.open(options);
    await page.goto(await this.takeLink());
    await page.getByRole('heading', { name: 'Objects' }).waitFor();
    if (path !== '/objects') await page.goto(`${this.pageUrl}${path}`);
    return page;
  }

  /** The newest link; another one is printed on demand. */
  async takeLink(): Promise<string> {
    const link = this.#link;
    const response = await fetch(`${this.pageUrl}/session`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"link": true}',
    });
    await response.arrayBuffer();
    this.#link = await this.#terminal.find(/objects: (http:\S+)/);
    return link;
  }

  /** Runs another command of `gatehouse` to its end. */
  async run(args: readonly string[]): Promise<{ readonly exitCode: number | null }> {
    const child = spawn(process.execPath, [main, ...args], { stdio: 'ignore' });
    const [exitCode] = (await once(child, 'exit')) as [number | null];
    return { exitCode };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#opened.disposeAsync();
  }
}

/** A process and the lines that it writes. */
class Terminal implements AsyncDisposable {
  readonly #process: ChildProcess;
  readonly #lines: AsyncIterator<string>;
  #said = '';

  constructor(args: readonly string[]) {
    this.#process = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'pipe'] });
    this.#lines = createInterface(this.#process.stderr!)[Symbol.asyncIterator]();
  }

  /** The first group of the pattern, in the next line that matches it. */
  async find(pattern: RegExp): Promise<string> {
    for (;;) {
      const { done, value } = await this.#lines.next();
      if (done === true) throw new Error(`it ended after saying:\n${this.#said}`);
      this.#said += `${value}\n`;
      const found = pattern.exec(value)?.[1];
      if (found !== undefined) return found;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#process.exitCode !== null) return;
    const exited = once(this.#process, 'exit');
    this.#process.kill('SIGTERM');
    await exited;
  }
}
