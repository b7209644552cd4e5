/** The commands of a page, followed from top to bottom: its `sh` blocks, in one shell. */
import { deepEqual, equal } from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { temporary } from './gatehouse.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

interface Page {
  readonly commands: string;
  /** What the page says that they print. */
  readonly output: readonly string[];
}

function readPage(name: string): Page {
  const blocks = [...readFileSync(join(root, 'docs', name), 'utf8').matchAll(/^```(\w*)\n([^]*?)^```$/gm)];
  const textOf = (language: string): string =>
    blocks
      .filter(([, written]) => written === language)
      .map(([, , text]) => text)
      .join('');
  return { commands: textOf('sh'), output: textOf('').trim().split('\n') };
}

/** Runs them in an empty directory, as a user who has `gatehouse` on the path and lets it choose its ports. */
async function follow(t: TestContext, { commands }: Page): Promise<readonly string[]> {
  const directory = temporary(t);
  symlinkSync(join(root, 'gatehouse'), join(directory, 'gatehouse'));
  const { PATH = '', HOME = '', NODE_COMPILE_CACHE = '', NODE_OPTIONS = '' } = process.env;
  const shell = spawn('bash', ['-euo', 'pipefail', '-c', commands], {
    cwd: directory,
    env: { PATH: `${directory}:${PATH}`, HOME, NODE_COMPILE_CACHE, NODE_OPTIONS, GATEHOUSE_PORT: '0' },
    stdio: ['ignore', 'pipe', 'pipe'],
    // A group of its own, so that servers of a page that fails end with it.
    detached: true,
  });
  t.after(() => {
    try {
      process.kill(-shell.pid!, 'SIGKILL');
    } catch {
      // All of it has ended.
    }
  });
  const written = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    shell[name].setEncoding('utf8').on('data', (text: string) => (written[name] += text));
  }
  const [code] = (await once(shell, 'close')) as [number | null];
  equal(code, 0, `${written.stdout}${written.stderr}`);
  return written.stdout.trim().split('\n');
}

/** Sizes, times and places differ from run to run, and versions from release to release. */
function generalise(line: string): string {
  return line
    .replace(/^\/\S+\/([\w-]+: )/, '/srv/$1')
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME')
    .replace(/\d+ files/, 'N files')
    .replace(/^\d+\.\d+\.\d+$/, 'VERSION')
    .replace(/[\d.]+ [kM]?B\b/g, 'SIZE');
}

for (const name of ['operate/backup.md', 'operate/upgrade.md']) {
  test(`docs/${name}: its commands do what the page says`, async (t) => {
    const page = readPage(name);
    deepEqual((await follow(t, page)).map(generalise), page.output.map(generalise));
  });
}
