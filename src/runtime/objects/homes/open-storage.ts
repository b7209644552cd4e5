/** Where a runtime stores its objects, as its options say: a directory, a cluster, or the memory of a simulation. */
import { realClock } from '#base';
import { ClusterStorage } from '../clustered/cluster-storage.ts';
import { Disk } from '../disk.ts';
import type { Owner } from '../ledger/records.ts';
import { retentionMsDefault } from '../limits.ts';
import { MemoryStorage } from '../memory/memory-storage.ts';
import type { ObjectStorage } from '../persistence/object-storage.ts';
import type { RuntimeOptions } from '../runtime-options.ts';

interface StorageEvents {
  readonly onAlarm: (owner: Owner, time: number | undefined) => void;
  /** Objects of this process have been claimed by another. */
  readonly onLost: (owners: readonly Owner[], cause: Error) => void;
  /** Every object that is awake has ended at once. */
  readonly onStopped: (cause: Error) => void;
  readonly log: (message: string, error?: unknown) => void;
}

export async function openStorage(options: RuntimeOptions, events: StorageEvents): Promise<ObjectStorage> {
  const { clock = realClock, cluster, retentionMs = retentionMsDefault } = options;
  if (options.simulation !== undefined)
    return new MemoryStorage({ home: options.simulation.home, clock, retentionMs, ...events });
  if (cluster !== undefined) {
    const { directory } = options;
    return await ClusterStorage.open({ cluster, directory, clock, retentionMs, ...events });
  }
  const { directory, durability = 'disk', fs, segmentBytes, salvage = false } = options;
  const { onAlarm, log } = events;
  return await Disk.open({
    directory,
    clock,
    durability,
    retentionMs,
    fs,
    segmentBytes,
    salvage,
    onAlarm,
    log,
  });
}
