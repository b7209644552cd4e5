/**
 * What root makes in a data directory of another user while its program does not run: that user could not open it
 * afterwards. Links are not followed, and every path is one below an open folder: whoever has the directory must not be
 * able to make root give away files that are elsewhere.
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

type Owner = Pick<Stats, 'uid' | 'gid'>;

/** Gives what root has made in the directory to the user whose lock file is there. Does nothing for anybody but root. */
export function returnToOwner(directory: string): void {
  if (process.platform !== 'linux' || process.geteuid?.() !== 0) return;
  const owner = statSync(join(directory, 'lock'), { throwIfNoEntry: false });
  if (owner !== undefined && owner.uid !== 0) returnBelow(realpathSync(directory), owner, isOf);
}

const isOf = (status: Stats, { uid }: Owner): boolean => status.isDirectory() && status.uid === uid;

/** A file with several names may be one that is needed elsewhere. */
const canReturn = (status: Stats): boolean =>
  status.uid === 0 && (status.isDirectory() || (status.isFile() && status.nlink === 1));

function returnBelow(
  path: string,
  owner: Owner,
  isMeant: (status: Stats, owner: Owner) => boolean = () => true,
): void {
  const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants;
  let file: number;
  try {
    file = openSync(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  } catch {
    // A link, a socket, or gone.
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
