/**
 * Walks a statement's programs with what is known about the slots, and draws the map: places (an
 * address together with those facts, in one frame) and the ways between them. Subroutines, coroutines,
 * `Once` blocks and flags need no rules of their own on this map: the facts resolve them.
 *
 * Every run of the statement is a path on the map, from the entry to the end or to the row it stands
 * on. The converse need not hold: the map may offer paths that no run takes.
 */
import { type ExplainRow, findCallees, type Program } from './explain.ts';
import { type Code, findExits, type Via } from './exits.ts';
import type { Fact } from './facts.ts';
import { findNullableCursors, type VariableKinds } from './key-kinds.ts';
import { factsMax, placesMax } from './limits.ts';
import { LiveSlots } from './liveness.ts';
import { opensTransient } from './opcodes.ts';
import { findWrittenRoots, Slots } from './slots.ts';
import { findExactSeeks, findStraySeeks } from './seeks.ts';
import { TransferPoints } from './transfer-points.ts';

export interface Way {
  /** A place, or `end`. */
  readonly to: number;
  readonly via: Via | 'repeat';
}

export interface Place {
  readonly op: ExplainRow;
  /** 0 for the statement itself, else the number of the subprogram. */
  readonly program: number;
  /** Its cursor is on a table that lives only as long as the statement. */
  readonly transient: boolean;
  readonly ways: Way[];
}

export const end = -1;

/** A way back from a subprogram to its call. */
interface Return {
  readonly frame: Frame;
  readonly op: ExplainRow;
  readonly facts: readonly Fact[];
}

/** A call of a subprogram. One that calls itself shares its frame with the calls inside it. */
interface Frame {
  readonly program: number;
  readonly caller: Frame | undefined;
  readonly returns: Return[];
  readonly halts: { place: Place; ignoring: boolean }[];
  readonly id: number;
}

interface WalkedCode extends Code {
  readonly live: LiveSlots;
  readonly transientCursors: ReadonlySet<number>;
}

/** The places reachable from the first, which is the entry; undefined if there are too many. */
export function walk(programs: readonly Program[], variables: VariableKinds): Place[] | undefined {
  for (const resumePoints of [true, false]) {
    const codes = readCodes(programs, variables, resumePoints);
    const places = codes === undefined ? undefined : new Walk(programs, codes).run();
    if (places !== undefined) return places;
  }
  return undefined;
}

function readCodes(
  programs: readonly Program[],
  variables: VariableKinds,
  resumePoints: boolean,
): WalkedCode[] | undefined {
  const writtenRoots = findWrittenRoots(programs);
  const codes: WalkedCode[] = [];
  for (const program of programs) {
    const slots = new Slots(program, writtenRoots, resumePoints);
    if (slots.size * program.length > factsMax) return undefined;
    const points = new TransferPoints(program);
    const live = LiveSlots.find(program, slots, points);
    if (live === undefined) return undefined;
    const exactSeeks = findExactSeeks(program);
    const straySeeks = findStraySeeks(program, variables);
    const nullableCursors = findNullableCursors(program);
    const transientCursors = new Set(
      program.filter(({ opcode }) => opensTransient(opcode)).map(({ p1 }) => p1),
    );
    codes.push({ program, slots, points, live, exactSeeks, straySeeks, nullableCursors, transientCursors });
  }
  return codes;
}

const okay = 0;
/** `Halt` with this second operand ends a trigger and the row it was called for: RAISE(IGNORE). */
const ignoreRow = 4;

class Walk {
  readonly #codes: readonly WalkedCode[];
  readonly #callees: ReadonlyMap<ExplainRow, readonly number[]>;
  readonly #places: Place[] = [];
  readonly #numbers = new Map<string, number>();
  #facts = 0;
  readonly #frames = new Map<string, Frame>();
  readonly #pending: { place: Place; number: number; frame: Frame; facts: readonly Fact[] }[] = [];

  constructor(programs: readonly Program[], codes: readonly WalkedCode[]) {
    this.#codes = codes;
    this.#callees = findCallees(programs);
  }

