/** The event store as a part of a data directory that can be copied and checked while it is in use. */
import { basename } from 'node:path';
import type { BackupFile, BackupPart } from '#objects';
import type { TrafficStore } from './traffic/traffic-store.ts';
import type { EventStore } from './event-store.ts';
import { linkFiles } from './store/files/held-files.ts';

/** `directory` is the directory of the store. */
export function createEventPart(store: EventStore, directory: string): BackupPart {
  const folder = basename(directory);
  return {
    names: [folder],
    async hold() {
      const held = await store.whileSealed((paths) => linkFiles(directory, paths));
      const files = held.files.map(({ name, source, ...file }) => ({
        ...file,
        path: `${folder}/${name}`,
        source: `${folder}/${source}`,
      }));
      const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
      return { bytes, files, [Symbol.dispose]: () => held[Symbol.dispose]() };
    },
    scrub: () => store.scrub(),
  };
}

/** The request counts as a part of a data directory that can be copied and checked while it is in use. */
export function createTrafficPart(store: TrafficStore): BackupPart {
  const folder = basename(store.directory);
  return {
    names: [folder],
    async hold() {
      const { manifest, runs, release } = await store.hold();
      const files: BackupFile[] = runs.map(({ name, bytes, checksum }) => ({
        path: `${folder}/${name}`,
        bytes,
        stamp: checksum.toString(16).padStart(8, '0'),
      }));
      const { name, bytes: content } = manifest;
      files.push({ path: `${folder}/${name}`, bytes: content.length, content });
      const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
      return { bytes, files, [Symbol.dispose]: release };
    },
    scrub: () => store.scrub(),
  };
}
