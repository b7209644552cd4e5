/**
 * Whether an error has a code of the system, such as ENOENT, or one of Gatehouse that names an obstacle: its message is
 * all that a user needs. Codes of Node (`ERR_…`) report incorrect calls, which are bugs.
 */
export function hasSystemCode(error: Error): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return typeof code === 'string' && !code.startsWith('ERR_');
}
