/**
 * The programs of SQLite's virtual machine (3.53) as EXPLAIN lists them, and what is known about single instructions:
 * which can jump, and which registers they write. An instruction that is not listed here might do either, so nothing is
 * certain about a program that contains one.
 */

/** One row of `EXPLAIN <statement>`, as SQLite returns it. */
export interface ExplainRow {
  readonly addr: number;
  readonly opcode: string;
  readonly p1: number;
  readonly p2: number;
  readonly p3: number;
  readonly p4: string | null;
  readonly p5: number;
}

/** The instructions of a statement, or of a trigger or foreign key action that it calls. */
export type Bytecode = readonly ExplainRow[];

/** EXPLAIN lists the main program and then each subprogram once, every one counted from address 0. */
export function splitPrograms(rows: readonly ExplainRow[]): Bytecode[] {
  const programs: ExplainRow[][] = [];
  for (const row of rows) {
    if (programs.length === 0 || row.addr === 0) programs.push([]);
    // In a subprogram, AUTOINCREMENT keeps the largest rowid in a register of the main program.
    const foreign = programs.length > 1 && row.opcode === 'NewRowid';
    programs.at(-1)!.push(foreign ? { ...row, p3: 0 } : row);
  }
  return programs;
}

/**
 * The subprograms each `Program` instruction may call. SQLite lists a subprogram at its first call, unnamed: unless
 * every call has a listing of its own, a call may mean any subprogram listed so far.
 */
export function findCallees(programs: readonly Bytecode[]): Map<ExplainRow, number[]> {
  const calls = programs.flat().filter(({ opcode }) => opcode === 'Program');
  const listed = [...programs.keys()].slice(1);
  const oneEach = calls.length === listed.length;
  return new Map(calls.map((call, at) => [call, oneEach ? [at + 1] : listed.slice(0, at + 1)]));
}

const listOpcodes = (text: string): Set<string> => new Set(text.trim().split(/\s+/));

/** Instructions that fall through or jump to P2. */
const jumpingOpcodes = listOpcodes(`
  DecrJumpZero ElseEq Eq Filter FkIfZero Found Ge Gt IdxGE IdxGT IdxLE IdxLT If IfEmpty IfNoHope IfNot IfNotOpen
  IfNotZero IfNullRow IfPos IfSizeBetween IfSmaller IncrVacuum IsNull IsType Last Le Lt MustBeInt Ne Next
  NoConflict NotExists NotFound NotNull Once Prev Rewind RowSetRead RowSetTest SequenceTest Sort
  SorterCompare SorterNext SorterSort VFilter VNext`);

/** By operand, the instructions that write the one register it names. */
const writingOpcodes = Object.entries({
  p1: 'AddImm AggFinal Cast ClrSubtype CollSeq Gosub InitCoroutine MustBeInt RealAffinity RowSetAdd SoftNull',
  p2: `BeginSubrtn BitNot Blob Count CreateBtree Destroy GetSubtype IdxRowid Int64 IntCopy Integer IsTrue NewRowid Not
  Null OffsetLimit Param ReadCookie Real RowData Rowid SCopy Sequence SetSubtype SorterData String String8 Variable
  ZeroOrNull`,
  p3: `Add AggInverse AggStep AggStep1 AggValue And BitAnd BitOr Column Concat Divide Function MakeRecord Multiply
  NewRowid Offset Or PureFunc Remainder RowSetRead ShiftLeft ShiftRight Subtract VColumn`,
}).map(([operand, opcodes]) => [operand as 'p1' | 'p2' | 'p3', listOpcodes(opcodes)] as const);

/** Other instructions, which leave every register as it is, or at least as null or not null as it was. */
const otherOpcodes = listOpcodes(`
  Abortable Affinity Clear Close ColumnsUsed Compare CursorHint CursorLock CursorUnlock DeferredSeek Delete DropIndex
  DropTable DropTrigger EndCoroutine Expire Explain FilterAdd FinishSeek FkCheck FkCounter Goto Halt HaltIfNull
  IdxDelete IdxInsert Init Insert Jump LoadAnalysis MemMax Noop NullRow OpenAutoindex OpenDup OpenEphemeral OpenPseudo
  OpenRead OpenWrite ParseSchema Permutation Program ReleaseReg ReopenIdx ResetCount ResetSorter ResultRow Return RowCell
  SeekEnd SeekGE SeekGT SeekHit SeekLE SeekLT SeekRowid SeekScan SetCookie SorterInsert SorterOpen SqlExec
  TableLock Trace Transaction TypeCheck VBegin VCreate VDestroy VOpen VRename VUpdate Yield`);

export function canJump({ opcode, p2 }: ExplainRow): boolean {
  return jumpingOpcodes.has(opcode) && p2 > 0;
}

export function isKnownOpcode(opcode: string): boolean {
  const lists = [jumpingOpcodes, otherOpcodes, ...writingOpcodes.map(([, opcodes]) => opcodes)];
  return opcode === 'Copy' || opcode === 'Move' || lists.some((list) => list.has(opcode));
}

/** The register whose value an instruction copies to the given one. */
export function findCopied({ opcode, p1, p2, p3 }: ExplainRow, register: number): number | undefined {
  const count =
    opcode === 'Copy' ? p3 + 1 : opcode === 'Move' ? p3 : /^(SCopy|IntCopy)$/.test(opcode) ? 1 : 0;
  return register >= p2 && register < p2 + count ? p1 + register - p2 : undefined;
}

/** Whether an instruction may give a register another value. */
export function writesRegister(op: ExplainRow, register: number): boolean {
  const { opcode, p1, p2, p3 } = op;
  if (findCopied(op, register) !== undefined) return true;
  if (opcode === 'Move' && register >= p1 && register < p1 + p3) return true;
  if (opcode === 'Null' && register >= p2 && register <= p3) return true;
  const isListed = writingOpcodes.some(
    ([operand, opcodes]) => op[operand] === register && opcodes.has(opcode),
  );
  return isListed || ((register === p1 || register === p2 || register === p3) && !isKnownOpcode(opcode));
}

/** Whether the instruction opens a cursor on a table of this statement only; undefined if it opens none. */
export function opensTransient(opcode: string): boolean | undefined {
  if (/^(OpenRead|OpenWrite|ReopenIdx)$/.test(opcode)) return false;
  return /^(OpenEphemeral|OpenAutoindex|OpenDup|OpenPseudo|SorterOpen)$/.test(opcode) ? true : undefined;
}

export const isSeek = (opcode: string): boolean => /^Seek(GE|GT|LE|LT|Rowid)$/.test(opcode);
