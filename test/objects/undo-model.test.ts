/**
 * Nested transactions, on keys and by SQL, that commit, throw, or end with a reset: the result equals that of a stack
 * of copies.
 */
import { deepEqual } from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { type House, type Probe, type Storage, openHouse, run, turn } from './harness.ts';

type Step =
  | { readonly op: 'put' | 'delete' | 'insert'; readonly key: string; readonly value: number }
  | { readonly op: 'list' | 'select' | 'large' | 'changes' }
  | { readonly op: 'nest'; readonly steps: readonly Step[]; readonly fails: boolean };

interface Turn {
  readonly steps: readonly Step[];
  /** Whether the steps are a transaction across turns of Node's event loop, or just the turn. */
  readonly transaction: boolean;
  readonly end: 'commit' | 'throw' | 'abort';
}

const key = fc.constantFrom('a', 'b', 'c');
const write = fc.record({
  op: fc.constantFrom('put' as const, 'delete' as const, 'insert' as const),
  key,
  value: fc.nat({ max: 9 }),
});
const { step } = fc.letrec<{ step: Step }>((tie) => ({
  step: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    { weight: 6, arbitrary: write },
    {
      weight: 2,
      arbitrary: fc.record({ op: fc.constantFrom('list' as const, 'select' as const, 'large' as const) }),
    },
    {
      weight: 3,
      arbitrary: fc.record({
        op: fc.constant('nest' as const),
        steps: fc.array(tie('step'), { maxLength: 4 }),
        fails: fc.boolean(),
      }),
    },
  ),
}));
const turns = fc.array(
  fc.record({
    steps: fc.array(
      fc.oneof(
        { weight: 30, arbitrary: step },
        { weight: 1, arbitrary: fc.constant<Step>({ op: 'changes' }) },
      ),
      {
        maxLength: 6,
      },
    ),
    transaction: fc.boolean(),
    end: fc.constantFrom('commit' as const, 'commit' as const, 'throw' as const, 'abort' as const),
  }),
  { maxLength: 6 },
);

/** Keys of the storage, and rows of a table under `row:`. */
type State = Map<string, number>;

const undone = new Error('undone');

function performStep(storage: Storage, one: Step): unknown {
  const { kv, sql } = storage;
  switch (one.op) {
    case 'put':
      return kv.put(one.key, one.value);
    case 'delete':
      return kv.delete(one.key);
    case 'insert':
      return void sql.exec('INSERT OR REPLACE INTO t VALUES (?, ?)', one.key, one.value);
    case 'large':
      return kv.put('large', 'x'.repeat(100_000));
    case 'changes':
      return void sql.exec('SELECT changes()').one();
    case 'list':
      return [...kv.list()].filter(([name]) => name !== 'large');
    case 'select':
      return sql.exec('SELECT * FROM t ORDER BY k').toArray();
    case 'nest':
      try {
        return storage.transactionSync(() => {
          const answers = one.steps.map((inner) => performStep(storage, inner));
          if (one.fails) throw undone;
          return answers;
        });
      } catch (error) {
        if (error !== undone) throw error;
        return 'undone';
      }
  }
}

function predictStep(state: State, one: Step): unknown {
  const found = (prefix: boolean): Array<[string, number]> =>
    [...state]
      .filter(([name]) => name.startsWith('row:') === prefix)
      .toSorted(([a], [b]) => (a < b ? -1 : 1));
  switch (one.op) {
    case 'put':
      return void state.set(one.key, one.value);
    case 'delete':
      return state.delete(one.key);
    case 'insert':
      return void state.set(`row:${one.key}`, one.value);
    case 'large':
    case 'changes':
      return undefined;
    case 'list':
      return found(false);
    case 'select':
      return found(true).map(([name, v]) => ({ k: name.slice(4), v }));
    case 'nest': {
      const before = new Map(state);
      const answers = one.steps.map((inner) => predictStep(state, inner));
      if (!one.fails) return answers;
      state.clear();
      for (const [name, value] of before) state.set(name, value);
      return 'undone';
    }
  }
}

function predictTurn(state: State, { steps, transaction, end }: Turn): unknown {
  const before = new Map(state);
  const answers = steps.map((one) => predictStep(state, one));
  if (end === 'abort' || (end === 'throw' && transaction)) {
    state.clear();
    for (const [name, value] of before) state.set(name, value);
  }
  return end === 'commit' ? answers : end;
}

async function performTurn(object: Probe, { steps, transaction, end }: Turn): Promise<unknown> {
  const body = (): unknown => {
    const answers = steps.map((one) => performStep(object.storage, one));
    if (end === 'abort') object.state.abort('abort');
    if (end === 'throw') throw new Error('throw');
    return answers;
  };
  if (!transaction) return body();
  return await object.storage.transaction(async () => {
    await turn();
    return body();
  });
}

const everything: Turn = {
  steps: [{ op: 'list' }, { op: 'select' }],
  transaction: false,
  end: 'commit',
};

async function check(house: House, name: string, plan: readonly Turn[]): Promise<void> {
  await run(house.stub(name), ({ storage }) => void storage.sql.exec('CREATE TABLE t (k PRIMARY KEY, v)'));
  const state: State = new Map();
  for (const one of [...plan, everything]) {
    const answer = await run(house.stub(name), (object) => performTurn(object, one)).catch(
      (error: Error) => error.message,
    );
    deepEqual(answer, predictTurn(state, one));
  }
}

test('transactions inside each other undo exactly what they wrote, by key and by SQL', async (t) => {
  const house = await openHouse(t);
  let names = 0;
  const plans = new Map<string, readonly Turn[]>();
  await fc.assert(
    fc.asyncProperty(turns, async (plan) => {
      const name = `object ${++names}`;
      plans.set(name, plan);
      await check(house, name, plan);
    }),
    { numRuns: 150 },
  );
  await house.reopen();
  for (const [name, plan] of plans) {
    const state: State = new Map();
    for (const one of plan) predictTurn(state, one);
    const found = await run(house.stub(name), (object) => performTurn(object, everything));
    deepEqual(found, predictTurn(state, everything), `${name}, read from the journal`);
  }
});
