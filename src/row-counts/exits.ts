/** Where control may go after an instruction, given what is known, and what is known then. */
import type { ExplainRow, Program } from './explain.ts';
import {
  type Fact,
  type Outcome,
  testCountdown,
  testNotZero,
  testNull,
  testPositive,
  testRows,
  testTruth,
} from './facts.ts';
import { comparisonOpcodes, jumpingOpcodes, notNullOpcodes, opensTransient } from './opcodes.ts';
import { registerCopy } from './registers.ts';
import type { StraySeeks } from './seeks.ts';
import type { Slots } from './slots.ts';
import type { TransferPoints } from './transfer-points.ts';

/** `stray` is a jump because the key of a seek cannot be a rowid at all: nothing is looked up then. */
export type Via = 'fall' | 'jump' | 'stray';

export interface Exit {
  readonly to: number;
  readonly via: Via;
  readonly facts: readonly Fact[];
}

/** What the walk knows of the code of one program. */
export interface Code {
  readonly program: Program;
  readonly slots: Slots;
  readonly points: TransferPoints;
  /** Seeks on an index for one exact key: they skip the range check that follows them. */
  readonly exactSeeks: ReadonlySet<ExplainRow>;
  readonly straySeeks: StraySeeks;
  readonly nullableCursors: ReadonlySet<number>;
}

export function findExits(op: ExplainRow, facts: readonly Fact[], code: Code): Exit[] {
  switch (op.opcode) {
    case 'Goto':
      return [{ to: op.p2, via: 'jump', facts }];
    case 'Init':
      return [{ to: op.p2 > 0 ? op.p2 : op.addr + 1, via: 'jump', facts }];
    case 'Jump':
      return [op.p1, op.p2, op.p3].map((to) => ({ to, via: 'jump', facts }));
    case 'Gosub':
    case 'Return':
    case 'InitCoroutine':
    case 'Yield':
    case 'EndCoroutine':
      return findTransfers(op, facts, code);
    case 'SeekScan':
      return [op.addr + 1, op.p2, code.program[op.addr + 1]?.p2 ?? -1].map((to) => ({
        to,
        via: 'fall',
        facts,
      }));
    case 'SeekLT':
    case 'SeekLE':
    case 'SeekGE':
    case 'SeekGT':
    case 'SeekRowid':
      return findSeekExits(op, facts, code);
    default:
      return findTestedExits(op, facts, code);
  }
}

function findSeekExits(op: ExplainRow, facts: readonly Fact[], { exactSeeks, straySeeks }: Code): Exit[] {
  const stray = straySeeks.get(op);
  const astray: Exit[] = stray === undefined ? [] : [{ to: op.p2, via: 'stray', facts }];
  if (stray === 'always') return astray;
  const found: Exit = { to: op.addr + (exactSeeks.has(op) ? 2 : 1), via: 'fall', facts };
  return [found, { to: op.p2, via: 'jump', facts }, ...astray];
}

/** Subroutines and coroutines keep an address in a register: a call to it continues behind it. */
function findTransfers(op: ExplainRow, facts: readonly Fact[], { program, slots, points }: Code): Exit[] {
  const slot = slots.register(op.p1);
  const known = slot === undefined ? 'unknown' : facts[slot]!;
  const leaving = (address: number): readonly Fact[] =>
    slot === undefined ? facts : replace(facts, slot, address);
  switch (op.opcode) {
    case 'Gosub':
      return [{ to: op.p2, via: 'jump', facts: leaving(op.addr) }];
    case 'InitCoroutine':
      return [{ to: op.p2 > 0 ? op.p2 : op.addr + 1, via: 'jump', facts: leaving(op.p3 - 1) }];
    case 'Return':
      if (typeof known === 'number') return [{ to: known + 1, via: 'jump', facts }];
      if (known === 'null' && op.p3 !== 0) return [{ to: op.addr + 1, via: 'fall', facts }];
      break;
    case 'Yield':
      if (typeof known === 'number') return [{ to: known + 1, via: 'jump', facts: leaving(op.addr) }];
      break;
    default:
      // The caller's Yield says where to go when nothing is left; asked again, this runs again.
      if (typeof known === 'number') {
        return [{ to: program[known]?.p2 ?? -1, via: 'jump', facts: leaving(op.addr - 1) }];
      }
  }
  const targets = op.opcode === 'Return' && op.p3 !== 0 ? [op.addr + 1] : [];
  return [...points.targets(op), ...targets].map((to) => ({ to, via: 'jump', facts }));
}

function findTestedExits(op: ExplainRow, facts: readonly Fact[], code: Code): Exit[] {
  const { slots } = code;
  const test = findTest(op, slots, facts);
  const after = applyWrites(op, facts, code);
  const fall = op.addr + 1;
  if (test === undefined) {
    const exits: Exit[] = [{ to: fall, via: 'fall', facts: after }];
    if (op.p2 > 0 && jumpingOpcodes.has(op.opcode)) exits.push({ to: op.p2, via: 'jump', facts: after });
    return exits;
  }
  return test.outcomes.map(({ jumps, after: fact }) => ({
    to: jumps ? op.p2 : fall,
    via: jumps ? 'jump' : 'fall',
    facts: test.slot === undefined ? after : replace(after, test.slot, fact),
  }));
}

