/** `gatehouse disk`: the disk usage of a data directory, by object and by zone. */
import { resolve } from 'node:path';
import { hasObjects } from '#hosts';
import type { OperatorAccess } from '#operator';
import { type Command, CommandError } from '../command.ts';
import { openEventFiles } from '../event-files.ts';
import { withAccess } from '../operator/directory.ts';

type DiskRow = Readonly<Record<string, string | number | undefined>>;

export const diskCommand: Command = {
  name: 'disk',
  parameters: '',
  summary: 'Show what uses space in a data directory: its parts, each object, the events of each zone.',
  details: `Each object has bytes of history (journal), of snapshots (images) and of key-value data (tables). If a server runs on the directory, it does the measuring.`,
  options: {
    data: { value: 'DIRECTORY', help: 'data directory (./data)' },
    json: { help: 'print one JSON object per line' },
  },
  async run(args) {
    const directory = resolve(args.values['data'] ?? 'data');
    if (!hasObjects(directory)) {
      throw new CommandError(`there is no data in ${directory}: choose the directory with --data`);
    }
    const isJson = args.switches.has('json');
    await withAccess(args, 'look', async (access) => {
      for await (const row of measure(access))
        process.stdout.write(`${isJson ? JSON.stringify(row) : formatRow(row)}\n`);
    });
  },
};

function formatRow(row: DiskRow): string {
  return Object.entries(row)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => (typeof value === 'number' ? `${name} ${value}` : value))
    .join('  ');
}

async function* measure(access: OperatorAccess): AsyncGenerator<DiskRow> {
  yield* access.client.lines('GET', '/disk');
  // A running server measures its events itself.
  if (access.isLive) return;
  await using store = await openEventFiles(access.directory);
  // Flushes what a killed process left in the tail into blocks, so that it is counted.
  await store?.housekeep();
  for (const { zoneId, events, bytes } of (await store?.measureZones()) ?? [])
    yield { kind: 'events', zone: zoneId, events, bytes };
}
