/**
 * Walks a statement's programs with the known facts about the slots, and builds the map: places (an address together
 * with those facts, in one frame) and the ways between them. Subroutines, coroutines, `Once` blocks and flags need no
 * special rules: the facts resolve them.
 *
 * Every run of the statement is a path on the map, from the entry to the end or to the row at which it is suspended.
 * The converse need not hold: the map may contain paths that no run takes.
 */
import { type ExplainRow, findCallees } from './bytecode.ts';
import { type Code, type Exit, type SlotFacts, transientSlot, type Via } from './code.ts';
import { factsMax, placesMax } from './limits.ts';

export interface Way {
  /** A place, or `end`, or `row` where a run may be suspended. */
  readonly to: number;
  readonly via: Via | 'repeat';
}

export interface ProgramPlace {
  readonly op: ExplainRow;
  /** 0 for the statement itself, otherwise the number of the subprogram. */
  readonly program: number;
  /** Its cursor is on a table that exists only during the statement. */
  readonly transient: boolean;
  readonly ways: Way[];
}

export const end = -1;
export const row = -2;

/** A call of a subprogram. One that calls itself shares its frame with the calls inside it. */
interface SubprogramCall {
  readonly id: string;
  readonly program: number;
  /** The frames it runs inside. */
  readonly outer: readonly SubprogramCall[];
  /** The calls to return to, and the places to return from. */
  readonly calls: WalkState[];
  readonly halts: ProgramPlace[];
}

function openFrame(id: string, program: number, outer: readonly SubprogramCall[]): SubprogramCall {
  return { id, program, outer, calls: [], halts: [] };
}

/** A place with its frame, and the known facts there. */
interface WalkState {
  readonly place: ProgramPlace;
  readonly number: number;
  readonly frame: SubprogramCall;
  readonly facts: SlotFacts;
}

/** `Halt` with this second operand ends a trigger and the row it was called for: RAISE(IGNORE). */
const ignoreRow = 4;

export class Walk {
  readonly #codes: readonly Code[];
  readonly #callees: ReadonlyMap<ExplainRow, readonly number[]>;
  readonly #places: ProgramPlace[] = [];
  readonly #numbers = new Map<string, number>();
  readonly #pending: WalkState[] = [];
  #factCount = 0;

  constructor(codes: readonly Code[]) {
    this.#codes = codes;
    this.#callees = findCallees(codes.map(({ program }) => program));
  }

  /** The places reachable from the first, which is the entry; undefined if there are too many. */
  run(): ProgramPlace[] | undefined {
    if (this.#codes.some(({ program, slots }) => program.length * slots.length > factsMax)) return undefined;
    this.#enter(openFrame('main', 0, []));
    for (let state = this.#pending.pop(); state !== undefined; state = this.#pending.pop()) {
      if (this.#places.length > placesMax || this.#factCount > factsMax || !this.#leave(state))
        return undefined;
    }
    return this.#places;
  }

  /** The number of the place, which is created if necessary; undefined for an address outside the program. */
  #reach(frame: SubprogramCall, address: number, facts: SlotFacts): number | undefined {
    const op = this.#codes[frame.program]!.program[address];
    if (op === undefined) return undefined;
    this.#factCount += facts.size;
    const key = `${frame.id} ${address} ${[...facts.values()].join()}`;
    const known = this.#numbers.get(key);
    if (known !== undefined) return known;
    const transient = facts.get(transientSlot(op.p1)) === 1;
    const place: ProgramPlace = { op, program: frame.program, transient, ways: [] };
    const number = this.#places.push(place) - 1;
    this.#numbers.set(key, number);
    this.#pending.push({ place, number, frame, facts });
    return number;
  }

  /** False if the target is unknown. */
  #leave(state: WalkState): boolean {
    const { place, number, frame, facts } = state;
    const { opcode, p1, p3 } = place.op;
    if (opcode === 'Halt') {
      // A nonzero code is an error, and a failed statement has no counts.
      if (p1 !== 0) return true;
      frame.halts.push(place);
      if (frame.program === 0) place.ways.push({ to: end, via: 'fall' });
      for (const call of frame.calls) this.#return(place, call);
      return true;
    }
    if (opcode === 'Program' && this.#call(state)) return true;
    // Instructions that process a whole table at once: each of its rows is one iteration at the same place.
    if (opcode === 'Count' ? p3 === 0 : opcode === 'Clear' && p3 !== 0)
      place.ways.push({ to: number, via: 'repeat' });
    if (opcode === 'ResultRow') place.ways.push({ to: row, via: 'fall' });
    const exits = this.#codes[frame.program]!.findExits(place.op, facts);
    for (const exit of exits ?? []) this.#go(place, state, exit);
    return exits !== undefined;
  }

  #enter(frame: SubprogramCall): number | undefined {
    return this.#reach(frame, 0, new Map(this.#codes[frame.program]!.slots.map((slot) => [slot, undefined])));
  }

  #go(from: ProgramPlace, { place, frame, facts }: WalkState, { to, via, fact }: Exit): void {
    const number = this.#reach(frame, to, this.#codes[frame.program]!.applyOp(place.op, facts, fact));
    if (number !== undefined) from.ways.push({ to: number, via });
  }

  #return(halt: ProgramPlace, call: WalkState): void {
    const { addr, p2 } = call.place.op;
    this.#go(halt, call, { to: halt.op.p2 === ignoreRow ? p2 : addr + 1, via: 'fall' });
  }

  /** Enters the subprograms that a call may mean; returns false if it means none. */
  #call(call: WalkState): boolean {
    const { place, number, frame } = call;
    const running = [...frame.outer, frame];
    const titleOf = (other: number): unknown => this.#codes[other]!.program[0]?.p4;
    // A trigger does not run inside itself; a foreign key action may.
    const isRunning = (program: number): boolean =>
      running.some((other) => titleOf(other.program) === titleOf(program));
    const callees = this.#callees.get(place.op) ?? [];
    const called = callees.filter((program) => place.op.p5 === 0 || !isRunning(program));
    for (const program of called) {
      const shared = running.find((other) => other.program === program);
      const inner = shared ?? openFrame(`${program} at ${number}`, program, running);
      inner.calls.push(call);
      for (const halt of inner.halts) this.#return(halt, call);
      const to = this.#enter(inner);
      if (to !== undefined) place.ways.push({ to, via: 'fall' });
    }
    return called.length > 0;
  }
}
