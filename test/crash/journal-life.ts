/**
 * One life of a journal, from its opening to its end, with an oracle: what was appended, and at which event of the disk
 * it was acknowledged or refused. This decides about a crash at any event: a prefix of the appended records exists,
 * with all acknowledged and no refused ones.
 */
import { equal, ok } from 'node:assert/strict';
import { VirtualClock } from '#base';
import { Journal, type Position, firstPosition } from '#journal';
import type { CrashState } from '../faults/crash-explorer.ts';
import { FaultyFileSystem } from '../faults/faulty-file-system.ts';
import type { Random } from '../faults/random.ts';
import type { SimulatedDisk } from '../faults/simulated-disk.ts';

const journalDirectory = '/disk/journal';

/** Events of the disk are counted in its log; infinity means that it has not happened. */
interface Witnessed {
  readonly position: Position;
  readonly payload: Buffer;
  readonly appendedAt: number;
  acknowledgedAt: number;
  refusedAt: number;
}

interface Drop {
  readonly at: number;
  readonly before: Position;
}

export class JournalLife {
  readonly disk: SimulatedDisk;
  readonly #fs: FaultyFileSystem;
  readonly #random: Random;
  #journal: Journal | undefined;
  readonly #records: Witnessed[];
  /** Up to which position history was deleted, and when that was requested. */
  readonly #drops: Drop[];
  #number: number;

  private constructor(
    disk: SimulatedDisk,
    random: Random,
    { records, drops, number }: { records: Witnessed[]; drops: Drop[]; number: number },
  ) {
    this.disk = disk;
    this.#fs = new FaultyFileSystem(disk);
    this.#random = random;
    this.#records = records;
    this.#drops = drops;
    this.#number = number;
  }

  static first(disk: SimulatedDisk, random: Random): JournalLife {
    return new JournalLife(disk, random, {
      records: [],
      drops: [{ at: 0, before: firstPosition }],
      number: 0,
    });
  }

  /** Checks the data after a crash in this life, and returns the life that continues from there. */
  async next({ disk, events, random }: CrashState): Promise<JournalLife> {
    const journal = await openJournal(disk);
    const openedAt = disk.log.length;
    const possible = this.#records.filter(
      ({ appendedAt, refusedAt }) => appendedAt <= events && refusedAt > events,
    );
    const dropped = possible.findIndex(({ position }) => position >= journal.start);
    const survivors = possible.splice(dropped === -1 ? possible.length : dropped);
    let count = 0;
    for (const { position, payload } of journal.scan(journal.start)) {
      const expected = survivors[count++];
      ok(
        expected !== undefined,
        `position ${position} holds a record that nobody appended, or that was refused`,
      );
      equal(position, expected.position, 'a record stands elsewhere');
      ok(expected.payload.equals(payload), `position ${position} holds another record than was appended`);
    }
    const missing = survivors.splice(count);
    const lost = missing.filter(({ acknowledgedAt }) => acknowledgedAt <= events);
    equal(lost.length, 0, `acknowledged records are lost, the first at position ${lost[0]?.position}`);
    const drops = this.#drops.filter(({ at }) => at <= events);
    ok(
      drops.some(({ before }) => journal.start <= before),
      `history before ${journal.start} is gone, and nobody gave it back`,
    );
    // Everything is settled only when the log is open. Before that, another crash may still decide otherwise; a deleted
    // segment may reappear even later.
    const kept = [...possible, ...survivors, ...missing].map((record, index) => ({
      ...record,
      appendedAt: 0,
      acknowledgedAt: record.acknowledgedAt <= events ? 0 : openedAt,
      refusedAt: index < possible.length + count ? Infinity : openedAt,
    }));
    return new JournalLife(disk, random, {
      records: kept,
      drops: drops.map(({ before }) => ({ at: 0, before })),
      number: this.#number + 1_000_000,
    });
  }

  /** Random work; the journal stays open, as in a crash. */
  async run({ steps, faults }: { steps: number; faults: boolean }): Promise<void> {
    this.#journal = await openJournal(this.#fs);
    const random = this.#random;
    for (let step = 0; step < steps; step++) {
      const appended: Array<Promise<void>> = [];
      for (let count = random.below(5); count >= 0; count--) appended.push(this.#append());
      if (faults && random.chance(0.04))
        this.#fs.fail(random.pick(['sync', 'write', 'syncDirectory']), { code: 'EIO' });
      if (random.chance(0.5)) await random.pick(appended);
      if (random.chance(0.05)) await this.#journal.flush().catch(() => {});
      if (random.chance(0.03)) await this.#drop();
      if (random.chance(0.02)) await this.#reopen();
    }
    await this.#journal.flush().catch(() => {});
  }

  async #append(): Promise<void> {
    const random = this.#random;
    const payload = random.bytes(random.chance(0.03) ? 3000 + random.below(4000) : 4 + random.below(250));
    payload.writeUInt32LE(this.#number++);
    // Zeros at the end must not be mistaken for the zeros after the end.
    if (random.chance(0.3)) payload.fill(0, 4);
    const appendedAt = this.disk.log.length;
    const { position, durable } = this.#journal!.append([payload]);
    const record: Witnessed = {
      position,
      payload,
      appendedAt,
      acknowledgedAt: Infinity,
      refusedAt: Infinity,
    };
    this.#records.push(record);
    await durable.then(
      () => (record.acknowledgedAt = this.disk.log.length),
      () => (record.refusedAt = this.disk.log.length),
    );
  }

  async #drop(): Promise<void> {
    const journal = this.#journal!;
    const before = (journal.start + this.#random.below(journal.durableEnd - journal.start + 1)) as Position;
    this.#drops.push({ at: this.disk.log.length, before });
    await journal.dropBefore(before).catch(() => {});
  }

  async #reopen(): Promise<void> {
    await this.#journal!.close();
    this.#fs.heal();
    this.#journal = await openJournal(this.#fs);
  }
}

function openJournal(fs: SimulatedDisk | FaultyFileSystem): Promise<Journal> {
  return Journal.open({ directory: journalDirectory, fs, clock: new VirtualClock(), segmentBytes: 4096 });
}
