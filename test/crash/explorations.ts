/** Complete explorations, from a seed to a verdict, which the tests run small and `explore.ts` runs large. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type CrashState, exploreCrashes } from '../faults/crash-explorer.ts';
import { DiskImage } from '../faults/disk-image.ts';
import { Random } from '../faults/random.ts';
import { SimulatedDisk } from '../faults/simulated-disk.ts';
import { EventStoreLife } from './event-store-life.ts';
import { JournalLife } from './journal-life.ts';
import { RuntimeLife } from './runtime-life.ts';

export interface Exploration {
  readonly seed: number;
  /** How many crashes of the recorded run are tried. */
  readonly states: number;
  /** In what share of these (0 to 1) the next life runs for a while and is crashed again, from its very start. */
  readonly againShare: number;
  /** Whether writes and syncs of the recorded run fail now and then. */
  readonly faults: boolean;
  /** In how many hosts the objects of a runtime are; 0 (default) is one process. */
  readonly hosts?: number;
}

/** A life to explore: `next` checks the data after a crash and returns the next life. */
interface Life {
  readonly disk: SimulatedDisk;
  next(state: CrashState): Promise<Life>;
  run(work: { steps: number; faults: boolean }): Promise<void>;
}

const statesAgain = 10;

async function explore(life: Life, { seed, states, againShare }: Exploration): Promise<void> {
  await exploreCrashes({
    recorded: life.disk,
    states,
    seed,
    check: async (state) => {
      const second = await life.next(state);
      if (!state.random.chance(againShare)) return;
      await second.run({ steps: 5, faults: false });
      await exploreCrashes({
        recorded: second.disk,
        states: statesAgain,
        seed: state.random.below(2 ** 31),
        check: async (again) => void (await second.next(again)),
      });
    },
  });
}

export async function exploreJournal(exploration: Exploration): Promise<void> {
  const { seed, faults } = exploration;
  const disk = new SimulatedDisk({ image: DiskImage.empty('/disk') }, { seed });
  const life = JournalLife.first(disk, new Random(seed));
  await life.run({ steps: 60, faults });
  await explore(life, exploration);
}

export async function exploreEventStore(exploration: Exploration): Promise<void> {
  const { seed, faults } = exploration;
  const disk = new SimulatedDisk({ image: DiskImage.empty('/disk') }, { seed });
  const life = new EventStoreLife(disk, new Random(seed), { witnessed: [], number: 0 });
  await life.run({ steps: 40, faults });
  await explore(life, exploration);
}

export async function exploreRuntime(exploration: Exploration): Promise<void> {
  const { seed, faults, hosts = 0 } = exploration;
  const parent = mkdtempSync(join(tmpdir(), 'gatehouse-crash-'));
  const directory = join(parent, 'data');
  try {
    const disk = new SimulatedDisk({ image: DiskImage.empty(parent) }, { seed });
    const life = new RuntimeLife({ disk, directory, random: new Random(seed), hosts });
    await life.run({ steps: 100, faults });
    await explore(life, exploration);
  } finally {
    rmSync(parent, { recursive: true });
  }
}
