/** The differences between two moments of an object, and stories, requested as by the page. */
import { deepEqual, equal, match } from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { createRuntime, DurableObject, type Runtime } from '#objects';
import { StoryFiles } from '../story-files.ts';
import { ObjectsApi } from './objects-api.ts';

class Notebook extends DurableObject {
  async run(statements: readonly string[], values: Readonly<Record<string, unknown>> = {}): Promise<string> {
    for (const statement of statements) this.ctx.storage.sql.exec(statement);
    for (const [key, value] of Object.entries(values)) await this.ctx.storage.put(key, value);
    return await this.ctx.storage.getCurrentBookmark();
  }

  alarm(): void {}

  async remind(time: number): Promise<void> {
    await this.ctx.storage.setAlarm(time);
  }
}

const directory = mkdtempSync(join(tmpdir(), 'gatehouse-compare-'));
let runtime: Runtime;
let api: ObjectsApi;
before(async () => {
  runtime = await createRuntime({
    directory: join(directory, 'state'),
    classes: { Notebook: { class: Notebook, storage: 'sql' } },
  });
  api = new ObjectsApi({
    runtime,
    stories: new StoryFiles(directory),
    cookie: 'session',
    now: () => 0,
    onError: (error) => {
      throw error;
    },
  });
});
after(async () => {
  await runtime.close();
  rmSync(directory, { recursive: true, force: true });
});

async function ask(path: string): Promise<any> {
  const target = `/client/v4/accounts/${'0'.repeat(32)}/${path}`;
  const { body } = await api.answer({ method: 'GET', target, headers: api.credentials } as never);
  const { result, errors } = JSON.parse(body as string);
  return result ?? errors[0];
}

test('objects.compare lists what is different between any two moments: rows, tables, values, the alarm', async () => {
  const stub = runtime.namespace('Notebook').getByName('diary');
  const first: string = await stub.run(
    [
      'CREATE TABLE notes (id INTEGER PRIMARY KEY, text TEXT COLLATE NOCASE)',
      "INSERT INTO notes VALUES (1, 'one'), (2, 'two')",
      'CREATE TABLE old (name TEXT PRIMARY KEY, size INTEGER) WITHOUT ROWID',
      "INSERT INTO old VALUES ('gone', 9007199254740993)",
    ],
    { same: 1, title: 'draft' },
  );
  await stub.remind(Date.parse('2100-01-01T00:00:00Z'));
  const second: string = await stub.run(
    [
      "UPDATE notes SET text = 'ONE' WHERE id = 1",
      'DELETE FROM notes WHERE id = 2',
      "INSERT INTO notes VALUES (3, x'00ff')",
      'DROP TABLE old',
      'CREATE TABLE added (a)',
    ],
    { title: new Map([['final', true]]) },
  );
  await stub.run(['ALTER TABLE notes ADD COLUMN read INTEGER DEFAULT 0']);
  const path = (query: string): string => `objects/Notebook/diary/differences?${query}`;
  deepEqual((await ask(path(`from=${first}&to=${second}`))).differences, [
    { kind: 'alarm', key: 'alarm', after: '2100-01-01T00:00:00.000Z' },
    { kind: 'value', key: 'title', before: "'draft'", after: "Map(1) { 'final' => true }" },
    { kind: 'table', key: 'added', after: 'a' },
    { kind: 'row', table: 'notes', key: '1', before: "id: 1, text: 'one'", after: "id: 1, text: 'ONE'" },
    { kind: 'row', table: 'notes', key: '3', after: "id: 3, text: x'00ff'" },
    { kind: 'row', table: 'notes', key: '2', before: "id: 2, text: 'two'" },
    { kind: 'table', key: 'old', before: 'name, size' },
    { kind: 'row', table: 'old', key: 'gone', before: "name: 'gone', size: 9007199254740993" },
  ]);
  const { differences, has_more } = await ask(path(`from=${second}&limit=2`));
  deepEqual(
    [differences[0], differences.length, has_more],
    [{ kind: 'table', key: 'notes', before: 'id, text', after: 'id, text, read' }, 2, true],
  );
  deepEqual((await ask(path(`from=${second}&to=${second}`))).differences, []);
  // From the beginning, everything is new.
  const whole = await ask(path(`to=${first}`));
  deepEqual(
    whole.differences.map(({ before: was, key }: any) => [was, key]),
    ['same', 'title', 'notes', '1', '2', 'old', 'gone'].map((key) => [undefined, key]),
  );
  match((await ask(path('from=nonsense'))).message, /invalid_moment/);
});

test('StoryFiles keeps one story for each simulation, folds what a browser could not show, and ignores strange files', async () => {
  const stories = new StoryFiles(directory);
  deepEqual(await ask('simulation_stories'), []);
  const moment = (n: number) => ({
    at_ms: n,
    who: `Counter ${n % 2}`,
    what: `writes ${n}`,
    is_fault: false,
    changes: [{ kind: 'value', key: 'n', before: String(n - 2), after: String(n) } as const],
  });
  const told = { seed: 7, replay: '7', problem: 'wrong', told_on: '2026-01-01T00:00:00.000Z' };
  const long = Array.from({ length: 6_000 }, (_, n) => moment(n));
  stories.write({ file: 'a.simulation.ts', simulation: 'long', ...told, moments: long });
  stories.write({ file: 'a.simulation.ts', simulation: 'long', ...told, seed: 8, moments: long });
  const strange = join(directory, '.gatehouse', 'stories');
  mkdirSync(join(strange, `${'e'.repeat(16)}.json`));
  for (const [index, text] of ['', '{', '[]', '{"id": 1}'].entries())
    writeFileSync(join(strange, `${String(index).repeat(16)}.json`), text);
  writeFileSync(join(strange, 'notes.txt'), 'mine');
  const [listed, ...others] = await ask('simulation_stories');
  deepEqual([others, listed.seed, listed.simulation, 'moments' in listed], [[], 8, 'long', false]);
  const story = await ask(`simulation_stories/${listed.id}`);
  equal(story.left_out, 1_000);
  deepEqual(
    story.moments.slice(0, 3).map(({ who, what, changes }: any) => [who, what, changes[0].after]),
    [
      ['Counter 0', 'has stored this before', '998'],
      ['Counter 1', 'has stored this before', '999'],
      ['Counter 0', 'writes 1000', '1000'],
    ],
  );
  match((await ask(`simulation_stories/${'e'.repeat(16)}`)).message, /no such simulation report/);
  stories.remove({ file: 'a.simulation.ts', simulation: 'long' });
  deepEqual(await ask('simulation_stories'), []);
});
