/**
 * The URL of a database has a password: removes it from the process arguments, which other users of the machine can
 * see.
 */
export function hideSecrets(args: readonly string[], name: string): void {
  if (args.some((arg) => /^--cluster(?:=|$)/.test(arg))) process.title = `gatehouse: ${name}`;
}
