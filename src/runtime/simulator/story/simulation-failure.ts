import type { LifeResult } from '../life.ts';
import { formatPlan, type SimulationPlan } from './simulation-plan.ts';
import { type Moment, printMoments } from './timeline.ts';

const momentsShownMax = 400;

/** A failing life, in the shortest form that was found. */
export class SimulationFailure extends Error {
  override readonly name = 'SimulationFailure';
  readonly code = 'SIMULATION_FAILED';
  readonly seed: number;
  /** The value of `replay` that repeats it. */
  readonly replay: string;
  readonly moments: readonly Moment[];
  /** The failure, without the story. */
  readonly problem: string;

  constructor(
    plan: SimulationPlan,
    { failure, moments, steps, faults }: LifeResult,
    search?: { readonly lives: number; readonly steps: number; readonly faults: number },
    isUnsteady = false,
  ) {
    const replay = formatPlan(plan);
    const lines = [`seed ${plan.seed}: ${failure!.text}`, ''];
    if (search !== undefined)
      lines.push(
        `The shortest story of ${search.lives} tried: ${steps.length} of ${search.steps} steps, ${faults.length} of ${search.faults} faults (✗).`,
        '',
      );
    if (isUnsteady)
      lines.push(
        'It did not fail again with the same seed: something in it does not follow from the seed.',
        '',
      );
    const left = moments.length - momentsShownMax;
    if (left > 0) lines.push(`(${left} earlier moments are left out)`);
    const story = printMoments(moments.slice(-momentsShownMax));
    lines.push(story === '' ? 'Nothing happens in it.' : story, '', `To live it again: replay: '${replay}'`);
    super(lines.join('\n'), { cause: failure!.cause });
    this.seed = plan.seed;
    this.replay = replay;
    this.moments = moments;
    this.problem = failure!.text;
  }
}
