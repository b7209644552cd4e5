/**
 * The commands of pages do what the pages say: all of some pages, the first ones of others beside one server. `npm run verify -- documents`
 * runs all blocks of all pages.
 */
import { once } from 'node:events';
import { symlinkSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { followBlocks } from '../documents/follow-blocks.ts';
import { readBlocks, root } from '../documents/read-blocks.ts';
import { Gatehouse, temporary } from './gatehouse.ts';

/** One process for each server: their cooperation has separate tests. It chooses its ports. */
const settings = {
  GATEHOUSE_PORT: '0',
  GATEHOUSE_EDGE_WORKERS: '0',
  GATEHOUSE_OBJECT_HOSTS: '1',
  GATEHOUSE_WATCHDOG: 'false',
};

/** An empty directory that has `gatehouse` in it. */
function prepareDirectory(t: TestContext): string {
  const directory = temporary(t);
  symlinkSync(join(root, 'gatehouse'), join(directory, 'gatehouse'));
  return directory;
}

/** Each has a separate server. */
const alone = [
  'docs/operate/backup.md',
  'docs/operate/upgrade.md',
  'docs/reference/api.md',
  'docs/rules/asking-objects.md',
];
for (const page of alone) {
  test(`${page}: its commands do what the page says`, async (t) => {
    await followBlocks({ directory: prepareDirectory(t), settings }, readBlocks(page));
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
    await t.test(page, async () => {
      const { commands: blocks, files } = readBlocks(page);
      const commands = blocks.slice(0, count).map(({ line, commands, output }) => ({
        line,
        commands: adapt(commands),
        output: output && adapt(output),
      }));
      await followBlocks({ directory, settings }, { commands, files });
    });
  }
});
