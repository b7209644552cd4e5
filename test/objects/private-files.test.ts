import { deepEqual, ok } from 'node:assert/strict';
import { lstatSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { DurableObject, createRuntime } from '#objects';

class Pad extends DurableObject {
  async write(): Promise<void> {
    await this.ctx.storage.put('key', 'value');
  }

  query(): void {
    this.ctx.storage.sql.exec('CREATE TABLE IF NOT EXISTS t (a); INSERT INTO t VALUES (1)');
  }
}

test('createRuntime makes every file and directory for its owner only, scratch files too, whatever the umask is', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-private-files-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const umask = process.umask(0);
  t.after(() => process.umask(umask));
  const directory = join(folder, 'data');
  await using runtime = await createRuntime({
    directory,
    classes: { Pad: { class: Pad }, SqlPad: { class: Pad, storage: 'sql' } },
  });
  await runtime.namespace<Pad>('Pad').getByName('a').write();
  await runtime.namespace<Pad>('SqlPad').getByName('a').query();
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  ok(
    files.some((path) => /live\/.*\.sqlite-wal$/.test(path)),
    files.join('\n'),
  );
  deepEqual(
    files.filter((path) => (lstatSync(join(folder, path)).mode & 0o077) !== 0),
    [],
  );
});
