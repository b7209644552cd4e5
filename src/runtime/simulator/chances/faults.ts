/**
 * What goes wrong in a life, and when. Each life has a mood: some kinds of faults occur in it, others do not, so that
 * rare ones are not always hidden by common ones. Every decision has a name, which the search for the shortest story
 * uses to leave out faults that the failure does not need.
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

/** The likelihood of a fault where it can occur, in a life that has this kind. */
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

/** The likelihood that a life has a kind of fault. */
const moodLikelihood = 0.5;
/** Within a life, a kind of fault occurs rarely or often: up to this many times more or less likely. */
const moodFactor = 4;

export interface FaultsParts {
  readonly chance: Chance;
  readonly kinds: ReadonlySet<FaultKind>;
  /** The faults that may occur; by default, those that the seed determines. */
  readonly allowed: ReadonlySet<string> | undefined;
}

export class Faults {
  /** The faults that occurred, in order. */
  readonly happened: Array<{ readonly name: string; readonly kind: FaultKind }> = [];
  readonly #parts: FaultsParts;
  /** The likelihood of each kind of fault that this life has. */
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

  /** Whether a fault occurs here. The name is the same in every run of the story; `about` is a number for it. */
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

  /** Whether faults of a kind can occur in this life. */
  has(kind: FaultKind): boolean {
    return this.#mood.has(kind);
  }

  /** No fault occurs from now on. */
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
