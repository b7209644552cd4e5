/**
 * Tries the possible results of crashes of a recorded run. State number k of n crashes after the same share of the
 * recorded events, so that n states cover the whole run evenly; everything else about the state comes from the seed and
 * k.
 */
import { CrashReplay } from './crash-replay.ts';
import { Random } from './random.ts';
import { SimulatedDisk } from './simulated-disk.ts';

export interface CrashState {
  /** The disk as the next process finds it. */
  readonly disk: SimulatedDisk;
  /** How many events of the recorded run had happened. */
  readonly events: number;
  readonly random: Random;
}

export interface Exploration {
  readonly recorded: SimulatedDisk;
  readonly states: number;
  readonly seed: number;
  /** Throws if the state is not allowed. */
  readonly check: (state: CrashState) => Promise<void>;
}

/** Share of crashes that kill only the process, without a power cut. */
const killShare = 0.15;

export async function exploreCrashes({ recorded, states, seed, check }: Exploration): Promise<void> {
  const replay = new CrashReplay(recorded);
  const eventsMax = recorded.log.length;
  for (let number = 0; number < states; number++) {
    const random = Random.of(seed, number);
    const events = Math.floor((number * (eventsMax + 1)) / states);
    replay.playTo(events);
    const start = random.chance(killShare) ? replay.kill() : replay.powerCut(random);
    try {
      await check({ disk: new SimulatedDisk(start, { seed: number }), events, random });
    } catch (error) {
      const kind = start.unsynced === undefined ? 'power cut' : 'kill';
      throw new Error(
        `seed ${seed}, crash state ${number} of ${states} (${kind} after ${events} of ${eventsMax} events): ` +
          (error instanceof Error ? error.message : String(error)),
        { cause: error },
      );
    }
  }
}
