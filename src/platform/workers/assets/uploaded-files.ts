/** Assets that were uploaded: files that are named by their hashes, and a list of paths. */
import { hash } from 'node:crypto';
import { basename, join } from 'node:path';
import type { UploadedFiles } from '../config/assets-settings.ts';

/** Where an asset server finds its files. */
export interface AssetSource {
  /** The file of a path as in a URL, if it is an asset. */
  find(path: string): string | undefined;
  /** Throws if a file that `find` has named does not have the bytes that it was stored with. */
  check(file: string, bytes: Uint8Array): void;
  /** The text of `_headers` or `_redirects`. */
  readRules(name: '_headers' | '_redirects'): string;
}

export class UploadedAssets implements AssetSource {
  readonly #files: UploadedFiles;

  constructor(files: UploadedFiles) {
    this.#files = files;
  }

  find(path: string): string | undefined {
    const { folder, files } = this.#files;
    return Object.hasOwn(files, path) ? join(folder, files[path]!.hash) : undefined;
  }

  check(file: string, bytes: Uint8Array): void {
    if (hash('sha256', bytes, 'hex') !== basename(file))
      throw new Error(`${file} is damaged: deploy the Worker again`);
  }

  readRules(name: '_headers' | '_redirects'): string {
    return this.#files.rules[name];
  }
}
