import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type TableChange, Tables } from '#tables';
import { collect, temporaryDirectory } from './testing.ts';

/** The contract, as simply as possible. */
class Model {
  readonly owners = new Map<string, Map<string, string>>();

  apply(batch: readonly TableChange[]): void {
    for (const change of batch) {
      const entries = this.owners.get(change.owner) ?? new Map<string, string>();
      this.owners.set(change.owner, entries);
      if ('drop' in change) entries.clear();
      else if (change.value === null) entries.delete(change.key);
      else entries.set(change.key, Buffer.from(change.value).toString('latin1'));
    }
  }

  list(owner: string): Array<[string, string]> {
    return [...(this.owners.get(owner) ?? [])].sort(([a], [b]) => (a < b ? -1 : 1));
  }

  liveOwners(prefix: string): string[] {
    const live = [...this.owners].filter(([owner, entries]) => entries.size > 0 && owner.startsWith(prefix));
    return live.map(([owner]) => owner).sort();
  }
}

const owners = ['\x00', '\x01', 'a', 'b', '\xfe', '\xff'].map((end) =>
  end.padStart(34, end === 'b' ? 'b' : '\xff'),
);
const owner = fc.constantFrom(...owners);
const key = fc.oneof(
  fc.constantFrom('', '\x00', '\x01', '\x02', '\xff', 'a', 'aa', 'ab', 'b', '\xff\xff'),
  fc.string({ unit: fc.nat(255).map((code) => String.fromCharCode(code)), maxLength: 6 }),
);
const value = fc.oneof(
  { weight: 6, arbitrary: fc.uint8Array({ maxLength: 12 }) },
  {
    weight: 2,
    arbitrary: fc.integer({ min: 900, max: 9000 }).map((length) => new Uint8Array(length).fill(length)),
  },
);
const change: fc.Arbitrary<TableChange> = fc.oneof(
  { weight: 12, arbitrary: fc.record({ owner, key, value }) },
  { weight: 4, arbitrary: fc.record({ owner, key, value: fc.constant(null) }) },
  { weight: 1, arbitrary: fc.record({ owner, drop: fc.constant(true as const) }) },
);
const range = fc.record(
  { start: key, end: key, reverse: fc.boolean(), limit: fc.nat(8) },
  { requiredKeys: [] },
);
const command = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({ do: fc.constant('apply' as const), batch: fc.array(change, { maxLength: 12 }) }),
  },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('get' as const), owner, key }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('list' as const), owner, range }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('owners' as const),
      prefix: fc.constantFrom('', '\xff', 'b', 'x'),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constantFrom('flush' as const, 'flush without waiting' as const) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constantFrom('compact' as const, 'reopen' as const, 'touch' as const) }),
  },
);

test('Tables answers like a plain map, through flushes, merges and reopenings', async (t) => {
  const directory = temporaryDirectory(t);
  let runNumber = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(command, { minLength: 5, maxLength: 60 }), async (commands) => {
      const options = { directory: `${directory}/${runNumber++}`, durable: false, cacheBytesMax: 20_000 };
      const model = new Model();
      const journal: Array<readonly TableChange[]> = [];
      let tables = Tables.open(options);
      try {
        for (const step of commands) tables = await play(step, { tables, model, journal, options });
        for (const each of owners) {
          assert.deepEqual(asText(await tables.list(each)), model.list(each));
          assert.deepEqual(asText(await collect(tables.iterate(each))), model.list(each));
        }
        assert.deepEqual(await collect(tables.owners('')), model.liveOwners(''));
        assert.deepEqual(await collect(tables.scrub()), []);
      } finally {
        await tables.close();
      }
    }),
    { numRuns: 150 },
  );
});

const asText = (entries: ReadonlyArray<[string, Uint8Array]>): Array<[string, string]> =>
  entries.map(([k, bytes]) => [k, Buffer.from(bytes).toString('latin1')]);

type Command = typeof command extends fc.Arbitrary<infer T> ? T : never;

interface World {
  readonly tables: Tables;
  readonly model: Model;
  /** Batch `n` has position `n + 1`. */
  readonly journal: Array<readonly TableChange[]>;
  readonly options: Parameters<typeof Tables.open>[0];
}

async function play(step: Command, { tables, model, journal, options }: World): Promise<Tables> {
  switch (step.do) {
    case 'apply':
      journal.push(step.batch);
      tables.apply(step.batch, journal.length);
      model.apply(step.batch);
      break;
    case 'touch':
      journal.push([]);
      tables.touch(journal.length);
      break;
    case 'get': {
      const found = await tables.get(step.owner, step.key);
      const text = found === undefined ? undefined : Buffer.from(found).toString('latin1');
      assert.equal(text, model.owners.get(step.owner)?.get(step.key));
      break;
    }
    case 'list':
      assert.deepEqual(
        asText(await tables.list(step.owner, step.range)),
        listed(model, step.owner, step.range),
      );
      break;
    case 'owners':
      assert.deepEqual(await collect(tables.owners(step.prefix)), model.liveOwners(step.prefix));
      break;
    case 'flush':
      // The first may join a flush that began before the last batch.
      await tables.flush();
      await tables.flush();
      assert.equal(tables.position, journal.length);
      break;
    case 'flush without waiting':
      void tables.flush();
      break;
    case 'compact':
      await tables.compact();
      break;
    case 'reopen': {
      await tables.close();
      const reopened = Tables.open(options);
      for (let at = reopened.position; at < journal.length; at++) reopened.apply(journal[at]!, at + 1);
      return reopened;
    }
  }
  return tables;
}

function listed(
  model: Model,
  of: string,
  { start, end, reverse, limit }: Parameters<Tables['list']>[1] & {},
): Array<[string, string]> {
  const inside = model
    .list(of)
    .filter(([k]) => (start === undefined || k >= start) && (end === undefined || k < end));
  return (reverse === true ? inside.reverse() : inside).slice(0, limit);
}
