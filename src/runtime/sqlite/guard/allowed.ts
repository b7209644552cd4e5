/**
 * What SQL may use, as workerd allows it: functions, virtual table modules, pragmas. The lists are exhaustive; what a
 * later SQLite adds stays denied until it has been reviewed.
 */
import { isReservedName } from '../text/forbidden.ts';

const words = (text: string): string[] => text.trim().split(/\s+/);

export const allowedFunctions: ReadonlySet<string> = new Set(
  words(`
    abs changes char coalesce concat concat_ws format glob hex ifnull iif instr last_insert_rowid length like
    likelihood likely load_extension lower ltrim max min nullif octet_length printf quote random randomblob
    replace round rtrim sign substr substring total_changes trim typeof unhex unicode unlikely upper zeroblob

    date time datetime julianday unixepoch strftime timediff current_date current_time current_timestamp

    avg count group_concat string_agg sum total
    row_number rank dense_rank percent_rank cume_dist ntile lag lead first_value last_value nth_value

    acos acosh asin asinh atan atan2 atanh ceil cos cosh degrees exp floor ln log log2 mod pi pow radians sin
    sinh sqrt tan tanh trunc

    -> ->> json json_array json_array_length json_each json_extract json_group_array json_group_object
    json_insert json_object json_patch json_quote json_remove json_replace json_set json_tree json_type
    json_valid jsonb jsonb_array jsonb_extract jsonb_group_array jsonb_group_object jsonb_insert jsonb_object
    jsonb_patch jsonb_remove jsonb_replace jsonb_set jsonb_each jsonb_tree

    match highlight bm25 snippet rtreecheck
  `),
);

/** Functions that return what earlier statements changed: even writes not made by the object's SQL count. */
export const changesFunctions: ReadonlySet<string> = new Set(
  words('changes last_insert_rowid total_changes'),
);

/** SQLite calls these from inside ALTER TABLE and reports "no such function" to any other caller. */
export const alterFunctions: ReadonlySet<string> = new Set(
  words(`
    sqlite_rename_table sqlite_rename_column sqlite_rename_test sqlite_rename_quotefix sqlite_drop_column
    sqlite_add_constraint sqlite_drop_constraint sqlite_find_constraint sqlite_fail
  `),
);

export const allowedModules: ReadonlySet<string> = new Set(words('fts5 fts5vocab rtree rtree_i32'));

/** Tables that exist in Node's SQLite without having been created, and not in workerd's. */
export const hiddenTables: ReadonlySet<string> = new Set(
  words('dbstat fts3tokenize sqlite_stmt sqlite_dbpage bytecode tables_used'),
);

type ArgumentRule = (argument: string | null) => boolean;

const isNumber: ArgumentRule = (argument) => argument !== null && /^-?(?:\d+|0x[\da-f]+)$/i.test(argument);
const isName: ArgumentRule = (argument) => argument !== null && !isReservedName(argument);
const isNothing: ArgumentRule = (argument) => argument === null;
const isSwitch: ArgumentRule = (argument) =>
  argument === null || /^(?:0|1|on|off|yes|no|true|false)$/i.test(argument);

const pragmasByRule: ReadonlyArray<readonly [string, ArgumentRule]> = [
  ['data_version page_size', isNothing],
  [
    'foreign_keys defer_foreign_keys ignore_check_constraints legacy_alter_table recursive_triggers ' +
      'reverse_unordered_selects',
    isSwitch,
  ],
  ['foreign_key_list index_info index_list index_xinfo table_info table_xinfo', isName],
  ['foreign_key_check table_list', (argument) => isNothing(argument) || isName(argument)],
  ['quick_check', (argument) => isNothing(argument) || isName(argument)],
  ['optimize', (argument) => isNothing(argument) || isNumber(argument)],
];

const pragmaRules: ReadonlyMap<string, ArgumentRule> = new Map(
  pragmasByRule.flatMap(([names, rule]) => words(names).map((name) => [name, rule] as const)),
);

export function isAllowedPragma(name: string, argument: string | null): boolean {
  return pragmaRules.get(name.toLowerCase())?.(argument) ?? false;
}

/** Whether the pragma, given a value, changes how later statements are compiled or run. */
export function isSwitchPragma(name: string, argument: string | null): boolean {
  return argument !== null && pragmaRules.get(name.toLowerCase()) === isSwitch;
}
