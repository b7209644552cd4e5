/** The commands of Wrangler that pages offer, run as printed in the folder of a project. */
import { equal, ok } from 'node:assert/strict';
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { collectOffers, openOfferingSite } from '../test/dashboard/offering-site.ts';
import { Shell } from '../test/dashboard/offers.ts';

test('every command of Wrangler that a page offers works', async () => {
  await using offering = await openOfferingSite();
  await using shell = new Shell({
    setup: 'eval "$(gatehouse env --for wrangler --ready-file ready.json)"',
  });
  symlinkSync(join(import.meta.dirname, 'node_modules'), join(shell.directory, 'node_modules'));
  shell.write({
    'ready.json': offering.site.program.ready,
    'wrangler.json': { name: 'plain', main: 'index.js', compatibility_date: '2026-03-01' },
    'index.js': "export default { fetch: () => new Response('ok') };",
    FILE: 'what stands in words such as FILE',
  });
  const offers = await collectOffers(offering);
  const commands = new Set(
    offers.map(({ command }) => command).filter((command) => command.includes('npx wrangler')),
  );
  ok(commands.size >= 9, [...commands].join('\n'));
  for (const command of commands) {
    const { code, said } = await shell.run(command, { input: 'a value' });
    equal(code, 0, `${command}\n${said}`);
  }
});
