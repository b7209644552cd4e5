import type { Tree } from './tree.ts';

/** What a front makes of a source. */
export interface Parsed {
  readonly tree: Tree;
  readonly groupCount: number;
  readonly groupNames: ReadonlyMap<string, number>;
}
