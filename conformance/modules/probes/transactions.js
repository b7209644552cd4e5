import { area } from '../registry.js';

const onBoth = { on: ['sql', 'kv'] };
const boom = () => {
  throw new RangeError('boom');
};

const operations = {
  get: (txn) => txn.get('k'),
  put: (txn) => txn.put('k', 1),
  delete: (txn) => txn.delete('k'),
  list: (txn) => txn.list(),
  getAlarm: (txn) => txn.getAlarm(),
  setAlarm: (txn) => txn.setAlarm(Date.now() + 1e7),
  deleteAlarm: (txn) => txn.deleteAlarm(),
  rollback: (txn) => txn.rollback(),
};

area('transactions', onBoth, {
  'what the transaction object shows': ({ storage }) =>
    storage.transaction(async (txn) => {
      const names = [];
      for (const name in txn) names.push(name);
      return [names.toSorted(), Reflect.ownKeys(txn), JSON.stringify(txn), String(txn), txn.constructor.name];
    }),
  'gives the value of its closure': ({ storage, how }) =>
    how(() => storage.transaction(async () => ({ a: 1 }))),
  'a closure may be synchronous': ({ storage, how }) => how(() => storage.transaction(() => 5)),
  'commits what txn wrote': async ({ storage }) => {
    await storage.transaction(async (txn) => {
      await txn.put('a', 1);
      await txn.put({ b: 2, c: 3 });
      await txn.delete('c');
    });
    return storage.list();
  },
  'reads its own writes': ({ storage }) =>
    storage.transaction(async (txn) => {
      await txn.put('a', 1);
      return [
        await txn.get('a'),
        await txn.list(),
        await txn.get(['a', 'b']),
        await txn.delete('a'),
        await txn.get('a'),
      ];
    }),
  'a throw rolls back and comes out': async ({ storage, how }) => {
    await storage.put('a', 'old');
    const end = await how(() =>
      storage.transaction(async (txn) => {
        await txn.put('a', 'new');
        await txn.put('b', 1);
        boom();
      }),
    );
    return [end, await storage.list()];
  },
  'a synchronous throw comes out': ({ storage, how }) => how(() => storage.transaction(boom)),
  'a thrown non-error comes out': ({ storage, message }) =>
    message(() => storage.transaction(async () => Promise.reject('text'))), // oxlint-disable-line prefer-promise-reject-errors
  'rollback undoes and the value still comes': async ({ storage, how }) => [
    await how(() =>
      storage.transaction(async (txn) => {
        await txn.put('a', 1);
        txn.rollback();
        return 'value';
      }),
    ),
    await storage.list(),
  ],
  'rollback twice': ({ storage, how }) =>
    how(() =>
      storage.transaction(async (txn) => {
        txn.rollback();
        txn.rollback();
        return 'fine';
      }),
    ),
  ...Object.fromEntries(
    Object.entries(operations).map(([name, run]) => [
      `${name} after rollback`,
      ({ storage, how }) =>
        storage.transaction(async (txn) => {
          txn.rollback();
          return how(() => run(txn));
        }),
    ]),
  ),
  ...Object.fromEntries(
    Object.entries(operations).map(([name, run]) => [
      `${name} after commit`,
      async ({ storage, how }) => {
        let kept;
        await storage.transaction(async (txn) => {
          kept = txn;
        });
        return how(() => run(kept));
      },
    ]),
  ),
  'get after a throwing closure': async ({ storage, how, message }) => {
    let kept;
    await message(() =>
      storage.transaction(async (txn) => {
        kept = txn;
        boom();
      }),
    );
    return how(() => kept.get('k'));
  },
  'txn.deleteAll': ({ storage, how }) => storage.transaction((txn) => how(() => txn.deleteAll())),
  'members of txn': ({ storage }) =>
    storage.transaction((txn) =>
      [
        'get',
        'put',
        'delete',
        'list',
        'rollback',
        'deleteAll',
        'getAlarm',
        'transaction',
        'sync',
        'sql',
        'kv',
      ].map((name) => typeof txn[name]),
    ),
  'constructor name of txn': ({ storage }) => storage.transaction((txn) => txn.constructor.name),
  'writes before it stay when it fails': async ({ storage, message }) => {
    void storage.put('before', 1);
    const text = await message(() => storage.transaction(boom));
    return [text, await storage.list()];
  },
  'no closure': ({ storage, how }) => how(() => storage.transaction()),
  'closure that is no function': ({ storage, how }) => how(() => storage.transaction({})),
  'txn.put of undefined': ({ storage, how }) =>
    storage.transaction((txn) => how(() => txn.put('k', undefined))),
  'txn.put of a function': ({ storage, how }) =>
    storage.transaction((txn) => how(() => txn.put('k', () => {}))),
  'txn.list with both starts': ({ storage, how }) =>
    storage.transaction((txn) => how(() => txn.list({ start: 'a', startAfter: 'b' }))),
  'txn.list merges its writes': async ({ storage }) => {
    await storage.put({ a: 1, b: 2, c: 3, d: 4 });
    return storage.transaction(async (txn) => {
      void txn.put('bb', 'new');
      void txn.delete('c');
      return [await txn.list({ start: 'b', reverse: true, limit: 3 }), await txn.list({ prefix: 'b' })];
    });
  },
  'an alarm set in it is rolled back': async ({ storage, message }) => {
    const text = await message(() =>
      storage.transaction(async (txn) => {
        await txn.setAlarm(Date.now() + 1e7);
        boom();
      }),
    );
    return [text, await storage.getAlarm()];
  },
  'an alarm deleted in it comes back': async ({ storage }) => {
    await storage.setAlarm(Date.now() + 1e7);
    await storage.transaction(async (txn) => {
      await txn.deleteAlarm();
      txn.rollback();
    });
    return (await storage.getAlarm()) !== null;
  },
  'two at once are one after the other': async ({ storage }) => {
    const order = [];
    const one = (label) =>
      storage.transaction(async (txn) => {
        order.push(`${label} starts`);
        const n = (await txn.get('n')) ?? 0;
        await txn.put('n', n + 1);
        order.push(`${label} ends`);
      });
    await Promise.all([one('a'), one('b'), one('c')]);
    return [order, await storage.get('n')];
  },
  'nested in the closure': async ({ storage, message }) => {
    let text;
    await storage.transaction(async (outer) => {
      await outer.put('outer', 1);
      text = await message(() =>
        storage.transaction(async (inner) => {
          await inner.put('inner', 1);
          boom();
        }),
      );
    });
    return [text, await storage.list()];
  },
});

