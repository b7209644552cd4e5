/** Stored bytes that differ from what was written. */
export class EventsDamageError extends Error {
  override readonly name = 'EventsDamageError';
  readonly code = 'EVENTS_DAMAGED';
  readonly file: string;
  readonly offset: number;
  /** The problem, without its place. */
  readonly problem: string;

  constructor(problem: string, { file, offset }: { readonly file: string; readonly offset: number }) {
    super(`cannot read events, ${problem}: ${file} at byte ${offset}`);
    this.problem = problem;
    this.file = file;
    this.offset = offset;
  }
}
