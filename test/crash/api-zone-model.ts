/**
 * The known state of a zone whose server is killed: all acknowledged calls have happened, the last requested one may
 * have. A zone is compared as a whole, so that a half-done call would be detected.
 */
import { deepEqual, ok } from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';

const states = ['start', 'validation', 'pending', 'complete'] as const;
export type State = (typeof states)[number];

export interface ZoneModel {
  readonly plan: 'pro' | 'business' | 'enterprise';
  /** `pending` becomes `complete` automatically. */
  readonly state: State;
  readonly waf: 'on' | 'off';
  /** In order of creation. */
  readonly filters: readonly string[];
  readonly rules: number;
  /** The description of the entry point; undefined if there is none. */
  readonly entryPoint: string | undefined;
}

/** Generations that are in force. */
export interface Protection {
  readonly state: State;
  readonly previous: boolean;
  readonly managed: boolean;
}

export class WatchedZone {
  readonly id: string;
  /** No client turns its firewall off, so it must be protected at every moment. */
  readonly isNeverOff: boolean;
  #known: ZoneModel;
  /** The state if the call in progress has happened. */
  #possible: ZoneModel | undefined;
  #stateSeen: State = 'start';

  constructor(id: string, model: ZoneModel, isNeverOff: boolean) {
    this.id = id;
    this.#known = model;
    this.isNeverOff = isNeverOff;
  }

  get known(): ZoneModel {
    return this.#known;
  }

  ask(next: ZoneModel | undefined): void {
    this.#possible = next;
  }

  acknowledge(isDone: boolean): void {
    if (isDone) this.#known = this.#possible!;
    this.#possible = undefined;
  }

  /** Compares the found state with the known one, and adopts it. */
  find(found: ZoneModel): void {
    const candidates = [this.#known, ...(this.#possible === undefined ? [] : [this.#possible])];
    const isFinished = (each: ZoneModel): boolean => each.state === 'pending' && found.state === 'complete';
    const match = candidates
      .map((each) => (isFinished(each) ? { ...each, state: found.state } : each))
      .find((each) => isDeepStrictEqual(each, found));
    if (match === undefined) deepEqual(found, candidates.at(-1), `zone ${this.id}`);
    this.#known = found;
    this.#possible = undefined;
  }

  /** Always true, whatever is in progress. */
  watch({ state, previous, managed }: Protection): void {
    ok(
      states.indexOf(state) >= states.indexOf(this.#stateSeen),
      `zone ${this.id} went back from ${this.#stateSeen} to ${state}`,
    );
    this.#stateSeen = state;
    if (this.isNeverOff) ok(previous || managed, `zone ${this.id} is unprotected in the state ${state}`);
    ok(managed || (state !== 'pending' && state !== 'complete'), `zone ${this.id} is ${state} without rules`);
    ok(!(previous && state === 'complete'), `zone ${this.id} has the legacy rules after it left them`);
  }
}
