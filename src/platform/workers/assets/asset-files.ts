/**
 * Decides which files of a folder are assets. The files that Wrangler excludes are excluded: those that configure the
 * folder, and those that its `.assetsignore` names. So are secrets, configuration and state that the folder may contain
 * when it is the project itself, unless a line of `.assetsignore` includes them with `!`.
 *
 * Files are looked up on request, and `.assetsignore` is read again when it has changed. Files outside of the folder
 * are never assets, whatever a path or a link points to.
 */
import { cpSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import ignore, { type Ignore } from 'ignore';
import { ConfigError } from '../config/config-error.ts';

/** They configure how the folder is served. */
const ruleFiles = ['.assetsignore', '_headers', '_redirects'] as const;

const ignoreFile = '.assetsignore';

/**
 * The server of a Pages project: Wrangler refuses it unless an `.assetsignore` shows that its author has considered it.
 */
const pagesWorker = '_worker.js';

const alwaysIgnored: readonly string[] = [
  ...ruleFiles.map((name) => `/${name}`),
  '.dev.vars',
  '.dev.vars.*',
  '.env',
  '.env.*',
  '/wrangler.json',
  '/wrangler.jsonc',
  '/wrangler.toml',
  '/node_modules/',
  '.git/',
  '.wrangler/',
  '.gatehouse/',
];

interface Ignored {
  /** The stamp of the file that was read; undefined if there is none. */
  readonly stamp: string | undefined;
  readonly patterns: Ignore;
}

export class AssetFiles {
  readonly #root: string;
  #ignored: Ignored;

  constructor(directory: string) {
    if (statSync(directory, { throwIfNoEntry: false })?.isDirectory() !== true) {
      throw new ConfigError(`there is no folder ${directory}: correct assets.directory, or create it`);
    }
    this.#root = realpathSync(directory);
    this.#ignored = readIgnored(this.#root);
    this.#refusePagesWorker();
  }

  /** The file for a URL path, if it is an asset. */
  find(path: string): string | undefined {
    const file = join(this.#root, path);
    const stats = statSync(file, { throwIfNoEntry: false });
    return stats?.isFile() === true && this.#isInside(file) && !this.#isIgnored(file, false)
      ? file
      : undefined;
  }

  /** The bytes are those in the folder. */
  check(): void {}

  /** The text of `_headers` or `_redirects`; empty without the file. */
  readRules(name: Exclude<(typeof ruleFiles)[number], typeof ignoreFile>): string {
    const file = join(this.#root, name);
    const isThere = statSync(file, { throwIfNoEntry: false })?.isFile() === true;
    return isThere ? readFileSync(file, 'utf8') : '';
  }

  /** Copies the assets, and the files that configure how they are served. Links are replaced by their targets. */
  copyTo(directory: string): void {
    cpSync(this.#root, directory, {
      recursive: true,
      dereference: true,
      filter: (source) => {
        if (source === this.#root || ruleFiles.some((name) => source === join(this.#root, name))) return true;
        const isFolder = statSync(source, { throwIfNoEntry: false })?.isDirectory();
        // Undefined for a broken link.
        if (isFolder === undefined || !this.#isInside(source)) return false;
        return !this.#isIgnored(source, isFolder);
      },
    });
  }

  #isInside(file: string): boolean {
    return realpathSync(file).startsWith(this.#root + sep);
  }

  #isIgnored(file: string, isFolder: boolean): boolean {
    if (readStamp(this.#root) !== this.#ignored.stamp) this.#ignored = readIgnored(this.#root);
    const { patterns, stamp } = this.#ignored;
    const path = relative(this.#root, file).split(sep).join('/');
    // Also if it was built after the start.
    const isPagesWorker = path.split('/', 1)[0]!.toLowerCase() === pagesWorker;
    return patterns.ignores(isFolder ? `${path}/` : path) || (stamp === undefined && isPagesWorker);
  }

  #refusePagesWorker(): void {
    const file = join(this.#root, pagesWorker);
    const isThere = statSync(file, { throwIfNoEntry: false }) !== undefined;
    if (!isThere || this.#ignored.stamp !== undefined) return;
    throw new ConfigError(
      `${file} would be public: it is in the assets folder, and may contain server code. ` +
        `Write _worker.js into ${join(this.#root, ignoreFile)} to leave it out; with an empty file there, it is served`,
    );
  }
}

function readIgnored(root: string): Ignored {
  const stamp = readStamp(root);
  const text = stamp === undefined ? '' : readFileSync(join(root, ignoreFile), 'utf8');
  return { stamp, patterns: ignore().add([...alwaysIgnored, ...text.split('\n')]) };
}

function readStamp(root: string): string | undefined {
  const stats = statSync(join(root, ignoreFile), { throwIfNoEntry: false });
  return stats?.isFile() === true ? `${stats.mtimeMs} ${stats.size} ${stats.ino}` : undefined;
}
