import { area } from '../registry.js';

const inWorker = (body) => ({ run: body });
/** The name alone: the texts of Node name no type. */
function cloneRefusal(thing) {
  try {
    return structuredClone(thing);
  } catch (error) {
    return error.name;
  }
}

const HEX = /^[0-9a-f]{64}$/;

area(
  'ids',
  {},
  {
    'idFromName is stable': inWorker(({ env }) => [
      HEX.test(env.SQL.idFromName('x').toString()),
      env.SQL.idFromName('x').toString() === env.SQL.idFromName('x').toString(),
      env.SQL.idFromName('x').toString() === env.SQL.idFromName('y').toString(),
      env.SQL.idFromName('x').toString() === env.KV.idFromName('x').toString(),
    ]),
    'idFromName is the original\u2019s': inWorker(({ env }) =>
      ['', 'x', 'caf\u00e9'].map((name) => env.SQL.idFromName(name).toString()),
    ),
    'idFromName of a number': inWorker(({ env }) => env.SQL.idFromName(5).equals(env.SQL.idFromName('5'))),
    'idFromName without a name': inWorker(({ env, how }) => how(() => env.SQL.idFromName().name)),
    'idFromName of a symbol': inWorker(({ env, how }) => how(() => env.SQL.idFromName(Symbol('s')))),
    'name of an id': inWorker(({ env }) => {
      const named = env.SQL.idFromName('x');
      return [named.name, env.SQL.newUniqueId().name, env.SQL.idFromString(named.toString()).name];
    }),
    equals: inWorker(({ env }) => {
      const id = env.SQL.idFromName('x');
      return [
        id.equals(env.SQL.idFromString(id.toString())),
        id.equals(env.SQL.newUniqueId()),
        id.equals(env.KV.idFromName('x')),
      ];
    }),
    'equals of something else': inWorker(({ env, how }) => how(() => env.SQL.idFromName('x').equals('x'))),
    'newUniqueId differs': inWorker(({ env }) => {
      const [a, b] = [env.SQL.newUniqueId(), env.SQL.newUniqueId()];
      return [HEX.test(a.toString()), a.equals(b), env.SQL.idFromString(a.toString()).equals(a)];
    }),
    'newUniqueId with a jurisdiction': inWorker(({ env, how }) =>
      how(() => env.SQL.newUniqueId({ jurisdiction: 'eu' })),
    ),
    ...Object.fromEntries(
      Object.entries({
        null: null,
        undefined: undefined,
        'an empty object': {},
        'jurisdiction null': { jurisdiction: null },
        'jurisdiction undefined': { jurisdiction: undefined },
        'jurisdiction empty': { jurisdiction: '' },
        'an unknown jurisdiction': { jurisdiction: 'mars' },
        text: 'eu',
        number: 5,
      }).map(([name, options]) => [
        `newUniqueId of ${name}`,
        inWorker(({ env, how }) => how(() => HEX.test(env.SQL.newUniqueId(options).toString()))),
      ]),
    ),
    ...Object.fromEntries(
      Object.entries({
        null: null,
        undefined: undefined,
        'an empty object': {},
        'location hint null': { locationHint: null },
        'location hint undefined': { locationHint: undefined },
        'routing mode null': { routingMode: null },
        'routing mode undefined': { routingMode: undefined },
        'routing mode primary-only': { routingMode: 'primary-only' },
        'version null': { version: null },
        text: 'x',
        number: 5,
      }).flatMap(([name, options]) => [
        [
          `get with ${name}`,
          inWorker(({ env, how }) => how(() => env.SQL.get(env.SQL.idFromName('x'), options).name)),
        ],
        [
          `getByName with ${name}`,
          inWorker(({ env, how }) => how(() => env.SQL.getByName('x', options).name)),
        ],
      ]),
    ),
    'jurisdiction null': inWorker(({ env, how }) =>
      how(() => env.SQL.jurisdiction(null).idFromName('x').equals(env.SQL.idFromName('x'))),
    ),
    'jurisdiction empty': inWorker(({ env, how }) => how(() => env.SQL.jurisdiction('').constructor.name)),
    'jurisdiction without an argument': inWorker(({ env, how }) =>
      how(() => env.SQL.jurisdiction().constructor.name),
    ),
    'an unknown jurisdiction': inWorker(({ env, how }) => how(() => env.SQL.jurisdiction('mars'))),
    'jurisdiction of an id': inWorker(({ env }) => [
      env.SQL.idFromName('x').jurisdiction,
      'jurisdiction' in env.SQL.newUniqueId(),
    ]),
    jurisdiction: inWorker(({ env, how }) => how(() => env.SQL.jurisdiction('eu'))),
    'jurisdiction undefined': inWorker(({ env }) =>
      env.SQL.jurisdiction(undefined).idFromName('x').equals(env.SQL.idFromName('x')),
    ),
    'idFromString in capitals': inWorker(({ env }) => {
      const id = env.SQL.idFromName('x');
      const parsed = env.SQL.idFromString(id.toString().toUpperCase());
      return [parsed.equals(id), parsed.toString() === id.toString()];
    }),
    'idFromString too short': inWorker(({ env, how }) => how(() => env.SQL.idFromString('abc'))),
    'idFromString no hex': inWorker(({ env, how }) => how(() => env.SQL.idFromString('z'.repeat(64)))),
    'idFromString of another namespace': inWorker(({ env, how }) =>
      how(() => env.SQL.idFromString(env.KV.idFromName('x').toString())),
    ),
    'idFromString with a wrong check': inWorker(({ env, how }) =>
      how(() => env.SQL.idFromString('0'.repeat(64))),
    ),
    'get of text': inWorker(({ env, how }) => how(() => env.SQL.get('x'))),
    'get without arguments': inWorker(({ env, how }) => how(() => env.SQL.get())),
    'getByName without a name': inWorker(({ env, how }) => how(() => env.SQL.getByName().name)),
    'get with a location hint': inWorker(
      ({ env }) => env.SQL.get(env.SQL.idFromName('x'), { locationHint: 'nowhere' }).name,
    ),
    'get with a bad routing mode': inWorker(({ env, how }) =>
      how(() => env.SQL.get(env.SQL.idFromName('x'), { routingMode: 'x' })),
    ),
    'id and name of a stub': inWorker(({ env }) => {
      const [byName, byId] = [env.SQL.getByName('x'), env.SQL.get(env.SQL.newUniqueId())];
      return [byName.name, byName.id.equals(env.SQL.idFromName('x')), byId.name];
    }),
    ...Object.fromEntries(
      Object.entries({
        'a named stub': ({ env }) => env.SQL.getByName('x'),
        'a stub by id': ({ env }) => env.SQL.get(env.SQL.newUniqueId()),
        'a namespace': ({ env }) => env.SQL,
        'a named id': ({ env }) => env.SQL.idFromName('x'),
        'a unique id': ({ env }) => env.SQL.newUniqueId(),
      }).flatMap(([name, make]) => [
        [`keys of ${name}`, inWorker((world) => Object.keys(make(world)))],
        [`own names of ${name}`, inWorker((world) => Object.getOwnPropertyNames(make(world)))],
        [
          `names that a loop over ${name} finds`,
          inWorker((world) => {
            const found = [];
            for (const key in make(world)) found.push(key);
            return found.toSorted();
          }),
        ],
        [
          `has and owns of ${name}`,
          inWorker((world) => {
            const thing = make(world);
            return ['id', 'name', 'fetch', 'idFromName', 'toString', 'nothing', 'then'].map((key) => [
              key,
              key in thing,
              Object.hasOwn(thing, key),
            ]);
          }),
        ],
        [
          `setting a name on ${name}`,
          inWorker((world) => {
            const thing = make(world);
            try {
              thing.name = 'other';
              return [thing.name, Object.keys(thing)];
            } catch (error) {
              return [thing.name, error.constructor.name];
            } finally {
              // The namespace is the same one for every probe, and those that run beside this one look at its names.
              Reflect.deleteProperty(thing, 'name');
            }
          }),
        ],
        [`tag of ${name}`, inWorker((world) => Object.prototype.toString.call(make(world)))],
        [`JSON of ${name}`, inWorker((world) => world.how(() => JSON.stringify(make(world))))],
        [`structured clone of ${name}`, inWorker((world) => cloneRefusal(make(world)))],
        [`structured clone of ${name} in an object`, inWorker((world) => cloneRefusal({ a: make(world) }))],
        [`toJSON of ${name}`, inWorker((world) => typeof make(world).toJSON)],
      ]),
    ),
    'keys of a stub, spread': inWorker(({ env }) => Object.keys({ ...env.SQL.getByName('x') })),
    'names of the classes': inWorker(({ env }) => [
      env.SQL.constructor.name,
      env.SQL.idFromName('x').constructor.name,
      env.SQL.getByName('x').constructor.name,
    ]),
    'String and JSON of an id': inWorker(({ env }) => {
      const id = env.SQL.idFromName('x');
      return [`${id}` === id.toString(), JSON.stringify(id)];
    }),
    'a unique id reaches its object again': {
      async run({ env }) {
        const id = env.CALLEE.newUniqueId();
        await env.CALLEE.get(id).record('first');
        const again = env.CALLEE.get(env.CALLEE.idFromString(id.toString()));
        const { name } = await again.identity();
        return [await again.recorded(), name ?? 'no name'];
      },
    },
    'a name of 1024 bytes is known inside': {
      run: async ({ env }) =>
        (await env.CALLEE.getByName('n'.repeat(1024)).identity()).name?.length ?? 'no name',
    },
    'a name of 1025 bytes is not': {
      run: async ({ env }) =>
        (await env.CALLEE.getByName('n'.repeat(1025)).identity()).name?.length ?? 'no name',
    },
  },
);

