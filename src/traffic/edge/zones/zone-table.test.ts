import { deepEqual, equal, notEqual, ok } from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { type AccountPart, ManagedPrograms, type ZoneConfiguration, type ZonePart } from '#firewall';
import { configurationOf } from '../../../rules/firewall/testing.ts';
import { ZoneTable } from './zone-table.ts';

function newTable(options: { readonly loadedZonesMax?: number } = {}): ZoneTable {
  return new ZoneTable({
    ...options,
    catalogue: { rulesets: new Map(), legacyPackages: [] },
    programs: new ManagedPrograms(),
  });
}

function configuration(id: string, name: string, more: Partial<ZoneConfiguration> = {}): ZoneConfiguration {
  return configurationOf({
    zone: { id, name, plan: 'free' },
    migration: 'start',
    edge: { origin: { url: 'http://127.0.0.1:81', verifyTls: true }, overInspectionLimit: 'log' },
    ...more,
  });
}

const block = { action: 'block', products: [], description: '', ref: '', expression: 'true' } as const;

test('ZoneTable finds the most specific zone of a name', () => {
  const table = newTable();
  table.update(configuration('a', 'example.com'));
  table.update(configuration('b', 'shop.example.com'));
  const names = ['example.com', 'www.example.com', 'shop.example.com', 'a.b.shop.example.com', 'com', ''];
  deepEqual(
    names.map((name) => table.find(name)?.id),
    ['a', 'a', 'b', 'b', undefined, undefined],
  );
  equal(table.find('badexample.com'), undefined);
});

test('ZoneTable does not recompile an equal configuration with another version', () => {
  const table = newTable();
  const first = table.update(configuration('a', 'example.com'));
  equal(table.update(configuration('a', 'example.com', { version: 2 })), undefined);
  equal(table.use('a'), first);
  const changed = configuration('a', 'example.com', { version: 3, firewallRules: [{ id: '1', ...block }] });
  notEqual(table.update(changed), undefined);
  equal(table.use('a')?.rules.configuration.version, 3);
});

test('ZoneTable keeps the origin object of a zone while it is equal, because connections are found by it', () => {
  const table = newTable();
  const first = table.update(configuration('a', 'example.com'));
  const second = table.update(configuration('a', 'example.com', { firewallRules: [{ id: '1', ...block }] }));
  ok(first!.serving.origin !== undefined && second!.serving.origin === first!.serving.origin);
  const edge = {
    origin: { url: 'https://[::1]', connectTo: 'inside', verifyTls: false },
    overInspectionLimit: 'log',
  } as const;
  deepEqual(table.update(configuration('a', 'example.com', { edge }))!.serving.origin, {
    scheme: 'https',
    host: '::1',
    port: 443,
    connectTo: 'inside',
    verifyTls: false,
  });
});

test('ZoneTable leaves a name to the zone that took it over', () => {
  const table = newTable();
  table.update(configuration('a', 'example.com'));
  table.update(configuration('b', 'example.com'));
  table.remove('a');
  equal(table.find('example.com')?.id, 'b');
  table.update(configuration('b', 'renamed.com'));
  equal(table.find('example.com'), undefined);
  equal(table.size, 1);
  table.remove('b');
  table.remove('b');
  deepEqual([table.find('renamed.com'), table.size], [undefined, 0]);
});

test('ZoneTable returns which rules are not in force', () => {
  const zone = newTable().update(
    configuration('a', 'example.com', {
      firewallRules: [
        { id: 'good', ...block },
        { id: 'bad', ...block, expression: 'ip.src in $gone and' },
      ],
    }),
  );
  deepEqual(
    zone!.rules.problems.map(({ ruleId }) => ruleId),
    ['bad'],
  );
});

function list(name: string, ...items: string[]): AccountPart['lists'][number] {
  return { name, kind: 'ip', items };
}

function accountOf(version: number, ...lists: AccountPart['lists'][number][]): AccountPart {
  return { version, lists, customRulesets: [], entryPoints: [] };
}

