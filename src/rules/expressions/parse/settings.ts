import type { Scheme } from '../scheme.ts';

/** The settings of one run of the parser: the caller's options with all defaults filled in. */
export interface Settings {
  readonly scheme: Scheme;
  readonly nestingDepthMax: number;
  /** The names of the existing lists; undefined if any name is accepted. */
  readonly lists: ReadonlySet<string> | undefined;
}
