/**
 * Whether an error has a code of the system, such as ENOENT, or one of ours that says what is in the way: its message is all
 * that a user needs. Codes of Node (`ERR_…`) are about how it was called, which is a bug.
 */
export function hasSystemCode(error: Error): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return typeof code === 'string' && !code.startsWith('ERR_');
}
