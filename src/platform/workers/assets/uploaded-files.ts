/** Uploaded assets: files named by their hashes, and a list of paths. */
import { hash } from 'node:crypto';
import { basename, join } from 'node:path';
import type { UploadedFiles } from '../config/assets-settings.ts';

/** The source of an asset server's files. */
export interface AssetSource {
  /** The file for a URL path, if it is an asset. */
  find(path: string): string | undefined;
  /** Throws if the bytes of a file that `find` returned are not those that were stored. */
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
