/** A power cut removes every name that was not synced in its folder; acknowledged data survives. */
import { deepEqual, match, ok } from 'node:assert/strict';
import { realpathSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { cutPower } from '../faults/strict-power-cut.ts';
import { eventually } from '../eventually.ts';
import { temporary } from '../server/gatehouse.ts';
import { UploadSite } from '../wrangler/upload-site.ts';
import { environment, fillSite, look, whole } from './full-site.ts';

test('serve loses nothing that was acknowledged to a power cut right after the first uploads of Workers', async (t) => {
  const directory = realpathSync(temporary(t));
  const names = join(directory, 'names');
  const recorder = new URL('../faults/record-names.ts', import.meta.url).href;
  const first = await fillSite(t, directory, {
    NODE_OPTIONS: `${process.env['NODE_OPTIONS'] ?? ''} --import ${recorder}`,
    NAMES_FILE: names,
  });
  deepEqual(await look(first), whole);
  const { token } = first.ready;
  await first.server.end('SIGKILL');
  const data = join(directory, 'data');
  const lost = cutPower(names, data);
  ok(!lost.includes(join(data, 'workers')), `lost: ${lost.join(', ')}`);

  // Its copy is enough.
  rmSync(join(data, 'certificates.key'));

  const again = await UploadSite.start(t, { directory, environment, token });
  await eventually(async () => (await look(again))['events'] === 'some');
  deepEqual(await look(again), whole, `lost: ${lost.join(', ')}`);
  match(again.server.stderr, /certificates\.key is missing: written again/);
});
