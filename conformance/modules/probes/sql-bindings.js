import { area } from '../registry.js';

const shown = 'select typeof(?1) as type, ?1 as value, quote(?1) as quoted';

const bindings = {
  integer: 1,
  'minus zero': -0,
  fraction: 1.5,
  NaN: NaN,
  Infinity: Infinity,
  'beyond 2^53': 2 ** 60,
  string: "it's",
  'empty string': '',
  'string with NUL': 'a\0b',
  'lone surrogate': 'a\ud800',
  null: null,
  undefined: undefined,
  true: true,
  false: false,
  bigint: 5n,
  symbol: Symbol('s'),
  ArrayBuffer: new Uint8Array([1, 2]).buffer,
  'empty ArrayBuffer': new ArrayBuffer(0),
  'view of a part': new Uint8Array([1, 2, 3, 4]).subarray(1, 3),
  DataView: new DataView(new ArrayBuffer(3), 1),
  Float32Array: new Float32Array([1.5]),
  object: {},
  array: [1, 2],
  'empty array': [],
  'Number object': new Number(5),
  'String object': new String('s'),
  Map: new Map(),
  RegExp: /x/g,
  'object with toString': { toString: () => 'custom' },
  'object that cannot be text': Object.create(null),
};

area(
  'sql bindings',
  {},
  {
    ...Object.fromEntries(
      Object.entries(bindings).map(([name, value]) => [
        `type of ${name}`,
        ({ sql, how }) => how(() => sql.exec(shown, value).one()),
      ]),
    ),
    function: ({ sql, how }) => how(() => sql.exec('select typeof(?) as t', () => 1).one()),
    'Date becomes text': ({ sql }) =>
      sql.exec('select ? as d', new Date(0)).one().d.startsWith('Thu Jan 01 1970'),
    'column affinity': ({ sql }) => {
      sql.exec('create table x(i integer, t text, r real, n numeric, b blob, none)');
      sql.exec('insert into x values (?1, ?1, ?1, ?1, ?1, ?1)', 1);
      return sql
        .exec(
          'select typeof(i) i, typeof(t) t, t as tv, typeof(r) r, typeof(n) n, typeof(b) b, typeof(none) x from x',
        )
        .one();
    },
    'too few': ({ sql, how }) => how(() => sql.exec('select ?, ?', 1)),
    'too many': ({ sql, how }) => how(() => sql.exec('select ?', 1, 2)),
    'none wanted': ({ sql, how }) => how(() => sql.exec('select 1', 1)),
    'named parameters by position': ({ sql, how }) =>
      how(() => sql.exec('select :a as a, @b as b, $c as c, :a as again', 1, 2, 3).one()),
    'numbered parameters': ({ sql, how }) =>
      how(() => sql.exec('select ?2 as two, ?1 as one', 'a', 'b').one()),
    'numbered parameter with a gap': ({ sql, how }) =>
      how(() => sql.exec('select ?3 as three', 1, 2, 3).one()),
    'object as named parameters': ({ sql, how }) => how(() => sql.exec('select :a as a', { a: 1 }).one()),
    'only the last statement has them': ({ sql, how }) =>
      how(() => sql.exec('select 1; select ? as x', 5).toArray()),
    'an earlier statement has them': ({ sql, how }) => how(() => sql.exec('select ?; select 2', 5)),
    'an earlier statement has them, none given': ({ sql, how }) => how(() => sql.exec('select ?; select 2')),
    'wrong count after earlier statements ran': async ({ sql, how }) => [
      await how(() => sql.exec('create table made(a); insert into made values (?)')),
      sql.exec('select count(*) as n from made').one(),
    ],
    'a blob comes back as a new ArrayBuffer': ({ sql }) => {
      const bytes = new Uint8Array([7, 8]);
      const back = sql.exec('select ? as b', bytes).one().b;
      bytes[0] = 0;
      return [back, back instanceof ArrayBuffer];
    },
    'a row is a plain object': ({ sql }) => {
      const row = sql.exec('select 1 as a').one();
      return [Object.getPrototypeOf(row) === Object.prototype, Object.isFrozen(row), Object.keys(row)];
    },
    'bindings are evaluated in order': async ({ sql, how }) => {
      const seen = [];
      const witness = (label) => ({ toString: () => (seen.push(label), label) });
      return [await how(() => sql.exec('select ? as a, ? as b', witness('x'), witness('y')).one()), seen];
    },
    'a throwing toString': ({ sql, how }) =>
      how(() =>
        sql.exec('select ?', {
          toString() {
            throw new RangeError('no text');
          },
        }),
      ),
  },
);
