import { join } from 'node:path';
import type { PastObject } from '#objects';

/** The files with the contents of a bucket, relative to the directory of `BodyFiles`; `id` is that of its object. */
export function* listBucketFiles(bucket: Pick<PastObject, 'exec'>, id: string): Generator<string> {
  // A bucket that was never used has no tables.
  const tables = bucket.exec("SELECT 1 FROM sqlite_master WHERE name = 'files'").toArray();
  if (tables.length === 0) return;
  for (const { file } of bucket.exec('SELECT file FROM files')) yield join(id, file as string);
}
