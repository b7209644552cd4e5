/** The ledger of the steps of killed workflows, for the checks. */
export const instancesPerRound = 4;

export interface Note {
  readonly instance: string;
  readonly step: number;
  readonly attempt: number;
  readonly token: string;
  /** The results of the earlier steps. */
  readonly before: readonly string[];
}

/** The messages of the child, a line of JSON each. */
export type Line =
  | { readonly say: 'step' }
  | { readonly say: 'note'; readonly note: Note }
  | { readonly say: 'output'; readonly instance: string; readonly status: string; readonly output: unknown };
