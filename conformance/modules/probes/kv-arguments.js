import { area } from '../registry.js';

const onBoth = { on: ['sql', 'kv'] };

area('kv put', onBoth, {
  'undefined value': ({ storage, how }) => how(() => storage.put('k', undefined)),
  'missing value': ({ storage, how }) => how(() => storage.put('k')),
  'no arguments': ({ storage, how }) => how(() => storage.put()),
  'resolves with undefined': ({ storage, how }) => how(() => storage.put('k', 1)),
  'entries drop undefined fields': async ({ storage }) => {
    await storage.put({ a: 1, b: undefined, c: null });
    return storage.list();
  },
  'empty entries': ({ storage, how }) => how(() => storage.put({})),
  'entries with null options': ({ storage, how }) => how(() => storage.put({ a: 1 }, null)),
  'entries with a string second': ({ storage, how }) => how(() => storage.put({ a: 1 }, 'x')),
  'entries with a number second': ({ storage, how }) => how(() => storage.put({ a: 1 }, 5)),
  'entries with three arguments': ({ storage, how }) => how(() => storage.put({ a: 1 }, {}, {})),
  'array as first argument': ({ storage, how }) => how(() => storage.put(['a', 'b'])),
  'array as first argument with a value': async ({ storage, how }) => [
    await how(() => storage.put(['a', 'b'], 1)),
    await storage.list(),
  ],
  'number key': async ({ storage, how }) => [await how(() => storage.put(5, 'v')), await storage.list()],
  'null key': async ({ storage, how }) => [await how(() => storage.put(null, 'v')), await storage.list()],
  'boolean key': async ({ storage, how }) => [await how(() => storage.put(true, 'v')), await storage.list()],
  'symbol key': ({ storage, how }) => how(() => storage.put(Symbol('s'), 'v')),
  'Map as entries': async ({ storage, how }) => [
    await how(() => storage.put(new Map([['a', 1]]))),
    await storage.list(),
  ],
  'class instance as entries': async ({ storage, how }) => [
    await how(() =>
      storage.put(
        new (class {
          own = 1;
        })(),
      ),
    ),
    await storage.list(),
  ],
  'inherited entries': async ({ storage, how }) => [
    await how(() => storage.put(Object.create({ inherited: 1 }, { own: { value: 2, enumerable: true } }))),
    await storage.list(),
  ],
  'string options': ({ storage, how }) => how(() => storage.put('k', 1, 'x')),
  'null options': ({ storage, how }) => how(() => storage.put('k', 1, null)),
  'all options': async ({ storage, how }) => [
    await how(() => storage.put('k', 1, { allowConcurrency: true, allowUnconfirmed: true, noCache: true })),
    await storage.get('k'),
  ],
  'options of odd types': async ({ storage, how }) => [
    await how(() => storage.put('k', 1, { allowUnconfirmed: 'yes', noCache: 0, unknown: 1 })),
    await storage.get('k'),
  ],
  'a refused member stores nothing': async ({ storage, how }) => [
    await how(() => storage.put({ a: 1, b: () => {}, c: 3 })),
    await storage.list(),
  ],
  'the later put wins': async ({ storage }) => {
    await Promise.all([storage.put('k', 1), storage.put('k', 2), storage.put('k', 3)]);
    return storage.get('k');
  },
  'an object with toString as key': async ({ storage, how }) => [
    await how(() => storage.put({ toString: () => 'named' }, 1)),
    await storage.list(),
  ],
});

area('kv get', onBoth, {
  'absent key': ({ storage, how }) => how(() => storage.get('nope')),
  'no arguments': ({ storage, how }) => how(() => storage.get()),
  'undefined key': async ({ storage, how }) => {
    await storage.put('undefined', 'u');
    return how(() => storage.get(undefined));
  },
  'object key': async ({ storage, how }) => {
    await storage.put('[object Object]', 'o');
    return how(() => storage.get({}));
  },
  'Set of keys': ({ storage, how }) => how(() => storage.get(new Set(['a']))),
  'symbol key': ({ storage, how }) => how(() => storage.get(Symbol('s'))),
  'empty key': async ({ storage, how }) => {
    await storage.put('', 'empty');
    return [await how(() => storage.get('')), await storage.list()];
  },
  'many keys': async ({ storage }) => {
    await storage.put({ b: 2, a: 1, c: 3 });
    return storage.get(['c', 'missing', 'a', 'c', 'b']);
  },
  'many keys in UTF-8 order': async ({ storage }) => {
    const keys = ['z\uffff', 'z\u{10000}', 'z', 'A', 'a', '\u00e9', ''];
    await storage.put(Object.fromEntries(keys.map((key, i) => [key, i])));
    return storage.get(keys);
  },
  'no keys': ({ storage, how }) => how(() => storage.get([])),
  'keys of other types': async ({ storage }) => {
    await storage.put({ 1: 'one', null: 'nil', a: 'letter' });
    return storage.get([1, null, ['a']]);
  },
  'keys with a symbol': ({ storage, how }) => how(() => storage.get(['a', Symbol('s')])),
  'string options': ({ storage, how }) => how(() => storage.get('k', 'x')),
  'number options': ({ storage, how }) => how(() => storage.get('k', 1)),
  'null options': ({ storage, how }) => how(() => storage.get('k', null)),
  'array options': ({ storage, how }) => how(() => storage.get('k', [])),
  'function options': ({ storage, how }) => how(() => storage.get('k', () => {})),
  'option getter that throws': ({ storage, how }) =>
    how(() =>
      storage.get('k', {
        get noCache() {
          throw new SyntaxError('getter');
        },
      }),
    ),
  'noCache after a write': async ({ storage }) => {
    await storage.put('k', 1, { noCache: true });
    return [await storage.get('k', { noCache: true }), await storage.get('k', { allowConcurrency: true })];
  },
  'key with NUL': async ({ storage }) => {
    await storage.put({ 'a\0b': 1, a: 2 });
    return [await storage.get('a\0b'), await storage.list({ prefix: 'a' })];
  },
  'lone surrogate key': async ({ storage }) => {
    await storage.put('s\ud800', 1);
    return [await storage.get('s\ud800'), await storage.list()];
  },
});

