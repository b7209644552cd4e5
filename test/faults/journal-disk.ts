/** A journal on a simulated disk, for tests of faults. Segments are small: four records of 900 bytes. */
import { VirtualClock } from '#base';
import { Journal, type JournalOptions, type Position } from '#journal';
import { DiskImage } from './disk-image.ts';
import { SimulatedDisk } from './simulated-disk.ts';

export const directory = '/disk/journal';
export const segmentBytes = 4096;
export const segmentHeaderBytes = 40;

export function emptyDisk(): SimulatedDisk {
  return new SimulatedDisk({ image: DiskImage.empty('/disk') });
}

export function openJournal(
  fs: JournalOptions['fs'],
  options: Partial<JournalOptions> = {},
): Promise<Journal> {
  return Journal.open({ directory, fs, clock: new VirtualClock(), segmentBytes, ...options });
}

/** Appends `count` records of `payloadBytes` one after the other. */
export async function appendEach(journal: Journal, count: number, payloadBytes = 900): Promise<Position[]> {
  const positions: Position[] = [];
  for (let number = 0; number < count; number++) {
    const { position, durable } = journal.append([createNumbered(number, payloadBytes)]);
    await durable;
    positions.push(position);
  }
  return positions;
}

/** A payload that contains its number and ends in zeros, as database pages do. */
export function createNumbered(number: number, payloadBytes: number): Buffer {
  const payload = Buffer.alloc(payloadBytes);
  payload.writeUInt32LE(number + 1);
  return payload;
}

/** The numbers of the existing records. */
export function numbersIn(journal: Journal): number[] {
  return Array.from(journal.scan(journal.start), ({ payload }) => Buffer.from(payload).readUInt32LE() - 1);
}

/** Changes a file without the knowledge of its user. */
export function alter(disk: SimulatedDisk, path: string, change: (bytes: Buffer) => Uint8Array): void {
  const file = disk.openSync(path, 'edit');
  const changed = change(disk.readFile(path));
  file.truncateSync(changed.length);
  file.writeSync(changed, 0);
  file.closeSync();
}
