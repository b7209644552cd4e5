/** `gatehouse stores move-in`: moves the stores of a standalone Worker into an account. */
import { resolve } from 'node:path';
import { ConnectionError } from '#client';
import { ApiClient } from '../api/api-client.ts';
import { connectionHelp, connectionOptions, readConnection } from '../api/connection.ts';
import { type Arguments, type Command, CommandError, exitCodes, UsageError } from '../command.ts';
import { printRow } from '../operator/directory.ts';
import { findAccount } from '../resources/path.ts';
import { moves } from '../stores/move-store.ts';
import { type SourceStore, type StoreKind, StoreSource } from '../stores/source.ts';
import type { Moved, AccountTarget } from '../stores/target.ts';

const keys: Readonly<Record<StoreKind, string>> = {
  kv: 'kv_namespaces',
  d1: 'd1_databases',
  r2: 'r2_buckets',
  queues: 'queues',
};

type Done = Moved & { readonly store: SourceStore };

export const moveInCommand: Command = {
  name: 'stores move-in',
  parameters: '<directory>',
  summary: 'Copy the KV, D1, R2 and queue data of a standalone Worker into the stores of an account.',
  details: `directory is the data directory of gatehouse run or gatehouse dev. Stop the Worker first; the directory is not changed.
Each store is copied into the store of the account that is named after the Worker and the binding, as Wrangler names
them; buckets and queues keep their names. Missing stores are created. The output has the kind, the binding, the name,
the id for the configuration, how much was copied and how much the account already had.

Existing data of the account is not overwritten, so an interrupted run can be repeated; a message is copied only once, even
if it has been delivered since. Durable Objects stay in the directory; gatehouse objects move-in copies them once the
Worker is uploaded.

${connectionHelp}`,
  options: {
    ...connectionOptions,
    as: {
      value: 'BINDING=NAME',
      isRepeatable: true,
      help: 'name or id of the store for a binding, or for an id of the old configuration',
    },
    json: { help: 'print one JSON object per line' },
  },
  async run(args) {
    const names = readNames(args);
    using api = new ApiClient(readConnection(args, 'stores move-in'));
    const target = { api, account_id: await findAccount(api) };
    const directory = resolve(args.positionals[0]!);
    await using source = await StoreSource.open(directory);
    const stores = await source.listStores(names);
    checkNames(names, stores);
    const { done, failures } = await moveAll(args, stores, target);
    if (!args.switches.has('json')) writeConfiguration(done);
    for (const { store, left } of done)
      if (left !== undefined) note(`${keys[store.kind]} ${store.id}: left in ${directory}: ${left}`);
    const classes = await source.countObjects();
    if (classes.length > 0) {
      const listed = classes.map(({ className, count }) => `${className} (${count})`).join(', ');
      note(
        `objects stay in ${directory}: ${listed}. Once the Worker is uploaded, gatehouse objects move-in copies them`,
      );
    }
    if (failures === 0) return exitCodes.success;
    throw new CommandError(
      `${failures} of ${stores.length} stores were not copied; fix the problems above and run this again`,
      { exitCode: exitCodes.refused },
    );
  },
};

/** A failure of one store does not stop the others; an unavailable server does. */
async function moveAll(
  args: Arguments,
  stores: readonly SourceStore[],
  target: AccountTarget,
): Promise<{ readonly done: readonly Done[]; readonly failures: number }> {
  const done: Done[] = [];
  let failures = 0;
  for (const store of stores) {
    const { kind, bindings, name } = store;
    try {
      const moved = await moves[kind](store, target);
      done.push({ store, ...moved });
      const { id, taken, present, left } = moved;
      printRow(args, { kind: keys[kind], binding: bindings[0] ?? store.id, name, id, taken, present, left });
    } catch (error) {
      if (error instanceof ConnectionError) throw error;
      failures++;
      note(`${keys[kind]} ${store.id}: ${(error as Error).message}`);
    }
  }
  return { done, failures };
}

function readNames({ repeated }: Arguments): Map<string, string> {
  const pairs = (repeated['as'] ?? []).map((text) => {
    const [, binding, name] = /^([^=]+)=(.+)$/.exec(text) ?? [];
    if (binding === undefined || name === undefined)
      throw new UsageError(`--as must be BINDING=NAME, such as SESSIONS=shop-sessions: ${text}`);
    return [binding, name] as const;
  });
  return new Map(pairs);
}

function checkNames(names: ReadonlyMap<string, string>, stores: readonly SourceStore[]): void {
  const known = stores.flatMap(({ id, bindings }) => [id, ...bindings]);
  const unknown = names.keys().find((each) => !known.includes(each));
  if (unknown === undefined) return;
  const listed = known.length === 0 ? 'it has none' : `it has ${[...new Set(known)].join(', ')}`;
  throw new UsageError(`--as names ${unknown}, which is not a store of the directory: ${listed}`);
}

/** The stores in the new configuration of the Worker. */
function writeConfiguration(done: readonly Done[]): void {
  const entriesOf = (kind: StoreKind, toEntry: (moved: Done) => object): object[] =>
    done.flatMap((moved) =>
      moved.store.kind === kind
        ? moved.store.bindings.map((binding) => ({ binding, ...toEntry(moved) }))
        : [],
    );
  const producers = entriesOf('queues', ({ id }) => ({ queue: id }));
  const sections = {
    kv_namespaces: entriesOf('kv', ({ id }) => ({ id })),
    d1_databases: entriesOf('d1', ({ id, store }) => ({ database_name: store.name, database_id: id })),
    r2_buckets: entriesOf('r2', ({ id }) => ({ bucket_name: id })),
  };
  const lines = Object.entries(sections)
    .filter(([, entries]) => entries.length > 0)
    .map(([key, entries]) => `  "${key}": ${JSON.stringify(entries)}`);
  if (producers.length > 0) lines.push(`  "queues": { "producers": ${JSON.stringify(producers)} }`);
  if (lines.length > 0)
    process.stdout.write(`\nfor the configuration of the Worker:\n${lines.join(',\n')}\n`);
}

function note(text: string): void {
  process.stderr.write(`gatehouse: ${text}\n`);
}
