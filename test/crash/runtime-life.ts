/**
 * One life of a runtime on a simulated disk, with an oracle for each of its books. The SQLite files of awake
 * objects are scratch: they lie in a real directory, and nothing of them is needed after a crash.
 */
import { VirtualClock } from '#base';
import { type Runtime, createRuntime } from '#objects';
import type { CrashState } from '../faults/crash-explorer.ts';
import type { Random } from '../faults/random.ts';
import type { SimulatedDisk } from '../faults/simulated-disk.ts';
import { type Pages, randomEdit } from './book.ts';
import { BookOracle } from './book-oracle.ts';
import { bookClasses, bookNames, bookOf } from './library.ts';

export class RuntimeLife {
  readonly disk: SimulatedDisk;
  readonly #directory: string;
  readonly #random: Random;
  readonly #books: ReadonlyMap<string, BookOracle>;
  readonly #clock = new VirtualClock();

  constructor(
    { disk, directory, random }: { disk: SimulatedDisk; directory: string; random: Random },
    books: ReadonlyMap<string, BookOracle> = new Map(bookNames.map((name) => [name, BookOracle.blank()])),
  ) {
    this.disk = disk;
    this.#directory = directory;
    this.#random = random;
    this.#books = books;
  }

  /** Random edits, put-aways and restarts. The runtime is closed at the end, as its scratch has to go. */
  async run({ steps }: { steps: number }): Promise<void> {
    const random = this.#random;
    let runtime = await this.#open(this.disk);
    const edits: Array<Promise<void>> = [];
    for (let step = 0; step < steps; step++) {
      const edit = this.#edit(runtime, random.pick(bookNames));
      edits.push(edit);
      if (random.chance(0.3)) await edit;
      if (random.chance(0.1)) await Promise.all(edits);
      // Objects are put away and woken again, from what the journal says.
      if (random.chance(0.03)) await this.#clock.advance(60_000);
      if (random.chance(0.02)) {
        await Promise.all(edits);
        await runtime.close();
        runtime = await this.#open(this.disk);
      }
    }
    await Promise.all(edits);
    await runtime.close();
  }

  /** Checks what a crash in this life has left, and answers the life that goes on from there. */
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
    return new RuntimeLife({ disk, directory: this.#directory, random }, new Map(books));
  }

  async #edit(runtime: Runtime, name: string): Promise<void> {
    const oracle = this.#books.get(name)!;
    const edit = randomEdit(this.#random, oracle.nextVersion);
    oracle.ask(edit, this.disk.log.length);
    await bookOf(runtime, name).edit(edit);
    oracle.acknowledge(edit.version, this.disk.log.length);
  }

  #open(disk: SimulatedDisk): Promise<Runtime> {
    return createRuntime({ classes: bookClasses, directory: this.#directory, fs: disk, clock: this.#clock });
  }
}
