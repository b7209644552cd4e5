import { deepEqual, rejects } from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { unfinishedRestore } from '#files';
import { createRuntime, Unwoken } from '#objects';
import { openSource, SourceError } from './recorded-hosts.ts';

test('openSource opens what no process has open, says why it does not, and creates nothing among the files of others', async (t) => {
  const directory = mkdtempSync(join(tmpdir(), 'gatehouse-source-'));
  t.after(() => rmSync(directory, { recursive: true }));
  const refuses = async (name: string, message: RegExp): Promise<void> => {
    const opening = openSource(join(directory, name), { user: 'your user' });
    await rejects(opening, (error) => error instanceof SourceError && message.test(error.message));
  };
  await refuses('none', /there is no directory .*none, or your user may not look into it/);
  const foreign = join(directory, 'foreign');
  mkdirSync(join(foreign, 'journal'), { recursive: true });
  writeFileSync(join(foreign, 'journal', 'diary.log'), '');
  await refuses('foreign', /there are no objects and no stores in .*foreign: name the data directory/);
  deepEqual(readdirSync(foreign, { recursive: true }).toSorted(), ['journal', 'journal/diary.log']);

  const data = join(directory, 'data');
  const classes = { Kept: { class: Unwoken, storage: 'sql' } } as const;
  const running = await createRuntime({ directory: data, classes });
  await refuses('data', /data is in use, .*: stop the Worker first \(.*process \d+/);
  await running.close();
  const source = await openSource(data, { user: 'your user' });
  deepEqual(source.classNames, ['Kept']);
  await source.close();
  writeFileSync(join(data, unfinishedRestore), '');
  await refuses('data', /a restore into .*data did not finish: repeat it first/);
});
