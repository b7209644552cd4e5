import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import { test } from 'node:test';
import fc from 'fast-check';
import { type ExplainRow, type Observed, RowCounter, type RowCounts } from '../row-counts.ts';

interface Counted {
  readonly rows: number;
  readonly first: RowCounts;
  readonly last: RowCounts;
}

interface RunOptions {
  readonly bindings?: readonly SQLInputValue[];
  readonly withHistory?: boolean;
  readonly withBindings?: boolean;
}

/** Runs a statement as a cursor does and counts twice: on the first row, and at the end. */
function run(database: DatabaseSync, sql: string, options: RunOptions = {}): Counted {
  const { bindings = [], withHistory = true, withBindings = true } = options;
  const explain = database.prepare(`EXPLAIN ${sql}`).all() as unknown as ExplainRow[];
  const changes = database.prepare('SELECT total_changes() AS total, changes() AS own');
  const statement = database.prepare(sql);
  statement.setReturnArrays(true);
  const totalBefore = Number(changes.get()!['total']);
  const history = { vmStep: [] as number[], fullscanStep: [] as number[] };
  let value: unknown;
  const observe = (suspended: boolean): Observed => {
    const { total, own } = changes.get() as { total: number; own: number };
    const counters = ['vmStep', 'fullscanStep', 'sort', 'autoindex', 'filterHit', 'filterMiss'] as const;
    const stats = Object.fromEntries(counters.map((name) => [name, statement.stat(name)]));
    return {
      ...(stats as Record<(typeof counters)[number], number>),
      rows: history.vmStep.length,
      changes: total === totalBefore ? 0 : own,
      totalChanges: total - totalBefore,
      suspended,
      countValue: () => Number(value),
      ...(withHistory ? { history } : {}),
      ...(withBindings ? { bindings } : {}),
    };
  };
  const counter = new RowCounter(() => explain);
  let first: RowCounts | undefined;
  for (const row of statement.iterate(...bindings)) {
    history.vmStep.push(statement.stat('vmStep'));
    history.fullscanStep.push(statement.stat('fullscanStep'));
    value = (row as unknown as unknown[])[0];
    first ??= counter.count(observe(true));
  }
  const last = counter.count(observe(false));
  return { rows: history.vmStep.length, first: first ?? last, last };
}

function openDatabase(...statements: readonly string[]): DatabaseSync {
  const database = new DatabaseSync(':memory:');
  for (const sql of statements) database.exec(sql);
  return database;
}

interface Recorded {
  readonly sql: string;
  readonly rows: number;
  readonly readFirst: number;
  readonly read: number;
  readonly written: number;
}

function readRecorded(name: string): Recorded[] {
  const text = readFileSync(new URL(`./testdata/${name}.txt`, import.meta.url), 'utf8');
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return lines.map((line) => {
    const [, rows, readFirst, read, written, sql] = /^(\d+) (\d+) (\d+) (\d+) (.*)$/.exec(line)!;
    return {
      sql: sql!,
      rows: Number(rows),
      readFirst: Number(readFirst),
      read: Number(read),
      written: Number(written),
    };
  });
}

/** How many counts of each script have to be exact, and how many right: a change may raise these, never lower. */
const recordedScripts = [
  {
    name: 'chat',
    statements: 179,
    exactMin: { read: 140, written: 177 },
    rightMin: { read: 161, written: 179 },
  },
  { name: 'shop', statements: 95, exactMin: { read: 62, written: 86 }, rightMin: { read: 85, written: 90 } },
  {
    name: 'documents',
    statements: 98,
    exactMin: { read: 83, written: 94 },
    rightMin: { read: 91, written: 96 },
  },
];

