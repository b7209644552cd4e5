/** The URL of a database has a password: other users of the machine no longer see it in the arguments of this process. */
export function hideSecrets(args: readonly string[], name: string): void {
  if (args.some((arg) => /^--cluster(?:=|$)/.test(arg))) process.title = `gatehouse: ${name}`;
}