area('transactions and the storage around them', onBoth, {
  'storage.put inside, then a throw': async ({ storage, message }) => {
    await message(() =>
      storage.transaction(async () => {
        await storage.put('inside', 1);
        boom();
      }),
    );
    return storage.list();
  },
  'storage.deleteAll inside': async ({ storage, how }) => {
    await storage.put('a', 1);
    return [await storage.transaction(() => how(() => storage.deleteAll())), await storage.list()];
  },
  'storage.get sees the uncommitted write of txn': async ({ storage }) =>
    storage.transaction(async (txn) => {
      await txn.put('a', 1);
      return (await storage.get('a')) ?? 'not visible';
    }),
});

area(
  'transactions with SQL',
  {},
  {
    'sql inside is rolled back': async ({ storage, sql, message }) => {
      sql.exec('create table x(a)');
      const text = await message(() =>
        storage.transaction(async () => {
          sql.exec('insert into x values (1)');
          boom();
        }),
      );
      return [text, sql.exec('select * from x').toArray()];
    },
    'kv inside is rolled back': async ({ storage, kv, message }) => {
      await message(() =>
        storage.transaction(async () => {
          kv.put('a', 1);
          boom();
        }),
      );
      return kv.get('a');
    },
    'rollback undoes sql': async ({ storage, sql }) => {
      sql.exec('create table x(a)');
      await storage.transaction(async (txn) => {
        sql.exec('insert into x values (1)');
        txn.rollback();
      });
      return sql.exec('select * from x').toArray();
    },
    'nested inner failure is isolated': async ({ storage, sql, message }) => {
      sql.exec('create table x(a)');
      await storage.transaction(async () => {
        sql.exec('insert into x values (1)');
        await message(() =>
          storage.transaction(async () => {
            sql.exec('insert into x values (2)');
            boom();
          }),
        );
        sql.exec('insert into x values (3)');
      });
      return sql.exec('select a from x').toArray();
    },
    'outer rollback while the inner runs': async ({ storage, message }) => {
      let text;
      await storage.transaction(async (outer) => {
        await storage.transaction(async () => {
          text = await message(() => outer.rollback());
        });
      });
      return text;
    },
  },
);