area('kv delete', onBoth, {
  'existing key': async ({ storage, how }) => {
    await storage.put('k', 1);
    return [
      await how(() => storage.delete('k')),
      await how(() => storage.delete('k')),
      await storage.get('k'),
    ];
  },
  'absent key': ({ storage, how }) => how(() => storage.delete('nope')),
  'many keys': async ({ storage, how }) => {
    await storage.put({ a: 1, b: 2, c: 3 });
    return [await how(() => storage.delete(['a', 'x', 'c', 'a'])), await storage.list()];
  },
  'no keys': ({ storage, how }) => how(() => storage.delete([])),
  'no arguments': ({ storage, how }) => how(() => storage.delete()),
  'number key': async ({ storage, how }) => {
    await storage.put('7', 1);
    return how(() => storage.delete(7));
  },
  'key of a put in the same turn': ({ storage }) =>
    Promise.all([storage.put('k', 1), storage.delete('k'), storage.get('k')]),
  'null options': ({ storage, how }) => how(() => storage.delete('k', null)),
  'all options': ({ storage, how }) =>
    how(() => storage.delete('k', { allowConcurrency: true, allowUnconfirmed: true, noCache: true })),
});

area('kv delete arguments', onBoth, {
  'symbol key': ({ storage, how }) => how(() => storage.delete(Symbol('s'))),
  'string options': ({ storage, how }) => how(() => storage.delete('k', 'x')),
});

area('kv deleteAll', onBoth, {
  'removes every key': async ({ storage, how }) => {
    await storage.put({ a: 1, b: 2 });
    return [await how(() => storage.deleteAll()), await storage.list(), await storage.get('a')];
  },
  'on an empty object': ({ storage, how }) => how(() => storage.deleteAll()),
  'then put': async ({ storage }) => {
    await storage.put('a', 1);
    await storage.deleteAll();
    await storage.put('b', 2);
    return storage.list();
  },
  'puts around it in one turn': async ({ storage }) => {
    const all = [storage.put('a', 1), storage.deleteAll(), storage.put('b', 2)];
    await Promise.all(all);
    return storage.list();
  },
  'string options': ({ storage, how }) => how(() => storage.deleteAll('x')),
  'null options': ({ storage, how }) => how(() => storage.deleteAll(null)),
  'all options': ({ storage, how }) =>
    how(() => storage.deleteAll({ allowConcurrency: true, allowUnconfirmed: true, noCache: true })),
  'keeps the alarm': async ({ storage }) => {
    await storage.setAlarm(Date.now() + 3_600_000);
    await storage.put('a', 1);
    await storage.deleteAll();
    return [(await storage.getAlarm()) !== null, await storage.list()];
  },
});

area('kv sync', onBoth, {
  'with nothing pending': ({ storage, how }) => how(() => storage.sync()),
  'after a write': async ({ storage, how }) => {
    void storage.put('k', 1, { allowUnconfirmed: true });
    return [await how(() => storage.sync()), await storage.get('k')];
  },
});

const nothing = { allowConcurrency: null, allowUnconfirmed: null, noCache: null };

area('kv options that are null', onBoth, {
  get: ({ storage, how }) => how(() => storage.get('k', nothing)),
  put: ({ storage, how }) => how(() => storage.put('k', 1, nothing)),
  'put of entries': ({ storage, how }) => how(() => storage.put({ k: 1 }, nothing)),
  delete: ({ storage, how }) => how(() => storage.delete('k', nothing)),
  deleteAll: ({ storage, how }) => how(() => storage.deleteAll(nothing)),
  'getAlarm, null': ({ storage, how }) => how(() => storage.getAlarm(null)),
  getAlarm: ({ storage, how }) => how(() => storage.getAlarm(nothing)),
  'setAlarm, null': ({ storage, how }) => how(() => storage.setAlarm(Date.now() + 3_600_000, null)),
  setAlarm: ({ storage, how }) => how(() => storage.setAlarm(Date.now() + 3_600_000, nothing)),
  'deleteAlarm, null': ({ storage, how }) => how(() => storage.deleteAlarm(null)),
  deleteAlarm: ({ storage, how }) => how(() => storage.deleteAlarm(nothing)),
  'transaction of null': ({ storage, how }) => how(() => storage.transaction(null)),
  'waitUntil of null': ({ ctx, how }) => how(() => ctx.waitUntil(null)),
});
