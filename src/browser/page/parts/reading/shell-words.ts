/** Words of commands for a POSIX shell: whatever they have in them, each stays one word. */

/** As it is where it can be read so, and in quotes elsewhere. */
export function writeWord(text: string): string {
  return /^[\w./:@%+-]+$/.test(text) ? text : quote(text);
}

export function quote(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
