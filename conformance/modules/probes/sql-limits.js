import { area } from '../registry.js';

const repeat = (text, count, joiner) =>
  Array.from({ length: count }, (_, i) => text.replaceAll('#', String(i))).join(joiner);

const statements = {
  '100 columns': `create table c100(${repeat('a#', 100, ',')})`,
  '101 columns': `create table c101(${repeat('a#', 101, ',')})`,
  'result of 101 columns': `select ${repeat('1', 101, ',')}`,
  'five compound terms': `select count(*) as n from (${repeat('select #', 5, ' union all ')})`,
  'six compound terms': `select count(*) as n from (${repeat('select #', 6, ' union all ')})`,
  'many values rows': `select count(*) as n from (values ${repeat('(#)', 500, ',')})`,
  'like pattern of 50 bytes': `select 'a' like '${'a'.repeat(50)}' as r`,
  'like pattern of 51 bytes': `select 'a' like '${'a'.repeat(51)}' as r`,
  'glob pattern too long': `select 'a' glob '${'a'.repeat(51)}' as r`,
  'expression depth 99': `select ${repeat('1', 99, '+')} as n`,
  'expression depth 101': `select ${repeat('1', 101, '+')} as n`,
  'function of 127 arguments': `select max(${repeat('#', 127, ',')}) as n`,
  'function of 128 arguments': `select max(${repeat('#', 128, ',')}) as n`,
  'statement of 99,999 bytes': `select 1 /*${'x'.repeat(99_999 - 13)}*/`,
  'statement of 100,001 bytes': `select 1 /*${'x'.repeat(100_001 - 13)}*/`,
  'string of 2,000,000 bytes': "select length(printf('%.*c', 2000000, 'x')) as n",
  'string of 9,000,000 bytes': "select length(printf('%.*c', 9000000, 'x')) as n",
  'blob of 2,000,000 bytes': 'select length(zeroblob(2000000)) as n',
  'blob of 9,000,000 bytes': 'create table z(a); insert into z values (zeroblob(9000000))',
  'join of 20 tables': `select count(*) as n from ${repeat('(select 1) t#', 20, ',')}`,
  'join of 65 tables': `select count(*) as n from ${repeat('(select 1) t#', 65, ',')}`,
  'parameter number 101': 'select ?101',
  'trigger recursion': `pragma recursive_triggers = on; create table r(n); create trigger rt after insert on r when new.n < 20
    begin insert into r values (new.n + 1); end; insert into r values (1)`,
};

area(
  'sql limits',
  {},
  {
    ...Object.fromEntries(
      Object.entries(statements).map(([name, text]) => [
        name,
        ({ sql, how }) => how(() => sql.exec(text).toArray()),
      ]),
    ),
    '100 parameters': ({ sql, how }) =>
      how(
        () =>
          sql.exec(`select ${repeat('?', 100, '+')} as n`.replace(/\+/g, ','), ...Array(100).fill(1))
            .columnNames.length,
      ),
    '101 parameters': ({ sql, how }) =>
      how(() => sql.exec(`select ${repeat('?', 101, ',')}`, ...Array(101).fill(1))),
    'bound text of 3,000,000 bytes': ({ sql, how }) =>
      how(() => sql.exec('select length(?) as n', 'x'.repeat(3_000_000)).one()),
    'bound blob of 9,000,000 bytes': ({ sql, how }) =>
      how(() => sql.exec('select length(?) as n', new ArrayBuffer(9_000_000)).one()),
    'key-value value of 3,000,000 bytes': async ({ storage, how }) =>
      how(() => storage.put('k', 'x'.repeat(3_000_000))),
  },
);