area(
  'state and env',
  { on: ['sql', 'kv'] },
  {
    'names of the classes': ({ ctx, storage, sql }) =>
      [ctx, storage, sql, storage.kv].map((thing) => thing.constructor.name),
    'storage is the same each time': ({ ctx }) => [
      ctx.storage === ctx.storage,
      ctx.storage.sql === ctx.storage.sql,
    ],
    tags: ({ ctx, storage, sql }) =>
      [ctx, storage, sql, storage.kv].map((thing) => Object.prototype.toString.call(thing)),
    'structured clones': ({ ctx, storage, sql }) =>
      [ctx, storage, sql, storage.kv].map((thing) => cloneRefusal(thing)),
    'tag of a transaction': ({ storage }) =>
      storage.transaction((txn) => Object.prototype.toString.call(txn)),
    'members of ctx': ({ ctx }) =>
      ['waitUntil', 'blockConcurrencyWhile', 'abort', 'id', 'storage', 'props', 'exports'].map(
        (name) => typeof ctx[name],
      ),
    'members of storage': ({ storage }) =>
      [
        'get',
        'put',
        'delete',
        'deleteAll',
        'list',
        'transaction',
        'transactionSync',
        'getAlarm',
        'setAlarm',
        'deleteAlarm',
        'sync',
        'getCurrentBookmark',
        'getBookmarkForTime',
        'onNextSessionRestoreBookmark',
      ].map((name) => typeof storage[name]),
    'env has the variables': ({ env }) => [env.GREETING, env.SETTINGS, env.NOTHING],
    'env has the namespaces': ({ env }) => [typeof env.SQL.idFromName, typeof env.KV.getByName],
    'storage methods need their storage': ({ storage, how }) => how(() => storage.get.call({}, 'k')),
  },
);
