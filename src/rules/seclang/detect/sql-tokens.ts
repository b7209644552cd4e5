/** The tokens of SQL in a value, with what each word does in a statement. */
import { SqlTokens, type SqlToken as RawToken } from '#detection';

type SqlTokenKind =
  | 'name'
  | 'number'
  | 'string'
  /** An unclosed string. */
  | 'open-string'
  | 'keyword'
  | 'logical'
  | 'comparison'
  | 'operator'
  | 'function'
  | 'variable'
  | 'comment'
  | '('
  | ')'
  | ','
  | ';';

export interface SqlToken {
  readonly kind: SqlTokenKind;
  /** In upper case; `""` for strings. */
  readonly text: string;
}

const statementWords =
  'SELECT INSERT UPDATE DELETE DROP CREATE ALTER TRUNCATE EXEC EXECUTE DECLARE MERGE REPLACE GRANT REVOKE SHUTDOWN WAITFOR CALL HANDLER COPY LOAD PREPARE BEGIN';
const clauseWords =
  'UNION ALL DISTINCT FROM WHERE INTO VALUES SET TABLE DATABASE JOIN GROUP ORDER BY HAVING LIMIT OFFSET PROCEDURE OUTFILE DUMPFILE CASE WHEN THEN ELSE END AS IF EXISTS DELAY TIME COLLATE RETURNING TOP FOR USING';
const functionWords =
  'SLEEP PG_SLEEP BENCHMARK EXTRACTVALUE UPDATEXML LOAD_FILE CHAR CHR CONCAT CONCAT_WS GROUP_CONCAT SUBSTRING SUBSTR MID ASCII ORD HEX UNHEX VERSION DATABASE USER CURRENT_USER SESSION_USER SYSTEM_USER SCHEMA COUNT CAST CONVERT IFNULL NULLIF COALESCE LENGTH LEFT RIGHT LOWER UPPER RAND MD5 SHA1 NAME_CONST DB_NAME OBJECT_ID XP_CMDSHELL UTL_INADDR UTL_HTTP CURRENT_SETTING RANDOMBLOB GREATEST LEAST ELT MAKE_SET EXP JSON_KEYS ROW';

const kindOfWord = new Map<string, SqlTokenKind>();
for (const [kind, words] of [
  ['keyword', `${statementWords} ${clauseWords}`],
  ['comparison', 'LIKE RLIKE REGEXP GLOB IN BETWEEN IS SOUNDS ILIKE SIMILAR MATCH'],
  ['logical', 'AND OR XOR NOT'],
  ['operator', 'DIV MOD BINARY ESCAPE INTERVAL'],
] as const) {
  for (const word of words.split(' ')) kindOfWord.set(word, kind);
}
const knownFunctions = new Set(functionWords.split(' '));
export const statements: ReadonlySet<string> = new Set(statementWords.split(' '));

const comparisons: ReadonlySet<string> = new Set('<=> <> != := >= <= < > = ! ~'.split(' '));

/** At most this many tokens are read: an injection shows early, and the rest is not needed. */
const tokensMax = 400;

/** The value follows the opening quote of a string, or none. Bytes that begin no token are skipped. */
export function readSqlTokens(value: string, openQuote: '' | "'" | '"'): readonly SqlToken[] {
  const text = openQuote + value;
  const tokens: SqlToken[] = [];
  for (let at = 0; at < text.length && tokens.length < tokensMax;) {
    const read = new SqlTokens(text, at);
    let token = read.get(0);
    for (let index = 1; token !== undefined && tokens.length < tokensMax; index++) {
      tokens.push(classify(token, text));
      token = read.get(index);
    }
    at = read.end + 1;
  }
  return tokens;
}

function classify({ type, text, isOpen = false, end }: RawToken, source: string): SqlToken {
  switch (type) {
    case 'string':
      return { kind: isOpen ? 'open-string' : 'string', text: '' };
    case 'word':
      return text.startsWith('`') ? { kind: 'name', text } : classifyWord(text.toUpperCase(), source, end);
    case 'operator':
      if (text === '&&' || text === '||') return { kind: 'logical', text };
      return { kind: comparisons.has(text) ? 'comparison' : 'operator', text };
    case '.':
      return { kind: 'operator', text };
    default:
      return { kind: type, text: text.toUpperCase() };
  }
}

function classifyWord(text: string, source: string, end: number): SqlToken {
  const isCalled = /^[ \t\n]*\(/.test(source.slice(end, end + 8));
  if (isCalled && (knownFunctions.has(text) || !kindOfWord.has(text))) {
    return { kind: knownFunctions.has(text) ? 'function' : 'name', text };
  }
  return { kind: kindOfWord.get(text) ?? 'name', text };
}

export function isOperand(token: SqlToken | undefined): boolean {
  return token !== undefined && isOperandKind(token);
}

const operandKinds: ReadonlySet<SqlTokenKind> = new Set([
  'name',
  'number',
  'string',
  'open-string',
  'variable',
  ')',
  'function',
]);

export function isOperandKind({ kind, text }: SqlToken): boolean {
  return operandKinds.has(kind) || text === 'END';
}
