/**
 * The commands of pages do what the pages say. A block that follows the `sh` block of a page is what the commands print, with
 * `…` for any text.
 */
import { equal } from 'node:assert/strict';
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

interface Block {
  readonly commands: string;
  /** What the page says that they print; undefined if it does not say. */
  readonly output: string | undefined;
}

/** The `sh` blocks of a page, all or the first ones. */
function readBlocks(page: string, count?: number): readonly Block[] {
  const text = readFileSync(join(root, page), 'utf8');
  const found = text.matchAll(/^```sh\n([^]*?)^```\n(?:\n```(?:json)?\n([^]*?)^```$)?/gm);
  return Array.from(found, ([, commands, output]) => ({ commands: commands!, output })).slice(0, count);
}

/** Runs them in one shell as a user who has `gatehouse` on the path and lets it choose its ports; checks what they print. */
async function follow(t: TestContext, directory: string, blocks: readonly Block[]): Promise<void> {
  const { PATH = '', HOME = '', NODE_COMPILE_CACHE = '', NODE_OPTIONS = '' } = process.env;
  // One process for each server: how they work together has tests of its own.
  const settings = {
    GATEHOUSE_PORT: '0',
    GATEHOUSE_EDGE_WORKERS: '0',
    GATEHOUSE_OBJECT_HOSTS: '1',
    GATEHOUSE_WATCHDOG: 'false',
  };
  // A block that shows what it prints may show a command that fails.
  const parts = blocks.map(
    ({ commands, output }) => `set ${output === undefined ? '-e' : '+e'}\n${commands}`,
  );
  const shell = spawn('bash', ['-uo', 'pipefail', '-c', [...parts, ''].join(`\necho '${end}'\n`)], {
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
  const printed = written.stdout.split(`${end}\n`);
  for (const [index, { output }] of blocks.entries())
    if (output !== undefined) equal(fit(printed[index]!, output), generalise(output));
}

/** Between the outputs of two blocks. */
const end = '--- end of a block ---';

/** An empty directory that has `gatehouse` in it. */
function prepareDirectory(t: TestContext): string {
  const directory = temporary(t);
  symlinkSync(join(root, 'gatehouse'), join(directory, 'gatehouse'));
  return directory;
}

/** What was printed, as the page shows it if it is the same but for what `…` stands for. */
function fit(printed: string, shown: string): string {
  // An id is shown by its first digits.
  const pattern = RegExp.escape(generalise(shown).replaceAll(/\b[0-9a-f]{4}…/g, '…')).replaceAll(
    '…',
    '[^]*?',
  );
  return new RegExp(`^${pattern}$`).test(generalise(printed)) ? generalise(shown) : generalise(printed);
}

/** Sizes, times and places differ from run to run, and versions from release to release. */
function generalise(text: string): string {
  return text
    .trimEnd()
    .replaceAll(/^\/\S+\/([\w-]+: )/gm, '/srv/$1')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME')
    .replaceAll(/\b[0-9a-f]{16}-[A-Z]{4}\b/g, 'RAY')
    .replaceAll(/\d+ files/g, 'N files')
    .replaceAll(/^\d+\.\d+\.\d+$/gm, 'VERSION')
    .replaceAll(/[\d.]+ [kM]?B\b/g, 'SIZE');
}

/** Each has a server of its own. */
const alone = [
  'docs/operate/backup.md',
  'docs/operate/upgrade.md',
  'docs/reference/api.md',
  'docs/rules/asking-objects.md',
];
for (const page of alone) {
  test(`${page}: its commands do what the page says`, async (t) => {
    await follow(t, prepareDirectory(t), readBlocks(page));
  });
}

/** With how many blocks of each, from the first. The zone of the first page is new there. */
const beginnings: Readonly<Record<string, number>> = {
  'docs/reference/cli.md': 1,
  'README.md': 3,
  'docs/operate/deployment.md': 2,
  'docs/operate/events.md': 1,
  'docs/operate/load-balancing.md': 1,
  'docs/operate/list-sources.md': 1,
  'docs/operate/logpush.md': 1,
  'docs/operate/monitoring.md': 1,
  'docs/operate/notifications.md': 1,
  'docs/operate/rehearse.md': 1,
  'docs/operate/troubleshooting.md': 1,
  'docs/operate/migration.md': 1,
  'docs/reference/request-lifecycle.md': 2,
  'docs/rules/managed-rules.md': 1,
  'docs/rules/learning.md': 1,
  'docs/rules/changing-requests.md': 1,
  'docs/rules/rate-limits.md': 1,
  'docs/rules/rules-language.md': 1,
  'docs/rules/security-tools.md': 1,
  // Redirects a zone, so that no page after it can ask for its pages.
  'docs/reference/zone-settings.md': 1,
};

test('pages begin with commands that do what they say', async (t) => {
  const directory = prepareDirectory(t);
  await Gatehouse.start(t, { directory, args: ['--allow-private-origins', 'true', '--admin-port', '0'] });
  const application = createServer(({ url, headers }, response) =>
    response.end(
      url === '/bad.txt' ? '192.0.2.0/24\n198.51.100.7 # a scanner\n' : `hello from ${headers.host}\n`,
    ),
  );
  await once(application.listen(0, '127.0.0.1'), 'listening');
  t.after(() => application.close());
  const { port } = application.address() as AddressInfo;
  /** The server and the application run already, for all pages. */
  const adapt = (text: string): string =>
    text
      .replaceAll(/^npm ci$|^(?:npx )?node -e .*createServer.*$|^cat serve\.log$/gm, '')
      .replaceAll(/^(?:gatehouse serve|npm start) .*&$/gm, 'sleep 300 > /dev/null 2>&1 &')
      .replaceAll('127.0.0.1:3000', `127.0.0.1:${port}`)
      .replaceAll('"port": 3000', `"port": ${port}`);
  for (const [page, count] of Object.entries(beginnings)) {
    await t.test(page, async (t) => {
      const blocks = readBlocks(page, count);
      const adapted = blocks.map(({ commands, output }) => ({
        commands: adapt(commands),
        output: output && adapt(output),
      }));
      await follow(t, directory, adapted);
    });
  }
});