area(
  'transactionSync',
  {},
  {
    'gives the value': ({ storage, how }) => how(() => storage.transactionSync(() => [1])),
    'a throw rolls back and is the same value': ({ storage, kv }) => {
      const reason = { odd: true };
      try {
        storage.transactionSync(() => {
          kv.put('a', 1);
          throw reason;
        });
      } catch (error) {
        return [error === reason, kv.get('a') ?? 'gone'];
      }
      return 'no error';
    },
    'covers sql, kv, put and alarm': async ({ storage, sql, kv, message }) => {
      sql.exec('create table x(a)');
      const text = await message(() =>
        storage.transactionSync(() => {
          sql.exec('insert into x values (1)');
          kv.put('a', 1);
          void storage.put('b', 1);
          void storage.setAlarm(Date.now() + 1e7);
          boom();
        }),
      );
      return [text, sql.exec('select * from x').toArray(), await storage.list(), await storage.getAlarm()];
    },
    nests: ({ storage, sql }) => {
      sql.exec('create table x(a)');
      storage.transactionSync(() => {
        sql.exec('insert into x values (1)');
        try {
          storage.transactionSync(() => {
            sql.exec('insert into x values (2)');
            boom();
          });
        } catch {
          sql.exec('insert into x values (3)');
        }
      });
      return sql.exec('select a from x').toArray();
    },
    'a caught SQL error keeps earlier statements': ({ storage, sql }) => {
      sql.exec('create table x(a unique)');
      storage.transactionSync(() => {
        sql.exec('insert into x values (1)');
        try {
          sql.exec('insert into x values (1)');
        } catch {
          sql.exec('insert into x values (2)');
        }
      });
      return sql.exec('select a from x').toArray();
    },
    'no closure': ({ storage, how }) => how(() => storage.transactionSync()),
    'schema changes roll back': ({ storage, sql, how }) => {
      try {
        storage.transactionSync(() => {
          sql.exec('create table made(a)');
          boom();
        });
      } catch {
        return how(() => sql.exec('select * from made'));
      }
      return 'no error';
    },
    'inside an async transaction': async ({ storage, kv, message }) => {
      await message(() =>
        storage.transaction(async () => {
          storage.transactionSync(() => kv.put('inner', 1));
          boom();
        }),
      );
      return kv.get('inner') ?? 'gone';
    },
    'the closure gets no arguments': ({ storage }) => storage.transactionSync((...args) => args.length),
  },
);

area(
  'transactionSync, odd uses',
  {},
  {
    'an async closure': async ({ storage, kv, how }) => [
      await how(() =>
        storage.transactionSync(async () => {
          kv.put('a', 1);
        }),
      ),
      kv.get('a') ?? 'gone',
    ],
    'deleteAll inside': ({ storage, how }) => storage.transactionSync(() => how(() => storage.deleteAll())),
  },
);

area(
  'transactionSync without SQL',
  { on: ['kv'] },
  {
    'is refused': ({ storage, how }) => how(() => storage.transactionSync(() => 1)),
  },
);
