/**
 * Files that root creates in a data directory of another user while its program does not run: that user could not open
 * them afterwards. Links are not followed, and every path is relative to an open folder: the owner of the directory
 * must not be able to make root give away files elsewhere.
 */
import {
  closeSync,
  constants,
  fchownSync,
  fstatSync,
  openSync,
  readdirSync,
  realpathSync,
  type Stats,
  statSync,
} from 'node:fs';
import { join } from 'node:path';

type FileOwner = Pick<Stats, 'uid' | 'gid'>;

/** Gives files that root has created in the directory to the owner of its lock file. Only root can do that. */
export function returnToOwner(directory: string): void {
  if (process.platform !== 'linux' || process.geteuid?.() !== 0) return;
  const owner = statSync(join(directory, 'lock'), { throwIfNoEntry: false });
  if (owner !== undefined && owner.uid !== 0) returnBelow(realpathSync(directory), owner, isOf);
}

const isOf = (status: Stats, { uid }: FileOwner): boolean => status.isDirectory() && status.uid === uid;

/** A file with several names may also be used elsewhere. */
const canReturn = (status: Stats): boolean =>
  status.uid === 0 && (status.isDirectory() || (status.isFile() && status.nlink === 1));

function returnBelow(
  path: string,
  owner: FileOwner,
  isMeant: (status: Stats, owner: FileOwner) => boolean = () => true,
): void {
  const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants;
  let file: number;
  try {
    file = openSync(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  } catch {
    // A link, a socket, or removed meanwhile.
    return;
  }
  try {
    const status = fstatSync(file);
    if (!isMeant(status, owner)) return;
    if (canReturn(status)) fchownSync(file, owner.uid, owner.gid);
    const below = `/proc/self/fd/${file}`;
    if (status.isDirectory()) for (const name of readdirSync(below)) returnBelow(join(below, name), owner);
  } finally {
    closeSync(file);
  }
}
