import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { TestControl } from './harness.ts';
import { makeToken } from './token-maker.ts';

interface Entry {
  readonly id: string;
  readonly action: { readonly type: string };
  readonly actor: { readonly email: string; readonly ip: string; readonly type: string };
  readonly resource: { readonly id: string; readonly type: string };
  readonly oldValueJson: unknown;
  readonly newValueJson: unknown;
  readonly metadata: { readonly operation: string; readonly zone_name?: string; readonly token_id?: string };
  readonly when: string;
}

let control: TestControl;
let logs: string;
before(async () => {
  control = await TestControl.open();
  logs = `/accounts/${control.control.directory.accountId}/audit_logs`;
});
after(() => control.close());

async function entries(query = '', path = logs): Promise<readonly Entry[]> {
  return (await control.call(`GET ${path}${query}`)).result as Entry[];
}

test('audit.list has the changes of the account and its zones, the newest first', async () => {
  const [pro, free] = [control.zone('pro'), control.zone('free')];
  await control.clock.advance(1000);
  const made = await control.call(`POST /zones/${pro}/filters`, {
    body: [{ expression: 'ip.src eq 192.0.2.1' }],
    address: '192.0.2.9',
  });
  const filter = (made.result as { id: string }[])[0]!;
  await control.clock.advance(1000);
  const token = await makeToken(control, { groups: ['Firewall Services Write'], on: ['zone.*'] });
  await control.clock.advance(1000);
  await control.call(`POST /zones/${free}/filters`, { ...token, body: [{ expression: 'ssl' }] });
  await control.clock.advance(1000);
  await control.call(`DELETE /zones/${pro}/filters/${filter.id}`);

  const [deleted, added, tokenMade, first] = await entries('?per_page=4');
  deepEqual(
    [deleted, added, tokenMade, first].map((entry) => [
      entry!.metadata.operation,
      entry!.action.type,
      entry!.metadata.zone_name,
    ]),
    [
      ['filters.delete', 'delete', 'pro.example'],
      ['filters.create', 'add', 'free.example'],
      ['tokens.create', 'add', undefined],
      ['filters.create', 'add', 'pro.example'],
    ],
  );
  deepEqual(first!.resource, { id: filter.id, type: 'filter' });
  deepEqual(first!.actor.ip, '192.0.2.9');
  deepEqual(first!.newValueJson, filter);
  deepEqual(deleted!.oldValueJson, filter);
  equal(deleted!.when, '2026-01-01T00:00:04.000000Z');
  equal(added!.metadata.token_id, token.id);
  ok(!JSON.stringify(tokenMade).includes(token.value));
  deepEqual(await entries(`?id=${added!.id}`), [added]);
});

test('audit.list filters by time, action, actor and zone, and pages meet', async () => {
  const all = await entries('?direction=asc&per_page=1000');
  const pages = [1, 2, 3, 4, 5, 6].map((page) => entries(`?direction=asc&per_page=2&page=${page}`));
  deepEqual((await Promise.all(pages)).flat(), all.slice(0, 12));
  const since = '2026-01-01T00:00:02Z';
  deepEqual(
    await entries(`?direction=asc&since=${since}&before=2026-01-01T00:00:04Z`),
    all.filter(({ when }) => when >= '2026-01-01T00:00:02' && when < '2026-01-01T00:00:04'),
  );
  deepEqual(await entries('?since=2026-01-02'), []);
  deepEqual(
    (await entries('?action.type=delete')).map(({ action }) => action.type),
    ['delete'],
  );
  ok((await entries('?actor.email=OWNER@example.com')).every(({ actor }) => actor.type === 'user'));
  equal((await entries('?actor.ip=192.0.2.9')).length, 1);
  equal((await entries('?zone.name=pro.example')).length, 2);
  deepEqual(
    await entries('', `/zones/${control.zone('pro')}/audit_logs`),
    await entries('?zone.name=pro.example'),
  );
  equal((await control.call(`GET ${logs}?since=yesterday`)).status, 400);
  const deep = await control.call(`GET ${logs}?page=1000&per_page=1000`);
  deepEqual([deep.status, deep.errors[0]?.code], [400, 10601]);
});

test('audit.verify walks every chain; a deleted zone keeps its log', async () => {
  const zone = control.zone('business');
  const filters = `/zones/${zone}/filters`;
  for (let part = 0; part < 6; part++) {
    const body = Array.from({ length: 100 }, (_, index) => ({
      expression: `http.host eq "h${part * 100 + index}"`,
    }));
    equal((await control.call(`POST ${filters}`, { body })).status, 200);
  }
  const before = (await control.call(`GET /zones/${zone}/audit_logs/verify`)).result;
  match(before.last_hash, /^[0-9a-f]{64}$/);
  deepEqual([before.is_intact, before.entries], [true, 600]);
  await control.call(`DELETE /zones/${zone}`);
  const trails = (await control.call(`GET ${logs}/verify`)).result as { id: string; is_intact: boolean }[];
  deepEqual(
    trails.find(({ id }) => id === zone),
    before,
  );
  ok(trails.every(({ is_intact }) => is_intact));
  equal((await entries('?zone.name=business.example')).length, 100);
});

test('audit.list shows the beginning of values that are too long for a page, and all of one that is asked for', async () => {
  const zone = control.zone('enterprise');
  const entryPoint = `PUT /zones/${zone}/rulesets/phases/http_request_firewall_custom/entrypoint`;
  for (const host of ['a.example', 'b.example', 'c.example']) {
    const rules = Array.from({ length: 900 }, (_, index) => ({
      action: 'block',
      expression: `http.host eq "${host}" and http.request.uri.path eq "/${'x'.repeat(1000)}"`,
      ref: `rule ${index}`,
    }));
    equal((await control.call(entryPoint, { body: { rules } })).status, 200);
  }
  const [last] = (await entries('', `/zones/${zone}/audit_logs`)) as (Entry & {
    readonly newValue: string;
    readonly metadata: { readonly is_shortened?: true };
  })[];
  deepEqual([last!.metadata.is_shortened, last!.newValueJson, last!.oldValueJson], [true, null, null]);
  deepEqual([last!.newValue.length, last!.newValue.at(-1)], [16 * 1024 + 1, '…']);
  const [whole] = await entries(`?id=${last!.id}`);
  const { version, changes } = whole!.newValueJson as { version: string; changes: { changed: unknown[] } };
  deepEqual([version, changes.changed.length], ['3', 900]);
  const { result } = await control.call(`GET /zones/${zone}/audit_logs/verify`);
  deepEqual([result.is_intact, result.entries], [true, 3]);
});