for (const { name, statements, exactMin, rightMin } of recordedScripts) {
  test(`RowCounter counts the recorded script "${name}" as the original did`, () => {
    const database = openDatabase('PRAGMA foreign_keys = on');
    const recorded = readRecorded(name);
    assert.equal(recorded.length, statements);
    const exact = { read: 0, written: 0 };
    const right = { read: 0, written: 0 };
    let errorSum = 0;
    for (const { sql, rows, readFirst, read, written } of recorded) {
      const { rows: rowsSeen, first, last } = run(database, sql);
      assert.equal(rowsSeen, rows, sql);
      if (first.readExact) assert.equal(first.read, readFirst, `read after the first row: ${sql}`);
      if (last.readExact) assert.equal(last.read, read, `read: ${sql}`);
      if (last.writtenExact) assert.equal(last.written, written, `written: ${sql}`);
      exact.read += Number(last.readExact);
      exact.written += Number(last.writtenExact);
      right.read += Number(last.read === read);
      right.written += Number(last.written === written);
      const error = Math.abs(last.read - read) / Math.max(read, 1);
      assert.ok(error <= 1, `read ${last.read}, not ${read}: ${sql}`);
      errorSum += error;
    }
    assert.ok(exact.read >= exactMin.read && exact.written >= exactMin.written, JSON.stringify(exact));
    assert.ok(right.read >= rightMin.read && right.written >= rightMin.written, JSON.stringify(right));
    assert.ok(errorSum / recorded.length < 0.05, `mean error ${errorSum / recorded.length}`);
  });
}

const exactly = (read: number, written: number): RowCounts => ({
  read,
  written,
  readExact: true,
  writtenExact: true,
});

const people = [
  'CREATE TABLE person(id INTEGER PRIMARY KEY, name TEXT, age INT)',
  'CREATE INDEX person_age ON person(age)',
  "INSERT INTO person VALUES (1, 'x', 10), (2, 'y', 20), (3, 'z', 30)",
];

test('RowCounter counts a lookup by a bound key by what the key is', () => {
  const database = openDatabase(...people);
  const read = (key: SQLInputValue): RowCounts =>
    run(database, 'SELECT * FROM person WHERE id = ?', { bindings: [key] }).last;
  assert.deepEqual(read(2), exactly(1, 0));
  assert.deepEqual(read(99), exactly(1, 0));
  assert.deepEqual(read(null), exactly(0, 0));
  assert.deepEqual(read('abc'), exactly(0, 0));
});

test('RowCounter does not claim to know whether an unknown key was looked up', () => {
  const database = openDatabase(...people);
  const sql = 'SELECT * FROM person WHERE id = ?';
  const { last } = run(database, sql, { bindings: [99], withBindings: false });
  assert.deepEqual(last, { ...exactly(1, 0), readExact: false });
});

test('RowCounter counts a LIMIT bound to a parameter', () => {
  const database = openDatabase(...people);
  const sql = 'SELECT * FROM person ORDER BY name LIMIT ?';
  const { first, last } = run(database, sql, { bindings: [2] });
  assert.deepEqual([first.read, last], [5, exactly(6, 0)]);
});

test('RowCounter takes the entries a plain count(*) counts from its result', () => {
  const database = openDatabase(...people);
  assert.deepEqual(run(database, 'SELECT count(*) FROM person').last, exactly(3, 0));
});

test('RowCounter counts rows cleared at once by how many changed', () => {
  const database = openDatabase(...people);
  assert.deepEqual(run(database, 'DELETE FROM person').last, exactly(0, 3));
});

test('RowCounter is certain of more with the history of the rows', () => {
  const sql = 'SELECT id FROM person WHERE age IN (10, 20)';
  const setup = [
    ...people,
    "INSERT INTO person(name, age) VALUES ('a', 10), ('b', 10), ('c', 20), ('d', 25)",
  ];
  const without = run(openDatabase(...setup), sql, { withHistory: false }).last;
  const withIt = run(openDatabase(...setup), sql).last;
  assert.deepEqual([without.readExact, withIt], [false, exactly(9, 0)]);
});

