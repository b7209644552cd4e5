/** The disk usage of a data directory. */
import { join } from 'node:path';
import { measureDirectory } from '#base';
import type { OperatorOperations, ResultOf } from '#contract';
import { listLogDirectories } from '#hosts';
import type { ObjectRuntime } from '#objects';

/** The disk usage of each zone's events. */
export type MeasureEvents = () => Promise<
  readonly { readonly zoneId: string; readonly events: number; readonly bytes: number }[]
>;

interface DiskParts {
  readonly directory: string;
  readonly runtime: ObjectRuntime;
  readonly measureEvents?: MeasureEvents;
}

type DiskUse = ResultOf<OperatorOperations['operator.measureDisk']>;

export async function* measureDisk({
  directory,
  runtime,
  measureEvents = async () => [],
}: DiskParts): AsyncGenerator<DiskUse, void> {
  const logs = [...listLogDirectories(directory), join(directory, 'claimed')];
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
  for (const { zoneId, events, bytes } of await measureEvents())
    yield { kind: 'events', zone: zoneId, events, bytes };
}
