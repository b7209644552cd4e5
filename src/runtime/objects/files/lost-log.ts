/** A log of which nothing is left must not be taken for one that was never begun. */
import type { FileSystem } from '#base';
import { JournalDamageError, noPosition } from '#journal';

/** Tables are made after the log: where they are and it is not, a new log would hide that everything is gone. */
export function refuseLostLog(fs: FileSystem, directory: string): void {
  const names = fs.readdirSync(directory);
  const list = (part: string): readonly string[] =>
    names.includes(part) ? fs.readdirSync(`${directory}/${part}`) : [];
  if (!list('tables').includes('manifest') || list('journal').some((name) => name.endsWith('.log'))) return;
  throw new JournalDamageError('all files of the log are missing', {
    file: `${directory}/journal`,
    offset: 0,
    position: noPosition,
  });
}
