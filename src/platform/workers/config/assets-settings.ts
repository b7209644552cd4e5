/** Files that are served beside a Worker: `assets` of a configuration. */
import { extname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Section } from './section.ts';

const htmlHandlings = ['auto-trailing-slash', 'force-trailing-slash', 'drop-trailing-slash', 'none'] as const;
const notFoundHandlings = ['none', '404-page', 'single-page-application'] as const;

export type HtmlHandling = (typeof htmlHandlings)[number];
export type NotFoundHandling = (typeof notFoundHandlings)[number];

export interface AssetsSettings {
  /** Absolute. */
  readonly directory: string;
  /** The name of the binding. */
  readonly binding: string | undefined;
  readonly htmlHandling: HtmlHandling;
  readonly notFoundHandling: NotFoundHandling;
  /**
   * Whether the Worker gets every request first, or only those whose path matches a pattern; a leading `!` excludes.
   */
  readonly workerFirst: boolean | readonly string[];
  /** Whether there is no Worker: assets answer every request. */
  readonly isAlone: boolean;
  /** Files that were uploaded over the API instead of a folder: their locations by hash, and the hash of each path. */
  readonly uploaded?: UploadedFiles;
}

export interface UploadedFiles {
  readonly folder: string;
  readonly files: Readonly<Record<string, { readonly hash: string; readonly size: number }>>;
  /** Texts of `_headers` and `_redirects`. */
  readonly rules: Readonly<Record<'_headers' | '_redirects', string>>;
}

/** The code of a project with only assets: TypeScript in the repository, JavaScript in the package. */
export const noWorker = fileURLToPath(
  new URL(`../assets/no-worker${extname(import.meta.url)}`, import.meta.url),
);

export function readAssets(config: Section, directory: string): AssetsSettings | undefined {
  const assets = config.section('assets');
  if (assets === undefined) return undefined;
  const first = assets.value('run_worker_first');
  return {
    directory: resolve(directory, assets.requiredString('directory')),
    binding: assets.string('binding'),
    htmlHandling: choose(assets, 'html_handling', htmlHandlings),
    notFoundHandling: choose(assets, 'not_found_handling', notFoundHandlings),
    workerFirst: Array.isArray(first)
      ? assets.strings('run_worker_first')
      : (assets.boolean('run_worker_first') ?? false),
    isAlone: config.value('main') === undefined,
  };
}

/** The first is the default. */
function choose<Choice extends string>(assets: Section, key: string, choices: readonly Choice[]): Choice {
  const value = assets.string(key) ?? choices[0]!;
  if ((choices as readonly string[]).includes(value)) return value as Choice;
  throw assets.error(`assets.${key} must be one of ${choices.join(', ')}: ${JSON.stringify(value)}`);
}
