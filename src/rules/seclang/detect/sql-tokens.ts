/** Splits a value into the tokens of SQL, as a database would, in one pass. */

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
const comparisonWords = 'LIKE RLIKE REGEXP GLOB IN BETWEEN IS SOUNDS ILIKE SIMILAR MATCH';
const logicalWords = 'AND OR XOR NOT';
const operatorWords = 'DIV MOD BINARY ESCAPE INTERVAL';
const functionWords =
  'SLEEP PG_SLEEP BENCHMARK EXTRACTVALUE UPDATEXML LOAD_FILE CHAR CHR CONCAT CONCAT_WS GROUP_CONCAT SUBSTRING SUBSTR MID ASCII ORD HEX UNHEX VERSION DATABASE USER CURRENT_USER SESSION_USER SYSTEM_USER SCHEMA COUNT CAST CONVERT IFNULL NULLIF COALESCE LENGTH LEFT RIGHT LOWER UPPER RAND MD5 SHA1 NAME_CONST DB_NAME OBJECT_ID XP_CMDSHELL UTL_INADDR UTL_HTTP CURRENT_SETTING RANDOMBLOB GREATEST LEAST ELT MAKE_SET EXP JSON_KEYS ROW';

const kindOfWord = new Map<string, SqlTokenKind>();
for (const [kind, words] of [
  ['keyword', `${statementWords} ${clauseWords}`],
  ['comparison', comparisonWords],
  ['logical', logicalWords],
  ['operator', operatorWords],
] as const) {
  for (const word of words.split(' ')) kindOfWord.set(word, kind);
}
const knownFunctions = new Set(functionWords.split(' '));
export const statements: ReadonlySet<string> = new Set(statementWords.split(' '));

const token =
  /([ \t\n\v\f\r\0\u00a0]+)|(--[^\n]*|#[^\n]*)|\/\*(!\d*)?|(\*\/)|(0[xX][0-9A-Fa-f]+|[xXbBnN]?'(?=[^']*')|\d+(?:\.\d*)?(?:[eE][+-]?\d+)?|\.\d+)|(@@?[\w$.]*)|([A-Za-z_\u0080-\u00ff][\w$\u0080-\u00ff]*)|(&&|\|\|)|(<=>|<>|!=|:=|>=|<=|[<>=!~])|([-+*/%^|&:.?\\{}[\]$`])|([(),;])|(["'])|([^])/gy;

/** At most this many tokens are read: an injection shows early, and the rest is not needed. */
const tokensMax = 400;

export function readSqlTokens(value: string, openQuote: '' | "'" | '"'): readonly SqlToken[] {
  const tokens: SqlToken[] = [];
  let at = 0;
  if (openQuote !== '') {
    const end = findStringEnd(value, 0, openQuote);
    if (end === -1) return [{ kind: 'open-string', text: '' }];
    tokens.push({ kind: 'string', text: '' });
    at = end;
  }
  while (at < value.length && tokens.length < tokensMax) {
    token.lastIndex = at;
    const found = token.exec(value)!;
    at = token.lastIndex;
    const [
      whole,
      space,
      lineComment,
      versioned,
      ,
      number,
      variable,
      word,
      logical,
      comparison,
      operator,
      mark,
      quote,
    ] = found;
    if (space !== undefined) continue;
    if (lineComment !== undefined) {
      tokens.push({ kind: 'comment', text: lineComment.slice(0, 2) });
    } else if (whole.startsWith('/*')) {
      // A versioned comment is code for MySQL; any other one is skipped.
      if (versioned !== undefined) continue;
      const end = value.indexOf('*/', at);
      if (end === -1) tokens.push({ kind: 'comment', text: '/*' });
      at = end === -1 ? value.length : end + 2;
    } else if (number !== undefined && number.endsWith("'")) {
      at = findStringEnd(value, at, "'");
      tokens.push({ kind: 'string', text: '' });
    } else if (number !== undefined) tokens.push({ kind: 'number', text: number });
    else if (variable !== undefined) tokens.push({ kind: 'variable', text: variable.toUpperCase() });
    else if (word !== undefined) tokens.push(classifyWord(word, value, at));
    else if (logical !== undefined) tokens.push({ kind: 'logical', text: logical });
    else if (comparison !== undefined) tokens.push({ kind: 'comparison', text: comparison });
    else if (operator !== undefined) tokens.push({ kind: 'operator', text: operator });
    else if (mark !== undefined) tokens.push({ kind: mark as SqlTokenKind, text: mark });
    else if (quote !== undefined) {
      const end = findStringEnd(value, at, quote);
      tokens.push({ kind: end === -1 ? 'open-string' : 'string', text: '' });
      at = end === -1 ? value.length : end;
    }
  }
  return tokens;
}

/**
 * The position after the closing quote of a string; doubled and escaped quotes belong to it. -1 if it is not closed.
 */
function findStringEnd(value: string, from: number, quote: string): number {
  for (let at = from; at < value.length; at++) {
    if (value[at] === '\\') at++;
    else if (value[at] === quote) {
      if (value[at + 1] !== quote) return at + 1;
      at++;
    }
  }
  return -1;
}

function classifyWord(word: string, value: string, end: number): SqlToken {
  const text = word.toUpperCase();
  const isCalled = /^[ \t\n]*\(/.test(value.slice(end, end + 8));
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
