/**
 * What goes wrong in a life, and when. Each life has a mood of its own: some kinds of faults happen in it, others do not, so
 * that rare ones are not always hidden by common ones. Every decision has a name, by which the shortest story is looked for:
 * a fault that is not needed for the failure is left out.
 */
import { type Chance, hash } from './chance.ts';

export const faultKinds = {
  crash: 'the host stops: before, during or after a commit, or at any other moment; another goes on',
  stall: 'the host hangs: it comes back in time, or it is fenced and another goes on',
  lostRequest: 'a call does not arrive',
  lostAnswer: 'a call is done, and its answer does not arrive',
  fetch: 'a request to the outside fails, or is done and its answer is lost, or arrives twice',
  diskFull: 'a commit cannot be written',
  lateAlarm: 'an alarm comes late',
  clock: 'the clock is set forward or back',
  deploy: 'other code takes the place of the objects',
  evict: 'an object that is idle leaves the memory at once',
} as const;

export type FaultKind = keyof typeof faultKinds;

export const faultKindList = Object.keys(faultKinds) as readonly FaultKind[];

/** How likely a fault is where it can happen, in a life that has it. */
const likelihoods: Readonly<Record<FaultKind, number>> = {
  crash: 0.08,
  stall: 0.5,
  lostRequest: 0.05,
  lostAnswer: 0.08,
  fetch: 0.2,
  diskFull: 0.05,
  lateAlarm: 0.3,
  clock: 0.5,
  deploy: 0.5,
  evict: 1,
};

/** That a life has faults of a kind. */
const moodLikelihood = 0.5;
/** Lives that have a fault have it seldom or often: up to so many times as likely, or as unlikely. */
const moodFactor = 4;

export interface FaultsParts {
  readonly chance: Chance;
  readonly kinds: ReadonlySet<FaultKind>;
  /** The faults that may happen; those that the seed says, if it is not given. */
  readonly allowed: ReadonlySet<string> | undefined;
}

export class Faults {
  /** Decisions that turned out badly, in order. */
  readonly happened: Array<{ readonly name: string; readonly kind: FaultKind }> = [];
  readonly #parts: FaultsParts;
  /** The likelihood of each kind that happens in this life. */
  readonly #mood = new Map<FaultKind, number>();
  #isOver = false;

  constructor(parts: FaultsParts) {
    this.#parts = parts;
    for (const kind of parts.kinds) {
      if (parts.chance.of(`mood ${kind}`) >= moodLikelihood) continue;
      const factor = moodFactor ** parts.chance.between(`mood ${kind}`, -1, 1);
      this.#mood.set(kind, likelihoods[kind] * factor);
    }
  }

  /** Whether a fault happens here. The name is the same in every run of the story; `about` is a number for it. */
  strikes(kind: FaultKind, name: string | (() => string), about?: number): boolean {
    const { chance, allowed } = this.#parts;
    const likelihood = this.#mood.get(kind);
    if (this.#isOver || likelihood === undefined) return false;
    if (chance.of(kind, about ?? hash(nameOf(name), 0)) >= likelihood) return false;
    const whole = `${kind} ${nameOf(name)}`;
    if (allowed?.has(whole) === false) return false;
    this.happened.push({ name: whole, kind });
    return true;
  }

  /** Whether faults of a kind can happen in this life. */
  has(kind: FaultKind): boolean {
    return this.#mood.has(kind);
  }

  /** From now on, nothing goes wrong. */
  end(): void {
    this.#isOver = true;
  }

  get isOver(): boolean {
    return this.#isOver;
  }
}

function nameOf(name: string | (() => string)): string {
  return typeof name === 'string' ? name : name();
}
