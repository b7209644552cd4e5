/** Words of commands for a POSIX shell: whatever their content, each stays a single word. */

/** Unquoted if possible, otherwise in quotes. */
export function writeWord(text: string): string {
  return /^[\w./:@%+-]+$/.test(text) ? text : quote(text);
}

export function quote(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
