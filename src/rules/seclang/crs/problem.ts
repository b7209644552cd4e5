/** What the operator can act on: a source that cannot be used, a version that does not exist, a broken rule file. */
export class CrsError extends Error {
  override readonly name = 'CrsError';
}
