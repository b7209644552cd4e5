/**
 * What is known about single instructions of SQLite's virtual machine (3.53): which can jump to P2,
 * and which register they write. An instruction whose output is not listed is taken to write any register
 * its operands could name, which costs precision, never truth. One that is not listed at all might jump:
 * nothing is certain about a program that has such.
 */

/** Fall through or jump to P2, and nothing is known about which. */
export const jumpingOpcodes = new Set(
  (
    'ElseEq Eq Filter FkIfZero Found Ge Gt IdxGE IdxGT IdxLE IdxLT IfEmpty IfNoHope IfNotOpen IfNullRow IfSizeBetween ' +
    'IfSmaller IncrVacuum IsType Last Le Lt MustBeInt Ne Next NoConflict NotExists NotFound Prev Rewind RowSetRead ' +
    'RowSetTest SequenceTest Sort SorterCompare SorterNext SorterSort VFilter VNext'
  ).split(' '),
);

/** Jump to P2 by what their first register holds, or by what has happened before. */
export const testingOpcodes = new Set('If IfNot IsNull NotNull IfPos IfNotZero DecrJumpZero Once'.split(' '));

/** Whether an instruction goes by what its first register holds, and leaves it there. */
export function testsRegister(opcode: string): boolean {
  return opcode === 'Return' || (opcode !== 'Once' && testingOpcodes.has(opcode));
}

/** Go by the address their first register holds, and leave another there. */
export const coroutineOpcodes = new Set(['InitCoroutine', 'Yield', 'EndCoroutine']);

/** Always go on at P2. */
export const redirectingOpcodes = new Set(['Goto', 'Gosub', 'Init', 'InitCoroutine']);

export const seekingOpcodes = new Set(['SeekLT', 'SeekLE', 'SeekGE', 'SeekGT', 'SeekRowid']);

export const comparisonOpcodes = new Set(['Eq', 'Ne', 'Lt', 'Le', 'Gt', 'Ge']);

/** The operand that names the one register an instruction writes. */
const outputOperands = new Map<string, 'p1' | 'p2' | 'p3'>(
  Object.entries({
    p1: 'AddImm AggFinal Cast ClrSubtype CollSeq MemMax MustBeInt RealAffinity RowSetAdd SoftNull',
    p2:
      'Blob Count CreateBtree Destroy GetSubtype IdxRowid Int64 IntCopy IsTrue Not BitNot NewRowid Param ' +
      'ReadCookie Real RowData Rowid Sequence SetSubtype SorterData String String8 Variable ZeroOrNull ' +
      'OffsetLimit',
    p3:
      'Add AggStep AggStep1 AggInverse AggValue And BitAnd BitOr Column Concat Divide Function MakeRecord ' +
      'Multiply Offset Or PureFunc Remainder RowSetRead ShiftLeft ShiftRight Subtract VColumn',
  }).flatMap(([operand, opcodes]) => opcodes.split(' ').map((opcode) => [opcode, operand] as never)),
);

/** Instructions that leave every register as it is, or at least as null or not null as it was. */
const inertOpcodes = new Set(
  (
    'Affinity Close Compare CursorHint CursorLock CursorUnlock DeferredSeek Delete ElseEq EndCoroutine Eq Expire ' +
    'Filter FinishSeek FkCounter FkIfZero Found Ge Goto Gt Halt HaltIfNull IdxDelete IdxGE IdxGT IdxInsert IdxLE ' +
    'IdxLT If IfEmpty IfNoHope IfNot IfNotOpen IfNullRow IfSizeBetween Init Insert IsNull IsType Jump Last Le Lt Ne ' +
    'Next NoConflict Noop NotExists NotFound NotNull NullRow Once OpenAutoindex OpenDup OpenEphemeral OpenPseudo ' +
    'OpenRead OpenWrite Permutation Prev ReopenIdx ResetCount ResetSorter ResultRow Rewind SeekEnd SeekGE SeekGT ' +
    'SeekHit SeekLE SeekLT SeekRowid SeekScan Sort SorterCompare SorterInsert SorterNext SorterOpen SorterSort ' +
    'TableLock Trace Transaction TypeCheck VBegin VFilter VNext VOpen VUpdate'
  ).split(' '),
);

/** Instructions whose result is never NULL. */
export const notNullOpcodes = new Set(
  'Int64 IntCopy MakeRecord NewRowid Real Sequence String String8'.split(' '),
);

/** Instructions whose first operand is a cursor. */
export const cursorOpcodes = new Set(
  (
    'Clear Close Column ColumnsUsed Count CursorHint DeferredSeek Delete FinishSeek Found IdxDelete IdxGE IdxGT IdxInsert ' +
    'IdxLE IdxLT IdxRowid IfEmpty IfNoHope IfNotOpen IfNullRow IfSizeBetween IfSmaller Insert Last NewRowid Next ' +
    'NoConflict NotExists NotFound NullRow Offset OpenAutoindex OpenDup OpenEphemeral OpenPseudo OpenRead OpenWrite Prev ' +
    'ReopenIdx ResetSorter Rewind RowCell RowData Rowid SeekEnd SeekGE SeekGT SeekHit SeekLE SeekLT SeekRowid Sequence ' +
    'SequenceTest Sort SorterCompare SorterData SorterInsert SorterNext SorterOpen SorterSort'
  ).split(' '),
);

export function opensCursor(opcode: string): boolean {
  return /^(Open|ReopenIdx|SorterOpen)/.test(opcode);
}

/** Whether an instruction opens its cursor on a table that lives only as long as the statement. */
export function opensTransient(opcode: string): boolean {
  return /^(OpenEphemeral|OpenAutoindex|OpenDup|OpenPseudo|SorterOpen)$/.test(opcode);
}

/** Instructions that go on to the next and are not named in any other list. */
const straightOpcodes = new Set(
  (
    'Abortable BeginSubrtn Checkpoint Copy DropIndex DropTable DropTrigger Explain FilterAdd FkCheck Integer ' +
    'IntegrityCk JournalMode LoadAnalysis MaxPgcnt Move Null Pagecount ParseSchema ReleaseReg SCopy SetCookie SqlExec ' +
    'VCheck VCreate VDestroy VInitIn VRename'
  ).split(' '),
);

/** Instructions that go where no list says: `findExits` and the walk know about them. */
const specialOpcodes = new Set(
  'EndCoroutine Halt HaltIfNull Jump Program ResultRow Return SeekScan Yield'.split(' '),
);

/** Whether it is known where the instruction goes. */
export function isKnownOpcode(opcode: string): boolean {
  const lists = [
    jumpingOpcodes,
    testingOpcodes,
    redirectingOpcodes,
    seekingOpcodes,
    outputOperands,
    inertOpcodes,
    cursorOpcodes,
    straightOpcodes,
    specialOpcodes,
  ];
  return lists.some((list) => list.has(opcode));
}

interface Operands {
  readonly opcode: string;
  readonly p1: number;
  readonly p2: number;
  readonly p3: number;
}

/** The registers an instruction may write, ranges and control flow registers excepted. */
export function writtenRegisters(op: Operands): number[] {
  if (inertOpcodes.has(op.opcode)) return [];
  const operand = outputOperands.get(op.opcode);
  if (operand === undefined) return [op.p1, op.p2, op.p3];
  // NewRowid keeps the largest rowid handed out in its third register.
  return op.opcode === 'NewRowid' ? [op.p2, op.p3] : [op[operand]];
}
