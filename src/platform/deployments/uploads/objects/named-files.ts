/** The files of a data directory that its objects refer to: for the check of a restored one. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { bindingClassNames, listBucketFiles } from '#bindings';
import { readAccountFiles } from '#control';
import type { NamedFiles } from '#operator';
import { listAssetFiles } from '../asset-uploads.ts';
import { assetFolder, codeFolder, storesFolder, workersFolder } from '../folders.ts';
import { directoryNameOf } from '../worker-directories.ts';

export const namedFiles: readonly NamedFiles[] = [
  {
    className: 'Account',
    *list(account, { directory }) {
      const { code, assets, workers, hasStores } = readAccountFiles(account);
      for (const digest of code) yield join(codeFolder, digest);
      for (const digest of assets) {
        const list = join(assetFolder, digest);
        yield list;
        if (!existsSync(join(directory, list))) continue;
        for (const hash of listAssetFiles(readFileSync(join(directory, list), 'utf8')))
          yield join(assetFolder, hash);
      }
      for (const id of workers) yield join(workersFolder, directoryNameOf(id));
      if (hasStores) yield storesFolder;
    },
  },
  {
    className: bindingClassNames.r2,
    *list(bucket, { id }) {
      for (const file of listBucketFiles(bucket, id)) yield join('buckets', file);
    },
  },
];
