/**
 * The commands of pages do what the pages say. A block that follows the `sh` block of a page is what the commands print, with
 * `…` for any text.
 */
import { equal, match } from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, symlinkSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { Gatehouse, temporary } from './gatehouse.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

interface Commands {
  readonly commands: string;
  /** What the page says that they print. */
  readonly output: string;
}

/** The `sh` blocks of a page, all or the first ones. */
function readPage(name: string, count?: number): Commands {
  const fences = readFileSync(join(root, name), 'utf8').matchAll(/^```(\w*)\n([^]*?)^```$/gm);
  const blocks = Array.from(fences, ([, language, text]) => ({ language, text: text! }));
  const found = blocks.flatMap(({ language, text }, index) => {
    const next = blocks[index + 1];
    const output = next?.language === '' || next?.language === 'json' ? next.text : '';
    return language === 'sh' ? [{ text, output }] : [];
  });
  const shown = found.slice(0, count);
  return {
    commands: shown.map(({ text }) => text).join(''),
    output: shown.map(({ output }) => output).join(''),
  };
}

/** Runs them as a user who has `gatehouse` on the path and lets it choose its ports. */
async function follow(t: TestContext, directory: string, commands: string): Promise<string> {
  const { PATH = '', HOME = '', NODE_COMPILE_CACHE = '', NODE_OPTIONS = '' } = process.env;
  // One process for each server: how they work together has tests of its own.
  const settings = {
    GATEHOUSE_PORT: '0',
    GATEHOUSE_EDGE_WORKERS: '0',
    GATEHOUSE_OBJECT_HOSTS: '1',
    GATEHOUSE_WATCHDOG: 'false',
  };
  const shell = spawn('bash', ['-euo', 'pipefail', '-c', commands], {
    cwd: directory,
    env: { PATH: `${directory}:${PATH}`, HOME, NODE_COMPILE_CACHE, NODE_OPTIONS, ...settings },
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
  return written.stdout;
}

/** An empty directory that has `gatehouse` in it. */
function prepareDirectory(t: TestContext): string {
  const directory = temporary(t);
  symlinkSync(join(root, 'gatehouse'), join(directory, 'gatehouse'));
  return directory;
}

function checkOutput(printed: string, shown: string): void {
  if (shown === '') return;
  const pattern = RegExp.escape(generalise(shown).trim()).replaceAll(/…/g, '[^]*?');
  match(generalise(printed).trim(), new RegExp(`^${pattern}$`));
}

/** Sizes, times and places differ from run to run, and versions from release to release. */
function generalise(text: string): string {
  return text
    .replaceAll(/^\/\S+\/([\w-]+: )/gm, '/srv/$1')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME')
    .replaceAll(/\b[0-9a-f]{16}-[A-Z]{4}\b/g, 'RAY')
    .replaceAll(/\d+ files/g, 'N files')
    .replaceAll(/^\d+\.\d+\.\d+$/gm, 'VERSION')
    .replaceAll(/[\d.]+ [kM]?B\b/g, 'SIZE');
}

for (const name of ['docs/operate/backup.md', 'docs/operate/upgrade.md']) {
  test(`${name}: its commands do what the page says`, async (t) => {
    const { commands, output } = readPage(name);
    checkOutput(await follow(t, prepareDirectory(t), commands), output);
  });
}

/** With how many blocks of each, from the first. */
const beginnings: Readonly<Record<string, number>> = {
  'README.md': 3,
  'docs/operate/deployment.md': 2,
  'docs/operate/events.md': 1,
  'docs/operate/migration.md': 1,
  'docs/operate/troubleshooting.md': 1,
  'docs/reference/api.md': 4,
  'docs/reference/cli.md': 1,
  'docs/reference/request-lifecycle.md': 2,
  'docs/rules/managed-rules.md': 3,
  'docs/rules/rules-language.md': 2,
};

test('pages begin with commands that do what they say', async (t) => {
  const directory = prepareDirectory(t);
  await Gatehouse.start(t, { directory, args: ['--allow-private-origins', 'true'] });
  const application = createServer(({ headers }, response) => response.end(`hello from ${headers.host}\n`));
  await once(application.listen(0, '127.0.0.1'), 'listening');
  t.after(() => application.close());
  const { port } = application.address() as AddressInfo;
  for (const [name, count] of Object.entries(beginnings)) {
    await t.test(name, async (t) => {
      const { commands, output } = readPage(name, count);
      // The server and the application run already, for all pages.
      const rest = commands
        .replaceAll(/^npm ci$|^(?:npx )?node -e .*createServer.*$/gm, '')
        .replaceAll(/^(?:gatehouse serve|npm start) .*&$/gm, 'sleep 300 > /dev/null 2>&1 &')
        .replaceAll('127.0.0.1:3000', `127.0.0.1:${port}`)
        .replaceAll(/^cat serve\.log$/gm, '');
      checkOutput(await follow(t, directory, rest), output.replaceAll('127.0.0.1:3000', `127.0.0.1:${port}`));
    });
  }
});
