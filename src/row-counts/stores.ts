/** Balances of sorters, transient tables and row sets: nothing comes out that was not put in. */
import type { BalanceMaker, Row, Term } from './balances.ts';
import type { Via } from './exits.ts';
import type { ExplainRow, Program } from './explain.ts';
import { cursorOpcodes } from './opcodes.ts';

interface Store {
  readonly uses: ReadonlySet<ExplainRow>;
  /** No two things put in are the same, so each comes out for itself. */
  readonly distinct: boolean;
}

type Writers = ReadonlyMap<number, readonly ExplainRow[]>;

export function findStoreBalances(program: Program, writers: Writers): BalanceMaker[] {
  const cursors = new Map<number, ExplainRow[]>();
  const rowSets = new Map<number, ExplainRow[]>();
  for (const op of program) {
    if (/^(OpenEphemeral|SorterOpen)$/.test(op.opcode)) cursors.set(op.p1, []);
    if (op.opcode === 'RowSetAdd') rowSets.set(op.p1, []);
  }
  for (const op of program) {
    if (cursorOpcodes.has(op.opcode)) cursors.get(op.p1)?.push(op);
    if (op.opcode.startsWith('RowSet')) rowSets.get(op.p1)?.push(op);
    // A second cursor on the same table, or rows taken over as they are.
    if (op.opcode === 'OpenDup' || op.opcode === 'RowCell') cursors.delete(op.p2);
  }
  const stores = [...cursors.values()].map((uses) => readCursor(uses, writers));
  stores.push(...[...rowSets.values()].map((uses) => readRowSet(uses, program)));
  return stores.filter((store) => store !== undefined).map(storeBalance);
}

const scanningOpcodes = /^(Sort|SorterSort|Rewind)$/;
/** What a cursor can be asked without disturbing the balance. */
const harmlessOpcodes =
  /^(OpenEphemeral|SorterOpen|SorterInsert|SorterData|IdxInsert|Insert|NewRowid|Sequence|Last|IdxLE|IdxGE|Delete|Sort|SorterSort|Rewind|Next|SorterNext|Column|Rowid|RowData|SorterCompare|Close|NullRow)$/;

function readCursor(uses: readonly ExplainRow[], writers: Writers): Store | undefined {
  const scans = uses.filter(({ opcode }) => scanningOpcodes.test(opcode));
  const openings = uses.filter(({ opcode }) => /Open|ReopenIdx/.test(opcode));
  // Scanned from two places, or emptied in between, it is no simple store.
  if (scans.length !== 1 || openings.length !== 1 || uses.some(({ opcode }) => !harmlessOpcodes.test(opcode)))
    return undefined;
  const sorted = scans[0]!.opcode !== 'Rewind';
  if (!sorted && uses.some(({ opcode }) => opcode === 'Delete')) return undefined;
  return { uses: new Set(uses), distinct: sorted || uses.every((op) => isDistinctInsert(op, writers)) };
}

/** A transient table keyed by the rowids of the one table a statement goes through, or by new ones. */
function isDistinctInsert({ opcode, p3 }: ExplainRow, writers: Writers): boolean {
  if (opcode === 'IdxInsert') return false;
  if (opcode !== 'Insert') return true;
  return writers.get(p3)?.every((op) => /^(Null|Rowid|IdxRowid|NewRowid)$/.test(op.opcode)) ?? false;
}

function readRowSet(uses: readonly ExplainRow[], program: Program): Store | undefined {
  const scans = uses.filter(({ opcode }) => opcode === 'RowSetRead');
  if (scans.length !== 1 || uses.some(({ opcode }) => opcode === 'RowSetTest')) return undefined;
  // A row found through several indexes is put in several times; that takes a subroutine.
  const distinct = !program.some(({ opcode }) => opcode === 'Gosub');
  return { uses: new Set(uses), distinct };
}

function storeBalance({ uses, distinct }: Store): BalanceMaker {
  return (first) => {
    const [left, open, scans, fills] = [first, first + 1, first + 2, first + 3];
    return {
      of: (op, via) => (uses.has(op) ? storeTerms(op, via, { left, open, scans, fills }) : []),
      rules: (_, finished) => {
        const notOverdrawn: Row = { terms: [[left, 1]], constant: 0 };
        const empty: Row = { terms: [[left, -1]], constant: 0 };
        const goneThroughAgain: Row = { terms: [[scans, 1]], constant: -2 };
        const leftHalfWay: Row = { terms: [[open, 1]], constant: -1 };
        const neverScanned: Row = { terms: [[scans, -1]], constant: 0 };
        const madeAgain: Row = { terms: [[fills, 1]], constant: -2 };
        if (!finished || !distinct)
          return { always: [], cases: [[notOverdrawn], [goneThroughAgain], [madeAgain]] };
        return {
          always: [],
          cases: [
            [notOverdrawn, empty],
            [notOverdrawn, leftHalfWay],
            [notOverdrawn, neverScanned],
            [goneThroughAgain],
            [madeAgain],
          ],
        };
      },
      ...(distinct ? { settled: left } : {}),
    };
  };
}

interface StoreTallies {
  /** Put in and not taken out again. */
  readonly left: number;
  /** Scans begun and not gone through to the end. */
  readonly open: number;
  readonly scans: number;
  /** Times it was made anew. */
  readonly fills: number;
}

function storeTerms({ opcode }: ExplainRow, via: Via | 'repeat', tallies: StoreTallies): Term[] {
  const { left, open, scans, fills } = tallies;
  switch (opcode) {
    case 'OpenEphemeral':
    case 'SorterOpen':
      return [[fills, 1]];
    case 'SorterInsert':
    case 'IdxInsert':
    case 'Insert':
    case 'RowSetAdd':
      return [[left, 1]];
    // A sorter for the first few rows throws its worst one away.
    case 'Delete':
      return [[left, -1]];
    case 'Rewind':
    case 'Sort':
    case 'SorterSort':
      return via === 'fall'
        ? [
            [scans, 1],
            [open, 1],
            [left, -1],
          ]
        : [[scans, 1]];
    case 'Next':
    case 'SorterNext':
      return [via === 'jump' ? [left, -1] : [open, -1]];
    case 'RowSetRead':
      return via === 'fall' ? [[left, -1]] : [[scans, 1]];
    default:
      return [];
  }
}
