/** A log that was lost entirely must not be mistaken for one that never existed. */
import type { FileSystem } from '#base';
import { JournalDamageError, noPosition } from '#journal';

/** Tables are created after the log: if they exist and the log does not, a new log would hide that it was lost. */
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
