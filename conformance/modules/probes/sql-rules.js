import { area } from '../registry.js';
import { build } from './sql-statements.js';

const statements = {
  begin: 'begin',
  'begin immediate': 'begin immediate transaction',
  commit: 'commit',
  end: 'end',
  rollback: 'rollback',
  savepoint: 'savepoint s',
  release: 'release s',
  'rollback to': 'rollback to s',
  vacuum: 'vacuum',
  'vacuum into': "vacuum into '/tmp/gatehouse-never'",
  attach: "attach ':memory:' as other",
  detach: 'detach main',
  'temp table': 'create temp table tt(a)',
  'temp view': 'create temp view tv as select 1',
  'temp trigger': 'create temp trigger tt after insert on t begin select 1; end',
  'write sqlite_master': "update sqlite_master set sql = ''",
  'insert into sqlite_master': "insert into sqlite_master values ('table', 'x', 'x', 5, '')",
  'reserved table': 'create table _cf_mine(a)',
  'reserved table in capitals': 'create table _CF_mine(a)',
  'reserved index': 'create index _cf_i on t(a)',
  'reserved view': 'create view _cf_v as select 1',
  'reserved trigger': 'create trigger _cf_t after insert on t begin select 1; end',
  'rename into reserved': 'alter table t rename to _cf_t',
  'read reserved': 'select * from _cf_KV',
  'drop reserved': 'drop table _cf_KV',
  'reserved column is fine': 'create table ok(_cf_a); select _cf_a from ok',
  'reserved alias is fine': 'with _cf_x as (select 1 as a) select a as _cf_b from _cf_x',
  'sqlite_ prefix': 'create table sqlite_mine(a)',
  'virtual table dbstat': 'select * from dbstat',
  'virtual table of a missing module': 'create virtual table z using nothing(a)',
  'virtual table csv': "create virtual table z using csv(filename='/etc/passwd')",
  'virtual table fts3': 'create virtual table z using fts3(a)',
  'virtual table fts4': 'create virtual table z using fts4(a)',
  'virtual table geopoly': 'create virtual table z using geopoly(a)',
  'virtual table bytecode': "select * from bytecode('select 1')",
  'virtual table sqlite_stmt': 'select * from sqlite_stmt',
  'generate_series': 'select * from generate_series(1, 3)',
  'pragma_function_list': 'select * from pragma_function_list limit 1',
  'rtree_i32': 'create virtual table z using rtree_i32(id, a, b)',
  'other schema': 'select * from temp.t',
  'main schema': 'select count(*) as n from main.t',
  'load_extension': "select load_extension('x')",
  readfile: "select readfile('/etc/passwd')",
  fts3_tokenizer: "select fts3_tokenizer('simple')",
};

const pragmas = {
  data_version: 'pragma data_version',
  page_size: 'pragma page_size',
  'page_size set': 'pragma page_size = 8192',
  foreign_keys: 'pragma foreign_keys',
  defer_foreign_keys: 'pragma defer_foreign_keys = on',
  ignore_check_constraints: 'pragma ignore_check_constraints = 1; pragma ignore_check_constraints',
  recursive_triggers: 'pragma recursive_triggers = yes; pragma recursive_triggers',
  reverse_unordered_selects: 'pragma reverse_unordered_selects = on; select id from t',
  legacy_alter_table: 'pragma legacy_alter_table',
  'boolean with a word': 'pragma foreign_keys = maybe',
  foreign_key_check: 'pragma foreign_key_check',
  'foreign_key_check of a table': 'pragma foreign_key_check(c)',
  foreign_key_list: 'pragma foreign_key_list(c)',
  index_list: 'pragma index_list(u)',
  index_info: 'pragma index_info(sqlite_autoindex_u_1)',
  index_xinfo: 'pragma index_xinfo(sqlite_autoindex_u_1)',
  table_info: 'pragma table_info(t)',
  'table_info of a missing table': 'pragma table_info(nope)',
  'table_info of a reserved table': 'pragma table_info(_cf_KV)',
  table_xinfo: "pragma table_xinfo('u')",
  'table_info function': "select name, type, pk from pragma_table_info('t')",
  table_list: "select schema, name, type, ncol from pragma_table_list where name in ('t', 'u')",
  quick_check: 'pragma quick_check',
  'quick_check with a number': 'pragma quick_check(5)',
  'quick_check of a table': 'pragma quick_check(t)',
  optimize: 'pragma optimize',
  user_version: 'pragma user_version',
  'user_version set': 'pragma user_version = 5',
  application_id: 'pragma application_id',
  journal_mode: 'pragma journal_mode',
  synchronous: 'pragma synchronous = off',
  cache_size: 'pragma cache_size',
  page_count: 'pragma page_count',
  integrity_check: 'pragma integrity_check',
  database_list: 'pragma database_list',
  compile_options: 'pragma compile_options',
  writable_schema: 'pragma writable_schema = on',
  wal_checkpoint: 'pragma wal_checkpoint',
  temp_store: 'pragma temp_store',
  schema_version: 'pragma schema_version',
  'unknown pragma': 'pragma nothing_like_this',
  'schema-qualified pragma': 'pragma main.table_info(t)',
};