function partOf(id: string, expression: string): ZonePart {
  const {
    lists: _lists,
    customRulesets: _rulesets,
    ...part
  } = configuration(id, `${id}.com`, {
    firewallRules: [{ id: '1', ...block, expression }],
  });
  return part;
}

test('ZoneTable compiles zones again that use a list that has changed, and no others', async () => {
  const table = newTable();
  table.updateAccount(accountOf(1, list('bad', '192.0.2.1'), list('good')));
  await table.updateZone(partOf('a', 'ip.src in $bad'));
  await table.updateZone(partOf('b', 'ip.src in $good'));
  const [a, b] = [table.use('a'), table.use('b')];
  table.updateAccount(accountOf(2, list('bad', '192.0.2.2'), list('good')));
  equal(table.use('a'), undefined);
  notEqual(await table.load('a'), a);
  equal(table.use('b'), b);
  deepEqual(table.use('a')!.rules.configuration.lists, [list('bad', '192.0.2.2')]);
  equal(table.use('a'), table.use('a'));
});

test('ZoneTable compiles every zone again when the rules of the account change', async () => {
  const table = newTable();
  await table.updateZone(partOf('a', 'ssl'));
  const before = table.use('a');
  const entryPoint = {
    id: 'e',
    name: '',
    description: '',
    kind: 'root',
    version: '1',
    rules: [],
    last_updated: '',
    phase: 'http_request_firewall_custom',
  } as const;
  table.updateAccount({ ...accountOf(2), entryPoints: [entryPoint] });
  equal(table.use('a'), undefined);
  notEqual(await table.load('a'), before);
  deepEqual(
    table.use('a')!.rules.configuration.entryPoints.map(({ id }) => id),
    ['e'],
  );
});

test('ZoneTable drops zones only if they can be loaded again, and knows their names', async () => {
  const table = newTable({ loadedZonesMax: 1 });
  for (const id of ['a', 'b']) await table.updateZone(partOf(id, 'ssl'));
  equal(table.loadedSize, 2);
  table.loader = { load: async () => {}, onRecompiled: () => {} };
  await table.updateZone(partOf('c', 'ssl'));
  deepEqual([table.use('a'), table.use('b'), table.isLoaded('c')], [undefined, undefined, true]);
  deepEqual([table.find('www.a.com')?.id, table.size], ['a', 3]);
});

test('ZoneTable serves the other zones while one is compiled, and puts its changes in force in their order', async () => {
  const table = newTable();
  await table.updateZone(partOf('b', 'ssl'));
  const pattern = (index: number): string => `http.host matches r"(?:[a-f]{1,40}x?){1,20}${index}"`;
  const rules = Array.from({ length: 12 }, (_, index) => ({
    id: `${index}`,
    ...block,
    expression: pattern(index),
  }));
  const first = table.updateZone({ ...partOf('a', 'ssl'), firewallRules: rules });
  const second = table.updateZone({ ...partOf('a', 'ssl'), version: 2 });
  const ended = first.then(() => 'ended');
  let turns = 0;
  while ((await Promise.race([ended, setImmediate('turn')])) === 'turn') {
    ok(table.use('b') !== undefined);
    turns++;
  }
  // Each of the patterns takes one turn.
  ok(turns >= rules.length, `${turns} turns`);
  equal((await second)?.rules.configuration.version, 2);
  equal(table.use('a'), await second);
});

test('ZoneTable compiles a zone again that uses what changed while it was compiled, and drops one that was removed', async () => {
  const table = newTable();
  table.updateAccount(accountOf(1, list('bad', '192.0.2.1')));
  const update = table.updateZone(partOf('a', 'ip.src in $bad'));
  table.updateAccount(accountOf(2, list('bad', '192.0.2.2')));
  await update;
  deepEqual((await table.load('a'))!.rules.configuration.lists, [list('bad', '192.0.2.2')]);
  const again = table.updateZone(partOf('a', 'ssl'));
  table.remove('a');
  deepEqual([await again, table.size, table.loadedSize], [undefined, 0, 0]);
});
