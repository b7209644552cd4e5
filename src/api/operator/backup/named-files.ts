/**
 * What objects name outside of their databases: contents of buckets, code and assets of Workers, directories of their
 * objects. The classes belong to other rooms, which say how the names are read. A restored directory is checked for all of
 * them, because what is missing would otherwise be noticed by the first visitor who needs it.
 */
import { existsSync } from 'node:fs';
import { join, relative } from 'node:path';
import { openRecorded } from '#hosts';
import type { OnProgress, PastObject } from '#objects';
import { findInnerDirectories } from './inner-directories.ts';

export interface NamedFiles {
  readonly className: string;
  /** Paths below the directory that the object is in. */
  list(
    object: Pick<PastObject, 'exec'>,
    place: { readonly directory: string; readonly id: string },
  ): Iterable<string>;
}

/** A file or folder that is not there, and what names it. */
export interface MissingFile {
  /** Below the directory. */
  readonly file: string;
  readonly className: string;
  readonly object: string;
}

/** No program has the directory open. */
export async function* findMissingFiles(
  directory: string,
  named: readonly NamedFiles[],
  onProgress?: OnProgress,
): AsyncGenerator<MissingFile, void> {
  for (const path of ['', ...findInnerDirectories(directory).withObjects]) {
    const place = join(directory, path);
    await using runtime = await openRecorded({ directory: place });
    let done = 0;
    for (const { className, list } of named) {
      if (!runtime.classNames.includes(className) || runtime.storageOf(className) !== 'sql') continue;
      for await (const { id, name } of runtime.objects(className)) {
        onProgress?.({ step: 'checking the files that objects name', done: ++done, total: undefined });
        const history = runtime.history(id);
        using object = await history.readAt(await history.current());
        for (const each of list(object, { directory: place, id: id.toString() })) {
          const file = relative(directory, join(place, each));
          if (!existsSync(join(place, each))) yield { file, className, object: name ?? id.toString() };
        }
      }
    }
  }
}
