/**
 * Table rebuilds as migration tools write them, made from a list of numbers: schemas whose tables refer to each other, rows,
 * and the statements that replace one or all of the tables by a copy. The same numbers give the same rebuild, and
 * smaller numbers a simpler one.
 */

const actions = ['CASCADE', 'SET NULL', 'RESTRICT', 'NO ACTION', 'SET DEFAULT'];
const keys = [
  { type: 'INTEGER PRIMARY KEY', end: '', value: (n) => `${n}` },
  { type: 'TEXT PRIMARY KEY', end: '', value: (n) => `'k${n}'` },
  { type: 'TEXT PRIMARY KEY', end: ' WITHOUT ROWID', value: (n) => `'k${n}'` },
];

const pragma = (sql) => ({ sql: `PRAGMA ${sql}`, writes: false });
const write = (sql) => ({ sql, writes: true });

const strategies = {
  'foreign keys off': (copies) => [
    pragma('foreign_keys = OFF'),
    ...copies,
    pragma('foreign_key_check'),
    pragma('foreign_keys = ON'),
  ],
  'foreign keys deferred': (copies) => [
    pragma('defer_foreign_keys = ON'),
    ...copies,
    pragma('defer_foreign_keys = OFF'),
  ],
  'foreign keys deferred to the end': (copies) => [pragma('defer_foreign_keys = ON'), ...copies],
  'both pragmas': (copies) => [
    pragma('defer_foreign_keys = ON'),
    pragma('foreign_keys = OFF'),
    ...copies,
    pragma('foreign_keys = ON'),
    pragma('defer_foreign_keys = OFF'),
  ],
  'a write before the pragma': (copies) => [
    write('INSERT INTO log VALUES (1)'),
    pragma('foreign_keys = OFF'),
    ...copies,
    pragma('foreign_key_check'),
    pragma('foreign_keys = ON'),
  ],
  'the old way to rename': (copies) => [
    pragma('foreign_keys = OFF'),
    pragma('legacy_alter_table = ON'),
    ...copies,
    pragma('legacy_alter_table = OFF'),
    pragma('foreign_keys = ON'),
  ],
  'no pragma': (copies) => copies,
};

/** A rebuild: statements that make the tables, the steps that replace them, and what shows the end. */
export function makeRebuild(numbers) {
  let at = 0;
  const pick = (count) => (numbers[at++] ?? 0) % count;
  const strategy = Object.keys(strategies)[pick(Object.keys(strategies).length)];
  const tables = Array.from({ length: 2 + pick(3) }, (_, index) => makeTable(index, pick));
  const chosen = pick(tables.length + 1);
  const rebuilt = chosen === tables.length ? tables : [tables[chosen]];
  const oldFirst = pick(3) === 1;
  return {
    strategy,
    setup: [
      'CREATE TABLE log (a)',
      ...tables.map((table) => createTable(table, table.name)),
      ...tables.flatMap((table) => insertRows(table, tables, pick)),
    ],
    steps: strategies[strategy](rebuilt.flatMap((table) => copyTable(table, oldFirst))),
    check: [
      ...tables.map(({ name }) => `SELECT * FROM ${name} ORDER BY id`),
      'SELECT count(*) FROM log',
      'PRAGMA foreign_keys',
      'PRAGMA defer_foreign_keys',
      'PRAGMA foreign_key_check',
      "SELECT name, sql FROM sqlite_master WHERE name GLOB 't*' ORDER BY name",
    ],
  };
}

function makeTable(index, pick) {
  const references = index === 0 ? 0 : 1 + pick(2);
  return {
    name: `t${index}`,
    key: keys[pick(keys.length)],
    rows: 1 + pick(8),
    references: Array.from({ length: references }, () => ({
      // A table refers to one before it, or to itself.
      table: pick(index + 1),
      onDelete: actions[pick(actions.length)],
      onUpdate: actions[pick(actions.length)],
      deferred: pick(4) === 1,
    })),
  };
}

function createTable({ key, references }, name, more = '') {
  const columns = [
    `id ${key.type}`,
    'v',
    ...references.map(
      ({ table, onDelete, onUpdate, deferred }, index) =>
        `r${index} REFERENCES t${table}(id) ON DELETE ${onDelete} ON UPDATE ${onUpdate}` +
        (deferred ? ' DEFERRABLE INITIALLY DEFERRED' : ''),
    ),
  ];
  return `CREATE TABLE ${name} (${columns.join(', ')}${more})${key.end}`;
}

function insertRows({ name, key, rows, references }, tables, pick) {
  return Array.from({ length: rows }, (_, row) => {
    const referred = references.map(({ table }) => {
      // In its own table a row finds those before it.
      const found = pick((tables[table].name === name ? row : tables[table].rows) + 1);
      return found === 0 ? 'NULL' : tables[table].key.value(found);
    });
    return `INSERT INTO ${name} VALUES (${[key.value(row + 1), `'v${row}'`, ...referred].join(', ')})`;
  });
}

function copyTable(table, oldFirst) {
  const { name, references } = table;
  const columns = ['id', 'v', ...references.map((_, index) => `r${index}`)].join(', ');
  const more = ', extra INTEGER DEFAULT 7';
  if (oldFirst) {
    return [
      write(`ALTER TABLE ${name} RENAME TO old_${name}`),
      write(createTable(table, name, more)),
      write(`INSERT INTO ${name} (${columns}) SELECT ${columns} FROM old_${name}`),
      write(`DROP TABLE old_${name}`),
    ];
  }
  return [
    write(createTable(table, `new_${name}`, more)),
    write(`INSERT INTO new_${name} (${columns}) SELECT ${columns} FROM ${name}`),
    write(`DROP TABLE ${name}`),
    write(`ALTER TABLE new_${name} RENAME TO ${name}`),
  ];
}