interface Test {
  readonly slot: number | undefined;
  readonly outcomes: readonly Outcome[];
}

const negate = (outcomes: Outcome[]): Outcome[] =>
  outcomes.map(({ jumps, after }) => ({ jumps: !jumps, after }));

function findTest(op: ExplainRow, slots: Slots, facts: readonly Fact[]): Test | undefined {
  const test = (slot: number | undefined, ask: (fact: Fact) => Outcome[]): Test => ({
    slot,
    outcomes: ask(slot === undefined ? 'unknown' : facts[slot]!),
  });
  const register = slots.register(op.p1);
  switch (op.opcode) {
    case 'If':
      return test(register, (fact) => testTruth(fact, op.p3 !== 0));
    case 'IfNot':
      return test(register, (fact) => negate(testTruth(fact, op.p3 === 0)));
    case 'IsNull':
      return test(register, testNull);
    case 'NotNull':
      return test(register, (fact) => negate(testNull(fact)));
    case 'IfPos':
      return test(register, (fact) => testPositive(fact, op.p3));
    case 'IfNotZero':
      return test(register, testNotZero);
    case 'DecrJumpZero':
      return test(register, testCountdown);
    case 'Once':
      return test(slots.once(op.addr), (fact) => [{ jumps: fact === 'true', after: 'true' }]);
    case 'Rewind':
    case 'Last': {
      const slot = slots.hasRows(op.p1);
      return slot === undefined || op.p2 <= 0 ? undefined : test(slot, testRows);
    }
    default:
      return comparisonOpcodes.has(op.opcode) ? findNullComparison(op, slots, facts) : undefined;
  }
}

const jumpIfNull = 0x10;
const nullsAreEqual = 0x80;

/** A comparison with NULL goes one way, whatever the other side is. */
function findNullComparison(op: ExplainRow, slots: Slots, facts: readonly Fact[]): Test | undefined {
  if ((op.p5 & nullsAreEqual) !== 0) return undefined;
  const isNull = [op.p1, op.p3].some((register) => {
    const slot = slots.register(register);
    return slot !== undefined && facts[slot] === 'null';
  });
  if (!isNull) return findGrowthComparison(op, slots, facts);
  return { slot: undefined, outcomes: [{ jumps: (op.p5 & jumpIfNull) !== 0, after: 'unknown' }] };
}

/**
 * AUTOINCREMENT asks at the end whether the largest rowid is still `Le` the one it began with, to save
 * itself writing it down. After a new rowid it is not. Nothing else looks at that register.
 */
function findGrowthComparison(op: ExplainRow, slots: Slots, facts: readonly Fact[]): Test | undefined {
  const slot = slots.register(op.p3);
  if (op.opcode !== 'Le' || slot === undefined || facts[slot] !== 'grown') return undefined;
  return { slot: undefined, outcomes: [{ jumps: false, after: 'unknown' }] };
}

function applyWrites(
  op: ExplainRow,
  facts: readonly Fact[],
  { slots, nullableCursors }: Code,
): readonly Fact[] {
  const overwritten = slots.overwritten(op.addr);
  if (overwritten.length === 0) return facts;
  const after = facts.slice();
  for (const slot of overwritten) after[slot] = resultOf(op, nullableCursors);
  const transient = slots.isTransient(op.p1);
  if (transient !== undefined && overwritten.includes(transient))
    after[transient] = opensTransient(op.opcode) ? 'true' : 'false';
  if (op.opcode === 'NewRowid' && op.p3 > 0) after[slots.register(op.p3)!] = 'grown';
  const copy = registerCopy(op);
  if (copy !== undefined) {
    for (let index = 0; index < copy.count; index++) {
      const [from, to] = [slots.register(copy.from + index), slots.register(copy.to + index)];
      if (to !== undefined) after[to] = from === undefined ? 'unknown' : facts[from]!;
    }
  }
  return after;
}

function resultOf({ opcode, p1 }: ExplainRow, nullableCursors: ReadonlySet<number>): Fact {
  if (opcode === 'Integer') return p1;
  if (opcode === 'Null' || opcode === 'BeginSubrtn' || opcode === 'SoftNull') return 'null';
  if ((opcode === 'Rowid' || opcode === 'IdxRowid') && !nullableCursors.has(p1)) return 'some';
  if (opcode === 'AddImm' || notNullOpcodes.has(opcode)) return 'some';
  return 'unknown';
}

function replace(facts: readonly Fact[], slot: number, fact: Fact): readonly Fact[] {
  if (facts[slot] === fact) return facts;
  const copy = facts.slice();
  copy[slot] = fact;
  return copy;
}