const functions = [
  "concat('a', 'b')", "concat_ws('-', 1, 2)", "format('%05.1f', 2.25)", "printf('%d', 3.9)", "glob('a*', 'abc')",
  "hex('ab')", "iif(1, 2, 3)", "instr('abc', 'c')", "octet_length('\u00e9')", "quote(x'01')", "replace('aba', 'a', 'c')",
  "sign(-2)", "substring('hello', 2, 2)", "trim('  x ')", "unhex('6162')", "unicode('a')", "upper('a\u00e9')",
  'zeroblob(2)', "timediff('2024-02-01', '2024-01-01')", "julianday('2000-01-01')", "group_concat('x')", "string_agg('x', ',')",
  'total(1)', 'acos(1)', 'ceil(1.2)', 'log2(8)', 'log(100)', 'ln(1)', 'trunc(-1.7)', 'degrees(0)', 'atan2(0, 1)',
  'json_array(1, 2)', "json_object('a', 1)", "json_group_array(1)", "json_type('[1]')", "json_valid('x')",
  "json_patch('{}', '{\"a\":1}')", "hex(jsonb('[1]'))", "json_quote('x')", "json_array_length('[1,2]')", "json_remove('[1,2]', '$[0]')",
  "json_pretty('[1]')", "json_error_position('x')", "json_array_insert('[1]', '$[0]', 2)", 'sqlite_version()', 'sqlite_source_id()',
  "sqlite_compileoption_used('x')", 'if(1, 2, 3)', 'ceiling(1.2)', 'power(2, 3)', 'log10(100)', "unistr('a')", 'subtype(1)',
  "regexp('a', 'a')", "soundex('a')", 'median(1)', 'uuid()', "sha3('a')", 'likely(1)', 'likelihood(1, 0.5)', 'typeof(random())',
  'length(randomblob(4))', 'nth_value(1, 1) over ()', 'percent_rank() over (order by 1)', 'fts5_source_id()', "rtreecheck('main', 'nope')",
];

const run = (text) => ({ sql, how }) => {
  build(sql);
  return how(() => sql.exec(text).toArray());
};

area('sql allowed and denied', {}, {
  ...Object.fromEntries(Object.entries(statements).map(([name, text]) => [name, run(text)])),
  'foreign_keys off has no effect inside the implicit transaction': async ({ sql, how }) => {
    build(sql);
    sql.exec('pragma foreign_keys = off');
    return [sql.exec('pragma foreign_keys').toArray(), await how(() => sql.exec('insert into c values (1, 99, 1)'))];
  },
  'foreign_keys off after sync': async ({ sql, storage, how }) => {
    build(sql);
    await storage.sync();
    sql.exec('pragma foreign_keys = off');
    return how(() => sql.exec('insert into c values (1, 99, 1) returning id').toArray());
  },
});
area('sql pragmas', {}, Object.fromEntries(Object.entries(pragmas).map(([name, text]) => [name, run(text)])));
area('sql functions', {}, Object.fromEntries(functions.map((call) => [call, run(`select ${call} as r`)])));
