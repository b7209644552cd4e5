/** A problem that the operator can solve: an unusable source, a version that does not exist, a broken rule file. */
export class CrsError extends Error {
  override readonly name = 'CrsError';
}
