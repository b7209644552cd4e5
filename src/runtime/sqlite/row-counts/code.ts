/**
 * What one program can do: where control may go after an instruction, given the known facts about a few slots, and
 * which facts hold then. Slots are registers (numbers above 0), `Once` blocks, and cursors that may be on a transient
 * table.
 */
import {
  canJump,
  type ExplainRow,
  findCopied,
  isSeek,
  opensTransient,
  type Bytecode,
  writesRegister,
} from './bytecode.ts';

/**
 * Known facts about slots: the number a slot contains (for a return address, the one before it), that it is null, that
 * it is not null, or that it is a rowid larger than any before (`grown`).
 */
export type SlotFacts = ReadonlyMap<number, Fact>;
export type Fact = number | 'null' | 'some' | 'grown' | undefined;

/**
 * How control leaves an instruction. A seek jumps if there is nothing beyond its key, misses if its one key is absent,
 * and has a `badKey` if that key cannot be a rowid: nothing is looked up then.
 */
export type Via = 'fall' | 'jump' | 'miss' | 'badKey';

export interface Exit {
  readonly to: number;
  readonly via: Via;
  /** The known fact about the slot that the instruction tests; for other slots see `applyOp`. */
  readonly fact?: Fact;
}

const onceSlot = (address: number): number => -2 * address - 1;
export const transientSlot = (cursor: number): number => -2 * cursor - 2;

const seekByEquality = 0x02;
const registerTest =
  /^(If|IfNot|IsNull|NotNull|IfPos|IfNotZero|DecrJumpZero|Return|Gosub|InitCoroutine|Yield|EndCoroutine)$/;

/** The slot that decides where an instruction continues, or that it counts. */
function findTested({ opcode, addr, p1, p3 }: ExplainRow): number | undefined {
  if (opcode === 'Once') return onceSlot(addr);
  if (opcode === 'Le') return p3;
  if (/^(Insert|IdxInsert|Delete)$/.test(opcode)) return transientSlot(p1);
  return registerTest.test(opcode) ? p1 : undefined;
}

export class Code {
  readonly program: Bytecode;
  /** Any other slot would multiply the places without adding information. */
  readonly slots: readonly number[];
  /** For each instruction, the slots that it tests or overwrites. */
  readonly #changed = new Map<ExplainRow, readonly number[]>();
  readonly #badSeeks: ReadonlySet<ExplainRow>;

  constructor(program: Bytecode) {
    this.program = program;
    const list = (pattern: RegExp): ExplainRow[] => program.filter(({ opcode }) => pattern.test(opcode));
    const slots = new Set(list(registerTest).map(({ p1 }) => p1));
    for (const { p3 } of list(/^NewRowid$/)) slots.add(p3);
    // Slots whose value is copied into a tracked slot are tracked as well; a set also visits elements added during
    // iteration.
    const copies = list(/^(Copy|Move|SCopy|IntCopy)$/);
    for (const slot of slots) for (const op of copies) slots.add(findCopied(op, slot) ?? slot);
    for (const { addr } of list(/^Once$/)) slots.add(onceSlot(addr));
    for (const { p1, opcode } of program) if (opensTransient(opcode) === true) slots.add(transientSlot(p1));
    this.slots = [...slots];
    this.#badSeeks = new Set(program.filter((op) => isSeek(op.opcode) && this.#mayHaveBadKey(op)));
  }

  /** The facts after an instruction, given the fact about the slot that it tests. */
  applyOp(op: ExplainRow, facts: SlotFacts, fact: Fact): SlotFacts {
    const tested = findTested(op);
    const opened = opensTransient(op.opcode) === undefined ? undefined : transientSlot(op.p1);
    const changes = (slot: number): boolean => slot === tested || slot === opened || writesRegister(op, slot);
    const changed = this.#changed.get(op) ?? this.slots.filter(changes);
    this.#changed.set(op, changed);
    if (changed.length === 0) return facts;
    const after = new Map(facts);
    for (const slot of changed) after.set(slot, slot === tested ? fact : this.#findFact(op, slot, facts));
    return after;
  }

  /** The fact about a slot that an instruction overwrites. */
  #findFact(op: ExplainRow, slot: number, facts: SlotFacts): Fact {
    const { opcode, p1, p3 } = op;
    const copied = findCopied(op, slot);
    if (copied !== undefined) return facts.get(copied);
    if (slot < 0) return Number(opensTransient(opcode));
    if (opcode === 'Integer') return p1;
    if (/^(Null|BeginSubrtn|SoftNull)$/.test(opcode)) return 'null';
    if (opcode === 'NewRowid' && slot === p3) return 'grown';
    const gives = /^(AddImm|Int64|MakeRecord|NewRowid|Real|Sequence|String|String8)$/.test(opcode);
    return gives || this.#givesRowid(op) ? 'some' : undefined;
  }

