/** Whole explorations, from a seed to a verdict: what the tests run small and `explore.ts` runs large. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type CrashState, exploreCrashes } from '../faults/crash-explorer.ts';
import { DiskImage } from '../faults/disk-image.ts';
import { Random } from '../faults/random.ts';
import { SimulatedDisk } from '../faults/simulated-disk.ts';
import { JournalLife } from './journal-life.ts';
import { RuntimeLife } from './runtime-life.ts';

export interface Size {
  readonly seed: number;
  /** How many crashes of the recorded run are tried; crashes of what follows a crash come on top. */
  readonly states: number;
}

/** What has a life to explore: `next` checks what a crash left and answers the life after it. */
interface Life {
  readonly disk: SimulatedDisk;
  next(state: CrashState): Promise<Life>;
  run(work: { steps: number; faults: boolean }): Promise<void>;
}

/** Share of states in which the next life is lived for a while and crashes, too, from its very start. */
const crashAgainShare = 0.05;
const statesAgain = 15;

async function explore(life: Life, { seed, states }: Size): Promise<void> {
  await exploreCrashes({
    recorded: life.disk,
    states,
    seed,
    check: async (state) => {
      const second = await life.next(state);
      if (!state.random.chance(crashAgainShare)) return;
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

export async function exploreJournal({ seed, states, faults }: Size & { faults: boolean }): Promise<void> {
  const disk = new SimulatedDisk({ image: DiskImage.empty('/disk') }, { seed });
  const life = JournalLife.first(disk, new Random(seed));
  await life.run({ steps: 60, faults });
  await explore(life, { seed, states });
}

export async function exploreRuntime({ seed, states }: Size): Promise<void> {
  const parent = mkdtempSync(join(tmpdir(), 'gatehouse-crash-'));
  try {
    const disk = new SimulatedDisk({ image: DiskImage.empty(join(parent, 'data')) }, { seed });
    const life = new RuntimeLife({ disk, directory: join(parent, 'data'), random: new Random(seed) });
    await life.run({ steps: 100 });
    await explore(life, { seed, states });
  } finally {
    rmSync(parent, { recursive: true });
  }
}
