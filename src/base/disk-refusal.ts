/** Disks that take no writes: what the system says, and what to tell people. */

/** `full`: no space. `quota`: the space of this user is used up. `read-only`: mounted so. `failing`: it reports errors. */
export type DiskRefusal = 'full' | 'quota' | 'read-only' | 'failing';

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
};

/** An error may have a cause, and that another; a circle of them must end. */
const causesMax = 8;

/** Set on errors whose cause cannot go along, such as those that leave an object. */
export interface RefusedWrite {
  readonly diskRefusal?: DiskRefusal;
}

/** Whether an error, or what caused it, is a disk that takes no writes; undefined if it is anything else. */
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
