/** `gatehouse disk`: what takes the space of a data directory, by object and by zone. */
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { listLogDirectories, openRecorded } from '#hosts';
import { measureDirectory } from '#server';
import { type Command, CommandError, exitCodes } from '../command.ts';
import { openEventFiles } from '../event-files.ts';

type Row = Readonly<Record<string, string | number | undefined>>;

export const diskCommand: Command = {
  name: 'disk',
  parameters: '',
  summary: 'Show what takes space in a data directory: its parts, each object, the events of each zone.',
  details: `Bytes per object are those of its history (journal), of its snapshots (images) and of its key-value data (tables). The
server must not be running on the directory.`,
  options: {
    data: { value: 'DIRECTORY', help: 'data directory (./data)' },
    json: { help: 'print one JSON object per line' },
  },
  async run(args) {
    const directory = resolve(args.values['data'] ?? 'data');
    if (!listLogDirectories(directory).some((each) => existsSync(join(each, 'journal')))) {
      throw new CommandError(`there is no data in ${directory}: choose the directory with --data`);
    }
    const isJson = args.switches.has('json');
    for await (const row of measure(directory)) {
      process.stdout.write(`${isJson ? JSON.stringify(row) : formatRow(row)}\n`);
    }
    return exitCodes.success;
  },
};

function formatRow(row: Row): string {
  return Object.entries(row)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => (typeof value === 'number' ? `${name} ${value}` : value))
    .join('  ');
}

async function* measure(directory: string): AsyncGenerator<Row> {
  await using runtime = await openRecorded({ directory, salvage: true });
  const logs = listLogDirectories(directory);
  for (const part of ['journal', 'images', 'tables']) {
    let bytes = 0;
    for (const each of logs) bytes += await measureDirectory(join(each, part));
    yield { kind: 'part', name: part, bytes };
  }
  for (const part of ['events', 'traffic'])
    yield { kind: 'part', name: part, bytes: await measureDirectory(join(directory, part)) };
  for await (const { className, id, name, ...size } of runtime.sizes()) {
    const { journalBytes: journal, imageBytes: images, tableBytes: tables } = size;
    yield { kind: 'object', class: className, name: name ?? id.toString(), journal, images, tables };
  }
  await using store = await openEventFiles(directory);
  // What a process that was killed left in the tail is counted in blocks.
  await store?.housekeep();
  for (const { zoneId, events, bytes } of (await store?.measureZones()) ?? []) {
    yield { kind: 'events', zone: zoneId, events, bytes };
  }
}
