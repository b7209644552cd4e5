/**
 * Replays the log of a `SimulatedDisk` up to any event and returns a possible state after a crash there.
 *
 * A power cut keeps synced data; nothing else is certain. Every operation without a later sync survives or not,
 * independently of the others; any subset of a write's sectors survives; the length of a file and its bytes are
 * independent; names survive only if their directory was synced, or by luck. A rename is atomic: the old name, or the
 * new one.
 *
 * A kill ends only the process: the kernel keeps all operations, and still has to write the rest to the disk.
 */
import { posix } from 'node:path';
import { DiskImage, type DiskOperation, type FileNumber, sectorBytes } from './disk-image.ts';
import type { Random } from './random.ts';
import type { DiskEvent, DiskStart } from './simulated-disk.ts';

interface Unsynced {
  readonly index: number;
  readonly operation: DiskOperation;
}

export class CrashReplay {
  readonly #log: readonly DiskEvent[];
  readonly #durable: DiskImage;
  #unsynced: Unsynced[];
  #played = 0;

  constructor({ start, log }: { start: DiskStart; log: readonly DiskEvent[] }) {
    this.#log = log;
    this.#durable = start.image.copy();
    this.#unsynced = (start.unsynced ?? []).map((operation) => ({ index: -1, operation }));
  }

  /** Advances to the moment before event number `events`. It cannot go back. */
  playTo(events: number): void {
    for (; this.#played < events; this.#played++) {
      const event = this.#log[this.#played]!;
      if (event.kind === 'sync') this.#settle(event.through, (operation) => fileOf(operation) === event.file);
      else if (event.kind === 'syncDirectory') {
        this.#settle(event.through, (operation) => directoryOf(operation) === event.path);
      } else this.#unsynced.push({ index: this.#played, operation: event });
    }
  }

  kill(): DiskStart {
    return { image: this.#durable.copy(), unsynced: this.#unsynced.map(({ operation }) => operation) };
  }

  powerCut(random: Random): DiskStart {
    const image = this.#durable.copy();
    const survives = random.pick([0, 1, 0.5, 0.9, 0.1]);
    const tears = random.chance(0.5);
    for (const { operation } of this.#unsynced) {
      if (operation.kind === 'write') this.#writeSome(image, operation, { random, survives, tears });
      else if (random.chance(survives)) image.apply(operation);
    }
    return { image };
  }

  #settle(through: number, covers: (operation: DiskOperation) => boolean): void {
    this.#unsynced = this.#unsynced.filter(({ index, operation }) => {
      if (index >= through || !covers(operation)) return true;
      this.#durable.apply(operation);
      return false;
    });
  }

  #writeSome(
    image: DiskImage,
    { file, position, bytes }: Extract<DiskOperation, { kind: 'write' }>,
    { random, survives, tears }: { random: Random; survives: number; tears: boolean },
  ): void {
    const end = position + bytes.length;
    // The length is separate from the bytes: zeros may be in place of bytes that were not written.
    if (image.size(file) < end && random.chance(survives)) image.apply({ kind: 'resize', file, size: end });
    const inside = bytes.subarray(0, Math.max(0, image.size(file) - position));
    if (!tears) {
      if (random.chance(survives)) image.apply({ kind: 'write', file, position, bytes: inside });
      return;
    }
    for (let at = 0; at < inside.length;) {
      const sector = inside.subarray(at, at + sectorBytes - ((position + at) % sectorBytes));
      if (random.chance(survives))
        image.apply({ kind: 'write', file, position: position + at, bytes: sector });
      at += sector.length;
    }
  }
}

function fileOf(operation: DiskOperation): FileNumber | undefined {
  return operation.kind === 'write' || operation.kind === 'resize' ? operation.file : undefined;
}

/** The directory whose sync makes an operation on names durable. */
function directoryOf(operation: DiskOperation): string | undefined {
  switch (operation.kind) {
    case 'create':
    case 'unlink':
    case 'mkdir':
      return posix.dirname(operation.path);
    case 'rename':
      return posix.dirname(operation.to);
    default:
      return undefined;
  }
}
