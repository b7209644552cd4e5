import type { Scheme } from '../scheme.ts';

/** What one run of the parser goes by: the caller's options with every default filled in. */
export interface Settings {
  readonly scheme: Scheme;
  readonly nestingDepthMax: number;
  /** Names of the lists that exist; nothing if any name will do. */
  readonly lists: ReadonlySet<string> | undefined;
}
