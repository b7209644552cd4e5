/** Disks, and databases in their place, that refuse writes: how to recognise them, and how to describe them. */

/**
 * `full`: no space is left. `quota`: the user's quota is used up. `read-only`: it is mounted read-only. `failing`: it
 * reports errors. `away`: it is a database that does not respond.
 */
export type DiskRefusal = 'full' | 'quota' | 'read-only' | 'failing' | 'away';

const refusals: ReadonlyMap<unknown, DiskRefusal> = new Map([
  ['ENOSPC', 'full'],
  ['EDQUOT', 'quota'],
  ['EROFS', 'read-only'],
  ['EIO', 'failing'],
]);

const descriptions: Readonly<Record<DiskRefusal, string>> = {
  full: 'the disk is full',
  quota: 'the disk quota is used up',
  'read-only': 'the disk is read-only',
  failing: 'the disk reports errors',
  away: 'the database does not answer',
};

/** Errors have causes that have causes; a cycle of them must be cut. */
const causesMax = 8;

/** Set on errors that lose their cause, such as those that leave an object. */
export interface RefusedWrite {
  readonly diskRefusal?: DiskRefusal;
}

/** Returns why the disk refused a write if that is what caused the error; otherwise undefined. */
export function diskRefusalOf(error: unknown): DiskRefusal | undefined {
  let each = error;
  for (let depth = 0; depth < causesMax && each instanceof Error; depth++) {
    const { code, diskRefusal } = each as NodeJS.ErrnoException & RefusedWrite;
    const found = diskRefusal ?? refusals.get(code);
    if (found !== undefined) return found;
    each = each.cause;
  }
  return undefined;
}

export function describeDiskRefusal(refusal: DiskRefusal): string {
  return descriptions[refusal];
}
