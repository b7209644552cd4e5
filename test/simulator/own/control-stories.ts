/**
 * The promises of the control plane's objects, as stories: either both an operation and its audit entry exist, or
 * neither.
 */
import type { OwnStory } from './own-stories.ts';
import type { World } from '#simulator';
import { noAcme } from '../../../src/api/control/context/acme-settings.ts';
import { system } from '../../../src/api/control/context/caller.ts';
import { Directory } from '../../../src/api/control/context/directory.ts';
import type { ControlEnvironment } from '../../../src/api/control/context/environment.ts';
import type { Call } from '../../../src/api/control/context/handler.ts';
import { Account } from '../../../src/api/control/objects/account.ts';
import { Zone } from '../../../src/api/control/objects/zone.ts';

const zoneId = '0123456789abcdef0123456789abcdef';
const directory = new Directory();
directory.apply({
  revision: 1,
  account: { id: 'account', name: 'Home', createdAtMs: 0 },
  zones: [
    {
      id: zoneId,
      facts: {
        id: zoneId,
        name: 'shop.example',
        plan: 'enterprise',
        accountId: 'account',
        isPaused: false,
        type: 'full',
        vanityNameServers: [],
        createdAtMs: 0,
        modifiedAtMs: 0,
      },
    },
  ],
  tokens: [],
  zonesToErase: [],
});

const env: ControlEnvironment = {
  directory,
  ready: Promise.resolve(),
  keySealer: undefined as never,
  checkOrigin: { findObstacle: () => undefined, workers: undefined },
  directoryRevisionsKept: 0,
  prepare: () => undefined,
  findHostId: () => '',
  acme: noAcme,
  outbound: { origins: undefined, mail: undefined },
  onChange: () => {},
  onError: () => {},
};

function call(operation: Call['operation'], body: unknown, path = {}): Call {
  return { operation, input: { path, query: {}, body } as never, actor: system, requestId: '' };
}

interface Ends {
  readonly sent: Set<string>;
  readonly acknowledged: Set<string>;
}

/** Clients create things by name, each once. */
async function create(
  world: World,
  object: string,
  name: string,
  toCall: (thing: string) => Call,
): Promise<Ends> {
  const ends: Ends = { sent: new Set(), acknowledged: new Set() };
  await world.run(
    {
      create: async (step) => {
        const thing = `thing${step.number}`;
        ends.sent.add(thing);
        const { status } = await step.object<Zone>(object, name).answer(toCall(thing));
        if (status !== 200) throw new Error(`the answer is ${status}`);
        ends.acknowledged.add(thing);
      },
    },
    { steps: 4 },
  );
  await world.settle();
  return ends;
}

/**
 * The stored data consists of acknowledged operations, and of those whose outcome is unknown; each has one entry in the
 * audit log.
 */
function compare({ sent, acknowledged }: Ends, stored: readonly string[], audited: readonly string[]): void {
  for (const thing of acknowledged)
    if (!stored.includes(thing)) throw new Error('what was acknowledged is not there');
  for (const thing of stored)
    if (!sent.has(thing)) throw new Error('there is something that nobody has asked for');
  if (new Set(stored).size !== stored.length) throw new Error('something is there twice');
  if (audited.length !== stored.length)
    throw new Error(`there are ${stored.length} things and ${audited.length} entries in the audit log`);
}

async function zone(world: World): Promise<void> {
  const ends = await create(world, 'Zone', zoneId, (thing) =>
    call('userAgentRules.create', {
      mode: 'block',
      configuration: { target: 'ua', value: thing },
      description: '',
    }),
  );
  await world.inside('Zone', zoneId, (_zone, { storage: { sql } }) => {
    const read = (query: string): string[] => Array.from(sql.exec(query).raw(), ([value]) => value as string);
    compare(
      ends,
      read('SELECT user_agent FROM user_agent_rules'),
      read(`SELECT resource_id FROM audit WHERE resource = 'user_agent_rule'`),
    );
  });
}

async function account(world: World): Promise<void> {
  await world
    .object<Account>('Account', 'account', { retries: 20 })
    .bootstrap({ accountName: 'Home', email: 'a@b.example' });
  const ends = await create(world, 'Account', 'account', (thing) =>
    call('lists.create', { name: thing, kind: 'ip', description: '' }),
  );
  await world.inside('Account', 'account', (_account, { storage: { sql } }) => {
    const read = (query: string): string[] => Array.from(sql.exec(query).raw(), ([value]) => value as string);
    if (read('SELECT id FROM account').length !== 1) throw new Error('there is not one account');
    compare(
      ends,
      read('SELECT name FROM lists'),
      read(`SELECT resource_id FROM audit WHERE resource = 'list'`),
    );
  });
}

export const controlStories: Readonly<Record<string, OwnStory>> = {
  zone: { classes: { Zone: { class: Zone, storage: 'sql' } }, env, story: zone },
  account: { classes: { Account: { class: Account, storage: 'sql' } }, env, story: account },
};