  run(): Place[] | undefined {
    const main: Frame = { program: 0, caller: undefined, returns: [], halts: [], id: 0 };
    this.#enter(main);
    for (let next = this.#pending.pop(); next !== undefined; next = this.#pending.pop()) {
      if (this.#places.length > placesMax || this.#facts > factsMax) return undefined;
      this.#leave(next.place, next.number, next.frame, next.facts);
    }
    return this.#places;
  }

  #enter(frame: Frame): number | undefined {
    const { slots } = this.#codes[frame.program]!;
    return this.#reach(
      frame,
      0,
      Array.from({ length: slots.size }, () => 'unknown'),
    );
  }

  /** The number of the place, made when it is new; undefined where an address lies outside the program. */
  #reach(frame: Frame, address: number, facts: readonly Fact[]): number | undefined {
    const { program, live, slots, transientCursors } = this.#codes[frame.program]!;
    const op = program[address];
    if (op === undefined) return undefined;
    const kept = facts.map((fact, slot) =>
      fact === 'unknown' || live.has(address, slot) ? fact : 'unknown',
    );
    this.#facts += kept.length;
    const key = `${frame.id} ${address} ${kept.join(' ')}`;
    const known = this.#numbers.get(key);
    if (known !== undefined) return known;
    const place: Place = {
      op,
      program: frame.program,
      transient: isTransient(op, kept, slots, transientCursors),
      ways: [],
    };
    const number = this.#places.push(place) - 1;
    this.#numbers.set(key, number);
    this.#pending.push({ place, number, frame, facts: kept });
    return number;
  }

  #leave(place: Place, number: number, frame: Frame, facts: readonly Fact[]): void {
    const { op, ways } = place;
    if (op.opcode === 'Halt') {
      // Any other halt is an error, and a statement that failed has no counts.
      if (op.p1 === okay) this.#halt(place, frame, op.p2 === ignoreRow);
      return;
    }
    if (op.opcode === 'Program' && this.#call(place, number, frame, facts)) return;
    if (repeats(op)) ways.push({ to: number, via: 'repeat' });
    for (const exit of findExits(op, facts, this.#codes[frame.program]!)) {
      this.#connect(place, frame, exit.to, exit.facts, exit.via);
    }
  }

  #connect(place: Place, frame: Frame, address: number, facts: readonly Fact[], via: Way['via']): void {
    const to = this.#reach(frame, address, facts);
    if (to !== undefined) place.ways.push({ to, via });
  }

  #halt(place: Place, frame: Frame, ignoring: boolean): void {
    frame.halts.push({ place, ignoring });
    if (frame.caller === undefined) place.ways.push({ to: end, via: 'fall' });
    for (const back of frame.returns) this.#return(place, back, ignoring);
  }

  #return(place: Place, { frame, op, facts }: Return, ignoring: boolean): void {
    this.#connect(place, frame, ignoring ? op.p2 : op.addr + 1, facts, 'fall');
  }

  /** Goes into the subprograms a call may mean; false if it means none. */
  #call(place: Place, number: number, caller: Frame, facts: readonly Fact[]): boolean {
    const back: Return = { frame: caller, op: place.op, facts };
    let calls = false;
    for (const program of this.#callees.get(place.op) ?? []) {
      const running = findRunning(caller, (frame) => frame.program === program);
      // A trigger with a name does not run inside itself; a foreign key action may.
      if (place.op.p5 !== 0 && findRunning(caller, (frame) => this.#hasTitleOf(frame, program)) !== undefined)
        continue;
      const frame = running ?? this.#openFrame(program, caller, number);
      frame.returns.push(back);
      for (const halt of frame.halts) this.#return(halt.place, back, halt.ignoring);
      const to = this.#enter(frame);
      if (to !== undefined) place.ways.push({ to, via: 'fall' });
      calls = true;
    }
    return calls;
  }

  #openFrame(program: number, caller: Frame, number: number): Frame {
    const key = `${program} ${number}`;
    const known = this.#frames.get(key);
    if (known !== undefined) return known;
    const frame: Frame = { program, caller, returns: [], halts: [], id: this.#frames.size + 1 };
    this.#frames.set(key, frame);
    return frame;
  }

  #hasTitleOf(frame: Frame, program: number): boolean {
    const title = (index: number): string | null | undefined => this.#codes[index]?.program[0]?.p4;
    return frame.program === program || (frame.program !== 0 && title(frame.program) === title(program));
  }
}

function findRunning(frame: Frame, matches: (frame: Frame) => boolean): Frame | undefined {
  for (let running: Frame | undefined = frame; running !== undefined; running = running.caller) {
    if (matches(running)) return running;
  }
  return undefined;
}

/** Instructions that count a whole table at once: each row of it is one turn on the spot. */
function repeats({ opcode, p3 }: ExplainRow): boolean {
  return (opcode === 'Count' && p3 === 0) || (opcode === 'Clear' && p3 !== 0);
}

function isTransient(
  { p1 }: ExplainRow,
  facts: readonly Fact[],
  slots: Slots,
  transientCursors: ReadonlySet<number>,
): boolean {
  const slot = slots.isTransient(p1);
  return slot === undefined ? transientCursors.has(p1) : facts[slot] === 'true';
}
