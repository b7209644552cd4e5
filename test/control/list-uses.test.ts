import { deepEqual, equal } from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createRuntime, DurableObject } from '#objects';
import { countWorkOf } from '../../tools/count-work.ts';
import { TestControl } from './harness.ts';

/** An account whose rows the test changes. */
class OpenAccount extends DurableObject {
  run(statement: string): void {
    this.ctx.storage.sql.exec(statement);
  }
}

let control: TestControl;
let lists: string;
before(async () => {
  control = await TestControl.open();
  lists = `/accounts/${control.control.directory.accountId}/rules/lists`;
});
after(() => control.close());

async function makeList(name: string): Promise<string> {
  return (await control.call(`POST ${lists}`, { body: { name, kind: 'ip' } })).result.id;
}

async function countReferences(id: string): Promise<unknown> {
  return (await control.call(`GET ${lists}/${id}`)).result.num_referencing_filters;
}

async function addFilter(expression: string): Promise<void> {
  const { success } = await control.call(`POST /zones/${control.zone('pro')}/filters`, {
    body: [{ expression }],
  });
  equal(success, true);
}

test('lists count the references of zones that have named them, also after a restart', async () => {
  const id = await makeList('counted');
  equal(await countReferences(id), 0);
  await addFilter('ip.src in $counted');
  equal(await countReferences(id), 1);
  control = await control.restart();
  equal(await countReferences(id), 1);
  equal((await control.call(`DELETE ${lists}/${id}`)).success, false);
});

test('lists of an account without a record of uses are counted by asking every zone, once', async () => {
  const id = await makeList('older');
  await addFilter('ip.src in $older');
  const { directory } = control;
  await control.control.close();
  const classes = { Account: { class: OpenAccount, storage: 'sql' as const } };
  const runtime = await createRuntime({ directory, classes, durability: 'os' });
  await runtime.namespace<OpenAccount>('Account').getByName('account').run('DELETE FROM list_uses');
  await runtime.close();
  control = await control.restart();
  const asked = await countWorkOf(async () => equal(await countReferences(id), 1));
  const known = await countWorkOf(async () => equal(await countReferences(id), 1));
  equal(known < asked, true, `${asked} steps, then ${known}`);
  deepEqual((await control.call(`GET ${lists}`)).result.length, 2);
  equal((await control.call(`DELETE ${lists}/${id}`)).success, false);
});
