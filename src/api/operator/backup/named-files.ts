/**
 * References of objects to files outside of their databases: contents of buckets, code and assets of Workers,
 * directories of their objects. The classes belong to other rooms, which know how to read the references. A restored
 * directory is checked for all of these files, because otherwise the first visitor who needs a missing one would be the
 * first to notice.
 */
import { existsSync } from 'node:fs';
import { join, relative } from 'node:path';
import { openRecorded } from '#hosts';
import type { OnProgress, PastObject } from '#objects';
import { findInnerDirectories } from './inner-directories.ts';

export interface NamedFiles {
  readonly className: string;
  /** Paths relative to the directory of the object. */
  list(
    object: Pick<PastObject, 'exec'>,
    place: { readonly directory: string; readonly id: string },
  ): Iterable<string>;
}

/** A missing file or folder, and what refers to it. */
export interface MissingFile {
  /** Relative to the directory. */
  readonly file: string;
  readonly className: string;
  readonly object: string;
}

/** The directory must not be open in any program. */
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
