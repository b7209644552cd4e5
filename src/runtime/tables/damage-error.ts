/** What is wrong, and where. */
export interface Damage {
  readonly file: string;
  readonly offset: number;
  readonly problem: string;
}

/**
 * A file of the tables is not what was written: torn, cut, flipped, swapped or missing. Its data is not returned. To repair
 * it, rebuild the directory from a snapshot and the journal.
 */
export class TablesDamageError extends Error implements Damage {
  override readonly name = 'TablesDamageError';
  readonly code = 'TABLES_DAMAGED';
  readonly file: string;
  readonly offset: number;
  readonly problem: string;

  constructor(file: string, offset: number, problem: string) {
    super(`Cannot read the tables, a file is damaged: ${file} at byte ${offset}: ${problem}`);
    this.file = file;
    this.offset = offset;
    this.problem = problem;
  }
}
