/** The cost of a write, as counts that are the same on every machine. */
import { deepEqual, equal, ok } from 'node:assert/strict';
import { after, before, mock, test } from 'node:test';
import { countReadings } from '#expressions';
import { createRuntime, DurableObject, type DurableObjectState } from '#objects';
import { TestControl } from './harness.ts';

let control: TestControl;
before(async () => {
  control = await TestControl.open();
});
after(() => control.close());

type Prototype = Record<string, (...values: unknown[]) => unknown>;

/** The prototypes that the storage of every object has. */
async function findPrototypes(): Promise<{ sql: Prototype; storage: Prototype }> {
  let found: { sql: Prototype; storage: Prototype } | undefined;
  class Finder extends DurableObject {
    constructor(ctx: DurableObjectState, env: unknown) {
      super(ctx, env);
      found = {
        sql: Object.getPrototypeOf(ctx.storage.sql) as Prototype,
        storage: Object.getPrototypeOf(ctx.storage) as Prototype,
      };
    }

    wake(): void {}
  }
  const runtime = await createRuntime({
    directory: `${control.directory}/finder`,
    classes: { Finder: { class: Finder, storage: 'sql' } },
    durability: 'os',
  });
  await runtime.namespace<Finder>('Finder').getByName('one').wake();
  await runtime.close();
  return found!;
}

function createRule(zone: string, name: string): Promise<{ status: number }> {
  const rule = { action: 'block', filter: { expression: `http.host eq "${name}"` } };
  return control.call(`POST /zones/${zone}/firewall/rules`, { body: [rule] });
}

test('rules that are created together take one transaction, and seven statements each', async () => {
  const zone = control.zone('business');
  const { sql, storage } = await findPrototypes();
  await createRule(zone, 'first.example');
  const exec = mock.method(sql, 'exec');
  const transact = storage.transactionSync!;
  const counted = { statements: 0, transactions: 0 };
  // Reads of the zone after the first rule may still be in progress: only writes count.
  const transactionSync = mock.method(storage, 'transactionSync', function (this: object, work: unknown) {
    const before = exec.mock.callCount();
    const result = transact.call(this, work);
    counted.statements += exec.mock.callCount() - before;
    counted.transactions++;
    return result;
  });
  const names = Array.from({ length: 8 }, (_, index) => `h${index}.example`);
  const answers = await Promise.all(names.map((name) => createRule(zone, name)));
  exec.mock.restore();
  transactionSync.mock.restore();
  deepEqual([...new Set(answers.map(({ status }) => status))], [200]);
  // One more for all of them: the mark of the audit log.
  deepEqual(counted, { statements: 7 * names.length + 1, transactions: 1 });
});

test('rules that are created together with one that is refused are created all the same', async () => {
  const zone = control.zone('enterprise');
  const [first, refused, last] = await Promise.all([
    createRule(zone, 'a.example'),
    // The first of its rules is valid, and is rolled back with the other.
    control.call(`POST /zones/${zone}/firewall/rules`, {
      body: [
        { action: 'block', filter: { expression: 'http.host eq "b.example"' } },
        { action: 'block', filter: { expression: 'http.host eq' } },
      ],
    }),
    createRule(zone, 'c.example'),
  ]);
  deepEqual([first.status, refused.status, last.status], [200, 400, 200]);
  const { result } = await control.call(`GET /zones/${zone}/filters`);
  deepEqual(
    result.map(({ expression }: { expression: string }) => expression),
    ['http.host eq "a.example"', 'http.host eq "c.example"'],
  );
});

test('deleting a list takes one record of the log', async () => {
  const { accountId } = control.control.directory;
  const created = await control.call(`POST /accounts/${accountId}/rules/lists`, {
    body: { name: 'short_lived', kind: 'ip' },
  });
  equal(created.status, 200);
  const list = `/accounts/${accountId}/rules/lists/${created.result.id}`;
  // The first deletion of an account asks every zone once.
  await control.call(`GET ${list}/uses`);
  const before = control.control.stats().journal.records;
  equal((await control.call(`DELETE ${list}`)).status, 200);
  equal(control.control.stats().journal.records - before, 1);
  ok(!control.control.directory.lists.has('short_lived'));
});

const numbers = Array.from({ length: 20 }, (_, index) => index);

/** Of a call with this many expressions. */
async function expectReadAhead(route: string, body?: object): Promise<void> {
  const before = countReadings();
  const { status, errors } = await control.call(route, body === undefined ? {} : { body });
  equal(status, 200, JSON.stringify(errors));
  const { read, found } = countReadings();
  deepEqual([read - before.read, found - before.found], [0, numbers.length], route);
}

test('a call reads its expressions before it begins, so that its transaction reads none', async () => {
  const zone = control.zone('enterprise');
  const expression = (index: number): string => `http.host eq "read-${index}.example"`;
  const entryPoint = `/zones/${zone}/rulesets/phases/http_request_firewall_custom/entrypoint`;
  const calls: readonly [string, object][] = [
    [
      `PUT ${entryPoint}`,
      { rules: numbers.map((index) => ({ action: 'block', expression: expression(index) })) },
    ],
    [`POST /zones/${zone}/filters`, numbers.map((index) => ({ expression: ` ${expression(index)} ` }))],
    [
      `POST /zones/${zone}/firewall/rules`,
      numbers.map((index) => ({ action: 'block', filter: { expression: expression(100 + index) } })),
    ],
  ];
  for (const [route, body] of calls) await expectReadAhead(route, body);
  const { result: ofZone } = await control.call(`PUT ${entryPoint}`, { body: { rules: [] } });
  await expectReadAhead(`POST /zones/${zone}/rulesets/${ofZone.id}/versions/1/restore`);
  const rulesets = `/accounts/${control.control.directory.accountId}/rulesets`;
  const rules = numbers.map((index) => ({ action: 'block', expression: expression(200 + index) }));
  const { result: ofAccount } = await control.call(`POST ${rulesets}`, {
    body: { name: 'restored', kind: 'custom', phase: 'http_request_firewall_custom', rules },
  });
  await control.call(`PUT ${rulesets}/${ofAccount.id}`, { body: { rules: [] } });
  await expectReadAhead(`POST ${rulesets}/${ofAccount.id}/versions/1/restore`);
});
