/**
 * What is timed inside an object: each operation runs `n` times in one request, so that HTTP is not in it, and gives
 * a check over everything it read, so that a fast wrong answer does not count.
 */

const KEYS = 1000;
const ROWS = 10_000;
const RANGE_ROWS = 100;
const LISTED = 100;

const mix = (check, value) => (Math.imul(check, 31) + value) >>> 0;
const small = (i) => ({ id: i, name: `user-${i}`, tags: ['a', 'b'], active: true });

/** Fills an object with what the operations read; enough requests apart that no commit is huge. */
export const preparations = {
  async keyValue({ storage }) {
    for (let from = 0; from < KEYS; from += 100) {
      const range = Array.from({ length: 100 }, (_, i) => from + i);
      await storage.put(Object.fromEntries(range.map((i) => [`n${i}`, i])));
      await storage.put(Object.fromEntries(range.map((i) => [`o${i}`, small(i)])));
    }
  },
  rows({ storage }) {
    storage.sql.exec(`
      create table if not exists t(id integer primary key, name text, score real);
      with recursive s(i) as (values(1) union all select i + 1 from s where i < ${ROWS})
        insert or ignore into t select i, 'name-' || i, i * 1.5 from s;
      create table if not exists target(id integer primary key, name text, score real);
    `);
  },
};

const keyValue = {
  async 'get number'({ storage }, n) {
    let check = 0;
    for (let i = 0; i < n; i++) check = mix(check, await storage.get(`n${i % KEYS}`));
    return check;
  },
  async 'get object'({ storage }, n) {
    let check = 0;
    for (let i = 0; i < n; i++) check = mix(check, (await storage.get(`o${i % KEYS}`)).name.length);
    return check;
  },
  async 'put number'({ storage }, n) {
    for (let i = 0; i < n; i++) await storage.put(`w${i % KEYS}`, i);
    return mix(n, await storage.get('w0'));
  },
  async 'put object'({ storage }, n) {
    for (let i = 0; i < n; i++) await storage.put(`x${i % KEYS}`, small(i));
    return mix(n, (await storage.get('x0')).id);
  },
  /** A hundred of the thousand keys, from another place each time. */
  async 'list 100 numbers'({ storage }, n) {
    let check = 0;
    for (let i = 0; i < n; i++) {
      const found = await storage.list({ prefix: `n${(i % 9) + 1}`, limit: LISTED });
      for (const [key, value] of found) check = mix(check, key.length + value);
    }
    return check;
  },
  async 'list 100 objects'({ storage }, n) {
    let check = 0;
    for (let i = 0; i < n; i++) {
      const found = await storage.list({ prefix: `o${(i % 9) + 1}`, limit: LISTED });
      for (const [key, value] of found) check = mix(check, key.length + value.id);
    }
    return check;
  },
  async 'async transaction'({ storage }, n) {
    for (let i = 0; i < n; i++) {
      await storage.transaction(async (txn) => {
        await txn.put('t', i);
      });
    }
    return mix(n, await storage.get('t'));
  },
};

const sql = {
  'sql insert'({ storage }, n) {
    storage.sql.exec('delete from target');
    for (let i = 0; i < n; i++)
      storage.sql.exec('insert into target values (?, ?, ?)', i, 'some name', i * 0.5);
    return storage.sql.exec('select count(*) * 7 + coalesce(sum(score), 0) as c from target').one().c;
  },
  'sql point read'({ storage }, n) {
    let check = 0;
    for (let i = 0; i < n; i++) {
      const row = storage.sql.exec('select * from t where id = ?', ((i * 7919) % ROWS) + 1).one();
      check = mix(check, row.score * 2 + row.name.length);
    }
    return check;
  },
  'sql 100-row range read'({ storage }, n) {
    let check = 0;
    for (let i = 0; i < n; i++) {
      const from = ((i * 7919) % (ROWS - RANGE_ROWS)) + 1;
      for (const row of storage.sql.exec(
        'select * from t where id >= ? and id < ?',
        from,
        from + RANGE_ROWS,
      )) {
        check = mix(check, row.score * 2 + row.name.length);
      }
    }
    return check;
  },
  transactionSync({ storage }, n) {
    storage.sql.exec('delete from target');
    for (let i = 0; i < n; i++) {
      storage.transactionSync(() =>
        storage.sql.exec('insert into target values (?, ?, ?)', i, 'some name', i * 0.5),
      );
    }
    return storage.sql.exec('select count(*) * 7 + coalesce(sum(score), 0) as c from target').one().c;
  },
};

export const operations = { empty: () => 0, ...keyValue, ...sql };