  /** Undefined if the instruction returns or yields to an unknown address. */
  findExits(op: ExplainRow, facts: SlotFacts): Exit[] | undefined {
    const { opcode, addr, p1, p2, p3 } = op;
    const fact = facts.get(findTested(op) ?? 0);
    const go = (to: number, via: Via = 'jump'): Exit => ({ to, via, fact });
    switch (opcode) {
      case 'Goto':
      case 'Init':
        return [go(p2 > 0 ? p2 : addr + 1)];
      case 'Jump':
        return [go(p1), go(p2), go(p3)];
      case 'SeekScan':
        return [go(addr + 1), go(p2), go(this.program[addr + 1]?.p2 ?? -1)];
      case 'Gosub':
        return [{ ...go(p2), fact: addr }];
      case 'InitCoroutine':
        return [{ ...go(p2 > 0 ? p2 : addr + 1), fact: p3 - 1 }];
      case 'Return':
        if (fact === 'null' && p3 !== 0) return [go(addr + 1)];
        return typeof fact === 'number' ? [go(fact + 1)] : undefined;
      case 'Yield':
        return typeof fact === 'number' ? [{ ...go(fact + 1), fact: addr }] : undefined;
      case 'EndCoroutine':
        if (typeof fact !== 'number') return undefined;
        // The caller's Yield defines where to continue at the end; the next Yield runs this instruction again.
        return [{ ...go(this.program[fact]?.p2 ?? -1), fact: addr - 1 }];
    }
    if (isSeek(opcode)) {
      // A seek for an exact key skips the check that follows it.
      if (this.#isExactSeek(op)) return [go(addr + 2, 'fall'), go(p2, 'miss')];
      return [go(addr + 1, 'fall'), go(p2), ...(this.#badSeeks.has(op) ? [go(p2, 'badKey')] : [])];
    }
    const leave = (to: number, via: Via): Exit => ({ to, via, fact: factAfterTest(op, fact, via) });
    const exits = [leave(addr + 1, 'fall'), leave(p2, 'jump')];
    const jumps = canJump(op) ? decidesJump(op, fact) : false;
    return jumps === undefined ? exits : [exits[Number(jumps)]!];
  }

  #isExactSeek({ opcode, p1 }: ExplainRow): boolean {
    return /^Seek[GL]E$/.test(opcode) && this.#findOpenings(p1).some(({ p5 }) => (p5 & seekByEquality) !== 0);
  }

  /** Whether the key of a seek in a table may be a value that no rowid can have, such as NULL or a text. */
  #mayHaveBadKey({ opcode, p1, p3 }: ExplainRow): boolean {
    const isIndex = this.#findOpenings(p1).some(({ p4 }) => p4?.startsWith('k(') === true);
    if (opcode !== 'SeekRowid' && isIndex) return false;
    const isInteger = (op: ExplainRow): boolean =>
      /^(Integer|Int64|NewRowid|Sequence|MustBeInt)$/.test(op.opcode) || this.#givesRowid(op);
    return this.program.some((op) => writesRegister(op, p3) && !isInteger(op));
  }

  #findOpenings(cursor: number): Bytecode {
    return this.program.filter(({ opcode, p1 }) => p1 === cursor && opensTransient(opcode) === false);
  }

  /** A cursor may be on the row of NULLs that an outer join generates: its rowid is NULL then. */
  #givesRowid({ opcode, p1 }: ExplainRow): boolean {
    const isRowid = opcode === 'Rowid' || opcode === 'IdxRowid';
    return isRowid && !this.program.some((op) => op.opcode === 'NullRow' && op.p1 === p1);
  }
}

/** Whether an instruction jumps, or undefined if it may or may not. */
function decidesJump({ opcode, p3 }: ExplainRow, fact: Fact): boolean | undefined {
  // At its end, AUTOINCREMENT tests whether the largest rowid is still `Le` the initial one.
  if (opcode === 'Le') return fact === 'grown' ? false : undefined;
  if (opcode === 'Once') return fact === 1;
  if (fact === undefined) return undefined;
  if (opcode === 'IsNull') return fact === 'null';
  if (opcode === 'NotNull') return fact !== 'null';
  if (fact === 'null') return /^If(Not)?$/.test(opcode) ? p3 !== 0 : undefined;
  if (typeof fact !== 'number') return undefined;
  if (opcode === 'If' || opcode === 'IfNotZero') return fact !== 0;
  if (opcode === 'IfNot') return fact === 0;
  if (opcode === 'IfPos') return fact > 0;
  return opcode === 'DecrJumpZero' ? fact === 1 : undefined;
}

/** The fact about the slot that an instruction has tested, and perhaps decremented. */
function factAfterTest({ opcode, p3 }: ExplainRow, fact: Fact, via: Via): Fact {
  if (opcode === 'Once') return 1;
  if (opcode === 'IfPos' && via === 'jump' && p3 !== 0) return undefined;
  if (opcode !== 'IfNotZero' && opcode !== 'DecrJumpZero') return fact;
  if ((via === 'jump') === (opcode === 'DecrJumpZero')) return 0;
  return typeof fact === 'number' && fact < 0 ? fact : undefined;
}
