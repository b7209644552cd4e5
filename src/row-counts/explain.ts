/** One row of `EXPLAIN <statement>`, as SQLite returns it. */
export interface ExplainRow {
  readonly addr: number;
  readonly opcode: string;
  readonly p1: number;
  readonly p2: number;
  readonly p3: number;
  readonly p4: string | null;
  readonly p5: number;
  readonly comment?: string | null;
}

/** A program and, after the first, the triggers and foreign key actions it can call. */
export type Program = readonly ExplainRow[];

/** EXPLAIN lists the main program and then each subprogram once, every one counted from address 0. */
export function splitPrograms(rows: readonly ExplainRow[]): Program[] {
  const programs: ExplainRow[][] = [];
  for (const row of rows) {
    const current = programs.at(-1);
    if (current === undefined || row.addr === 0) programs.push([row]);
    else current.push(programs.length === 1 ? row : withoutOuterRegister(row));
  }
  return programs;
}

/** In a subprogram, AUTOINCREMENT keeps the largest rowid in a register of the main program. */
function withoutOuterRegister(row: ExplainRow): ExplainRow {
  if (row.opcode === 'NewRowid') return { ...row, p3: 0 };
  return row.opcode === 'MemMax' ? { ...row, opcode: 'Noop' } : row;
}

/**
 * The subprograms each `Program` instruction may call, in the order of the listing. SQLite lists a
 * subprogram where it first meets it and never again, and does not name it, so unless every call has
 * a listing of its own, a call may mean any subprogram met so far.
 */
export function findCallees(programs: readonly Program[]): Map<ExplainRow, number[]> {
  const calls = programs.flatMap((program) => program.filter(({ opcode }) => opcode === 'Program'));
  const subprograms = programs.length - 1;
  const callees = new Map<ExplainRow, number[]>();
  calls.forEach((call, index) => {
    const latest = Math.min(index + 1, subprograms);
    const candidates = calls.length === subprograms ? [index + 1] : range(1, latest);
    callees.set(call, candidates);
  });
  return callees;
}

function range(first: number, last: number): number[] {
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => first + index);
}
