import type { FileSystem } from '#files';
import type { Position } from './position.ts';
import {
  formatSegmentName,
  parseSegmentName,
  preallocate,
  readHeader,
  spareName,
  startSegment,
  toOffset,
  toRoom,
} from './segment.ts';

/**
 * Truncates a log at a position: the records from there on are removed. No process may have the log open. It continues
 * in another segment with its own salt, so that a copy of what was cut off is not mistaken for the continuation.
 */
export async function cutJournal(fs: FileSystem, directory: string, position: Position): Promise<void> {
  const starts = fs.readdirSync(directory).map(parseSegmentName);
  const newestFirst = starts.filter((start) => start !== undefined).toReversed();
  const pathOf = (start: Position): string => `${directory}/${formatSegmentName(start)}`;
  for (const start of newestFirst) {
    if (start < position || start === newestFirst.at(-1)) break;
    // Each removal is synced before the next: a gap in the log would look like damage.
    fs.unlinkSync(pathOf(start));
    fs.fsyncDirectorySync(directory);
  }
  const last = newestFirst.find((start) => start < position);
  const spare = `${directory}/${spareName}`;
  await preallocate(fs, spare, toRoom({}));
  const { file } = await startSegment(fs, { directory, spare, start: position });
  file.closeSync();
  if (last === undefined) return;
  const cut = fs.openSync(pathOf(last), 'edit');
  try {
    cut.truncateSync(toOffset(readHeader(cut, last), position));
    cut.fsyncSync();
  } finally {
    cut.closeSync();
  }
}
