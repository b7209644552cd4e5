/**
 * One life of a runtime on a simulated disk, with an oracle for each of its books. The SQLite files of awake objects
 * are scratch: they are in a real directory, and not needed after a crash.
 */
import { VirtualClock } from '#base';
import type { FileSystem } from '#files';
import type { CrashState } from '../faults/crash-explorer.ts';
import { FaultyFileSystem } from '../faults/faulty-file-system.ts';
import type { Random } from '../faults/random.ts';
import type { SimulatedDisk } from '../faults/simulated-disk.ts';
import { type Pages, randomEdit } from './book.ts';
import { BookOracle } from './book-oracle.ts';
import { bookClasses, bookNames, bookOf } from './library.ts';
import { RuntimeSet } from './runtime-set.ts';

/** Small, so that a run fills several. */
const segmentBytes = 64 * 1024;

/** Short, so that history is deleted during the run. */
const retentionMs = 30_000;

export class RuntimeLife {
  readonly disk: SimulatedDisk;
  readonly #fs: FaultyFileSystem;
  readonly #directory: string;
  readonly #random: Random;
  readonly #books: ReadonlyMap<string, BookOracle>;
  readonly #clock = new VirtualClock();
  readonly #hosts: number;

  /** With hosts, the books are in that many runtimes, each with its own log. */
  constructor(
    {
      disk,
      directory,
      random,
      hosts = 0,
    }: { disk: SimulatedDisk; directory: string; random: Random; hosts?: number },
    books: ReadonlyMap<string, BookOracle> = new Map(bookNames.map((name) => [name, BookOracle.blank()])),
  ) {
    this.disk = disk;
    this.#fs = new FaultyFileSystem(disk);
    this.#directory = directory;
    this.#random = random;
    this.#hosts = hosts;
    this.#books = books;
  }

  /** Random edits, evictions and restarts. The runtime is closed at the end, because its scratch must be removed. */
  async run({ steps, faults }: { steps: number; faults: boolean }): Promise<void> {
    const random = this.#random;
    let runtime = await this.#open(this.#fs);
    const edits = new Map<string, Promise<void>>();
    for (let step = 0; step < steps; step++) {
      const name = random.pick(bookNames);
      // The effect of a failure is only certain if a single edit of a book is in progress.
      if (faults) await edits.get(name);
      if (faults && random.chance(0.05))
        this.#fs.fail(random.pick(['sync', 'write']), { code: 'EIO', path: '/journal/' });
      edits.set(
        name,
        Promise.all([edits.get(name), this.#edit(runtime, name)]).then(() => {}),
      );
      if (random.chance(0.3)) await edits.get(name);
      if (random.chance(0.1)) await Promise.all(edits.values());
      // Objects are evicted and woken again, from the journal.
      if (random.chance(0.03)) {
        if (faults) await Promise.all(edits.values());
        await this.#clock.advance(60_000);
      }
      if (random.chance(0.03)) await runtime.giveBackHistory().catch((error: unknown) => this.#excuse(error));
      if (random.chance(0.02)) {
        await Promise.all(edits.values());
        await runtime.close();
        this.#fs.heal();
        runtime = await this.#open(this.#fs);
      }
    }
    await Promise.all(edits.values());
    await runtime.close();
  }

  /** Checks the data after a crash in this life, and returns the life that continues from there. */
  async next({ disk, events, random }: CrashState): Promise<RuntimeLife> {
    const runtime = await this.#open(disk);
    const found = new Map<string, Pages>();
    try {
      for (const [name, oracle] of this.#books) {
        const pages = await bookOf(runtime, name).look();
        oracle.check(name, pages, events);
        found.set(name, pages);
      }
    } finally {
      await runtime.close();
    }
    const settledAt = disk.log.length;
    const books = Array.from(
      this.#books,
      ([name, oracle]) => [name, oracle.after(events, found.get(name)!, settledAt)] as const,
    );
    const parts = { disk, directory: this.#directory, random, hosts: this.#hosts };
    return new RuntimeLife(parts, new Map(books));
  }

  async #edit(runtime: RuntimeSet, name: string): Promise<void> {
    const oracle = this.#books.get(name)!;
    const edit = randomEdit(this.#random, oracle.nextVersion);
    oracle.ask(edit, this.disk.log.length);
    try {
      await bookOf(runtime, name).edit(edit);
    } catch (error) {
      this.#excuse(error);
      oracle.refuse(edit.version, this.disk.log.length);
      return;
    }
    oracle.acknowledge(edit.version, this.disk.log.length);
  }

  /** Only a disk that failed is a reason to fail. */
  #excuse(error: unknown): void {
    if (this.#fs.failures === 0) throw error;
  }

  #open(fs: FileSystem): Promise<RuntimeSet> {
    const options = { classes: bookClasses, fs, clock: this.#clock, segmentBytes, retentionMs };
    return RuntimeSet.open(this.#directory, this.#hosts, options);
  }
}