test('RowCounter asks for EXPLAIN once, and not before the first count', () => {
  let asked = 0;
  const counter = new RowCounter(() => {
    asked++;
    return [op(0, 'Init', 0, 1, 0), op(1, 'ResultRow', 1, 1, 0), op(2, 'Halt', 0, 0, 0)];
  });
  assert.equal(asked, 0);
  const observed = { ...nothingObserved, vmStep: 3, rows: 1 };
  assert.deepEqual([counter.count(observed), counter.count(observed)], [exactly(0, 0), exactly(0, 0)]);
  assert.equal(asked, 1);
});

const nothingObserved: Observed = {
  vmStep: 0,
  fullscanStep: 0,
  sort: 0,
  autoindex: 0,
  filterHit: 0,
  filterMiss: 0,
  rows: 0,
  changes: 0,
  totalChanges: 0,
  suspended: false,
};

test('RowCounter estimates what no run of the program can explain', () => {
  const database = openDatabase(...people);
  const sql = "SELECT * FROM person WHERE name = 'x'";
  const counter = new RowCounter(() => database.prepare(`EXPLAIN ${sql}`).all() as unknown as ExplainRow[]);
  const { readExact, writtenExact } = counter.count({
    ...nothingObserved,
    vmStep: 1_000_003,
    rows: 7,
    sort: 2,
  });
  assert.deepEqual([readExact, writtenExact], [false, false]);
});

test('RowCounter estimates an empty and an oversized program', () => {
  const huge = Array.from({ length: 100_000 }, (_, addr) => op(addr, 'Noop', 0, 0, 0));
  for (const rows of [[], huge]) {
    const counts = new RowCounter(() => rows).count({ ...nothingObserved, rows: 3, totalChanges: 2 });
    assert.deepEqual(counts, { read: 3, written: 2, readExact: false, writtenExact: false });
  }
});

function op(addr: number, opcode: string, p1: number, p2: number, p3: number): ExplainRow {
  return { addr, opcode, p1, p2, p3, p4: null, p5: 0 };
}

const opcodes =
  'Init Goto Gosub Return InitCoroutine Yield EndCoroutine If IfNot IsNull NotNull IfPos IfNotZero DecrJumpZero Once ' +
  'Next Rewind Last Sort SorterSort SorterNext SorterInsert SorterOpen SeekGE SeekLE SeekRowid NotExists IdxGT ' +
  'IdxInsert Insert Delete Integer Null Copy Move Column Rowid OpenRead OpenWrite OpenEphemeral OpenDup ResultRow ' +
  'Halt Program Jump Eq Le Count Clear AggStep VNext VUpdate SeekScan Filter Variable NewRowid RowSetAdd RowSetRead';

test('RowCounter answers for any program, however senseless', { timeout: 60_000 }, () => {
  const operand = fc.oneof(fc.nat(6), fc.integer({ min: -2, max: 160 }));
  const instruction = fc.record({
    opcode: fc.constantFrom(...opcodes.split(' ')),
    p1: operand,
    p2: operand,
    p3: operand,
    p4: fc.constantFrom(null, 'k(2,,)', 'count(0)', '1'),
    p5: fc.nat(3),
  });
  const starts = fc.array(fc.nat(149), { maxLength: 3 });
  fc.assert(
    fc.property(
      fc.array(instruction, { minLength: 1, maxLength: 150 }),
      starts,
      fc.nat(5_000),
      fc.array(fc.nat(60), { maxLength: 20 }),
      fc.boolean(),
      (instructions, subprograms, vmStep, steps, suspended) => {
        let addr = -1;
        const rows = instructions.map((row, index) => {
          addr = subprograms.includes(index) ? 0 : addr + 1;
          return { addr, ...row };
        });
        let sum = 0;
        const history = { vmStep: steps.map((step) => (sum += step)), fullscanStep: steps.map(() => 0) };
        const observed = { ...nothingObserved, vmStep, rows: steps.length, suspended, history };
        const counts = new RowCounter(() => rows).count(observed);
        assert.ok(Number.isSafeInteger(counts.read) && counts.read >= 0);
        assert.ok(Number.isSafeInteger(counts.written) && counts.written >= 0);
      },
    ),
    { numRuns: 150 },
  );
});
