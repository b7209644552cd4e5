/**
 * SQL injection. Prose and code about SQL is ordinary ("drop table lamps", a query in a forum post), so a signature requires
 * what an injection needs and prose lacks: the way out of a literal, a comment that swallows the rest, a function that
 * nobody calls by accident.
 */
import {
  body,
  cookie,
  matchAny,
  matchAnyBehind,
  matchAnyWith,
  query,
  type Signature,
  confirm,
} from './signature.ts';

/** What SQL treats as white space, or ignores. */
const gap = String.raw`(?:[\s(\xa0]|/\*[^*]*\*/|/\*!\d*|\*/|(?:--|#)[^\n]*\n)`;
/** The end of a value, or a comment that swallows the rest of the statement. */
const end = String.raw`(?:--|#|/\*|;|&|"|$)`;
/** A comment followed only by the end of the value. */
const ending = String.raw`\s*\)*\s*(?:;\s*)?(?:--[\s+]*(?:&|$)|--\s*-|#\s*(?:&|$)|/\*\s*(?:&|$))`;
/**
 * The start of a value in a body, and what little may precede an injection there. Complete statements, as in a post about
 * SQL, have an equals sign or a line of their own before anything suspicious.
 */
const valueStart = String.raw`(?:(?:^|&)[\w.\[\]-]{1,64}=|":\s*"|\r\n\r\n)[^&"=]{0,60}`;
const union = String.raw`union${gap}+(?:(?:all|distinct)${gap}+)?select(?:${gap}|['"@*!\x60-])+(?:null\b|\d|0x|char\s*\(|(?:group_)?concat|version\b|user\b|database\b|load_file|\w+\s*,|\w+\s*\(|[\w.]+${gap}+from\b)`;
const letters = String.raw`(?:ascii|ord|unicode|hex|bin|length|substr(?:ing)?|mid|left|right)\s*\(\s*(?:lower\s*\(\s*)?(?:\(\s*)?(?:select\b|(?:substr(?:ing)?|mid|left|right)\s*\(|user\b|database\b|version\b|@@|current_user|system_user|password\b)`;
const subselect = String.raw`['"\d)]${gap}*(?:\band\b|\bx?or\b|\|\||&&|[-+*/=<>])${gap}*\(+\s*select(?:\s*\*|${gap}+(?:\d|['"]|[\w.@(]+${gap}*(?:from\b|,|\()))`;
const statement = String.raw`(?:drop\s+(?:table|database|schema|user|view|index)|delete\s+from|insert\s+into|update\s+\w+\s+set|alter\s+(?:table|user|database)|create\s+(?:table|user|database|login)|truncate\s+table|exec(?:ute)?(?:\s+|\()(?:master|xp_|sp_|@|immediate|\()|declare\s+@|shutdown\b|waitfor\s+delay|grant\s+\w+\s+on)`;
const logic = String.raw`(?:\bx?or\b|\band\b|\|\||&&)`;
const everywhere = [query, body, cookie] as const;

export const sqlInjection: readonly Signature[] = [
  {
    legacyId: '100008',
    description: 'SQLi - UNION SELECT with columns',
    categories: ['sqli'],
    expression: confirm(
      'sql',
      `(${matchAny(union, query, cookie)} or ${matchAny(String.raw`${valueStart}['")\d]${gap}*${union}`, body)})`,
    ),
  },
  {
    legacyId: '100008B',
    description: 'SQLi - UNION SELECT written with comments or symbols in between',
    categories: ['sqli'],
    expression: matchAny(
      String.raw`union(?:\s*/\*.*?\*/\s*|\s*/\*!\d*\s*|\s*\*/\s*)+(?:all|distinct|select)\b|/\*!\d*\s*(?:union|select)\b`,
      ...everywhere,
    ),
  },
  {
    legacyId: '100008C',
    description: 'SQLi - keyword broken up by comments',
    categories: ['sqli'],
    expression: matchAny(
      String.raw`\b(?:u/\*[^*]*\*/nion|un/\*[^*]*\*/ion|uni/\*[^*]*\*/on|unio/\*[^*]*\*/n|s/\*[^*]*\*/elect|se/\*[^*]*\*/lect|sel/\*[^*]*\*/ect|sele/\*[^*]*\*/ct|selec/\*[^*]*\*/t)\b`,
      ...everywhere,
    ),
  },
  {
    legacyId: '100009',
    description: 'SQLi - comparison of two strings behind a quote',
    categories: ['sqli'],
    expression: confirm(
      'sql',
      `(${matchAnyWith("'", String.raw`'\)*${gap}*${logic}${gap}*(?:not${gap}+)?'[^'&]{0,32}'${gap}*(?:=|<=>|like\b)${gap}*'`, ...everywhere)} or ${matchAnyWith('"', String.raw`"\)*${gap}*${logic}${gap}*(?:not${gap}+)?"[\w ]{0,32}"${gap}*=${gap}*"[\w ]{0,32}(?:$|&|--|#)`, query, cookie)})`,
    ),
  },
  {
    legacyId: '100009B',
    description: 'SQLi - comparison of two numbers',
    categories: ['sqli'],
    expression: confirm(
      'sql',
      `(${matchAnyWith('=', String.raw`(?:['"\d)]${gap}*|\s)(?:\bx?or|\band|\|\||&&)${gap}+(?:not${gap}+)?['"]?\d{1,10}['"]?${gap}*(?:=|<=>)${gap}*['"]?\d{1,10}\b`, ...everywhere)} or ${matchAny(String.raw`['"\d)]${gap}*(?:\bx?or|\band)${gap}+['"]?\d{1,10}['"]?${gap}+(?:like|rlike|regexp)${gap}+['"]?\d{1,10}\b`, ...everywhere)})`,
    ),
  },
  {
    legacyId: '100009C',
    description: 'SQLi - always true behind a quote',
    categories: ['sqli'],
    expression: confirm(
      'sql',
      matchAnyWith(
        "'",
        String.raw`'\)*${gap}*(?:\bor\b|\|\|)${gap}*(?:true\b|1|'\w*')${gap}*\)*${end}`,
        query,
        cookie,
      ),
    ),
  },
  {
    legacyId: '100010',
    description: 'SQLi - statement behind a statement',
    categories: ['sqli'],
    expression: confirm(
      'sql',
      `(${matchAny(String.raw`['")\d]\s*\)*\s*;\s*${statement}`, query, cookie)} or ${matchAny(String.raw`${valueStart}['")\d]\s*\)*\s*;(?:[ \t]|/\*[^*]*\*/)*${statement}`, body)})`,
    ),
  },
  {
    legacyId: '100011',
    description: 'SQLi - delay (MySQL, SQL Server, PostgreSQL, Oracle, SQLite)',
    categories: ['sqli'],
    expression: confirm(
      'sql',
      matchAny(
        String.raw`(?:\b(?:and|x?or|select|then|else|when)\b|['"|&,=*^+-])${gap}*(?:if${gap}*[^,&]*,)?${gap}*(?:sleep\(\s*\d|benchmark\s*\(\s*\d+\s*,)|\bpg_sleep(?:_for)?\s*\(|\bwaitfor${gap}+delay${gap}+['"]|\bdbms_(?:pipe\.receive_message|lock\.sleep|session\.sleep)\s*\(|\brandomblob\s*\(\s*\d{6,}`,
        query,
        cookie,
      ),
    ),
  },
  {
    legacyId: '100011B',
    description: 'SQLi - delay in a body',
    categories: ['sqli'],
    expression: matchAny(
      String.raw`(?:['"\d)]${gap}*(?:\b(?:and|x?or)\b|\|\||&&)|['"]\)*${gap}*;)${gap}*(?:select${gap}+|if${gap}*[^,&]*,)*(?:sleep\s*\(\s*\d|benchmark\s*\(\s*\d+\s*,|pg_sleep\s*\(|waitfor${gap}+delay|dbms_pipe\.receive_message\s*\()|\bselect${gap}+(?:pg_sleep|sleep|benchmark)\s*\(`,
      body,
    ),
  },
  {
    legacyId: '100012',
    description: 'SQLi - names of the database catalogue',
    categories: ['sqli'],
    expression: matchAny(
      String.raw`\bfrom${gap}+[\x60"\[]?(?:information_schema\b|sqlite_(?:master|schema)\b|sysobjects\b|syscolumns\b|pg_(?:catalog|tables|user|shadow)\b|sys\.(?:databases|tables|objects|sql_logins|user_tables)|all_(?:tables|tab_columns|users)\b|user_tables\b|mysql\.(?:user|db|innodb)|msysaccessobjects\b|v\$version\b)`,
      query,
      cookie,
    ),
  },
  {
    legacyId: '100013',
    description: 'SQLi - functions that give data away in errors or read files',
    categories: ['sqli'],
    expression: `(${matchAny(
      String.raw`\b(?:extractvalue|updatexml|xmltype)${gap}*\(\s*(?:\(|\d|'|"|0x|char|concat|null|rand|select)|\bload_file\s*\(\s*(?:0x|char|concat|['"]/)|\binto${gap}+(?:out|dump)file${gap}*['"]|\b(?:xp_cmdshell|xp_dirtree|xp_regread|sp_oacreate)\s*\(?\s*['"@]|\b(?:utl_http\.request|utl_inaddr\.get_host\w*|ctxsys\.drithsx\.sn|dbms_xmlgen\.getxml)\s*\(`,
      ...everywhere,
    )} or ${matchAny(String.raw`\bfloor\s*\(\s*rand\s*\(\s*0\s*\)\s*\*\s*2`, ...everywhere)})`,
  },
  {
    legacyId: '100014',
    description: 'SQLi - comment behind a quote',
    categories: ['sqli'],
    expression: `(${matchAnyWith("'", String.raw`=[^&'"]*'${ending}`, query)} or ${matchAnyWith('"', String.raw`=[^&'"]*"${ending}`, query)})`,
  },
  {
    legacyId: '100014B',
    description: 'SQLi - login form, comment behind a quote',
    categories: ['sqli'],
    expression: matchAnyWith(
      "'",
      String.raw`(?:user(?:name)?|login|log|email|uname|usr|uid)["']?\s*[=:]\s*["']?[\w.@ -]{0,40}'\s*\)*\s*(?:;\s*)?(?:--|#|/\*)`,
      body,
    ),
  },
  {
    legacyId: '100016',
    description: 'SQLi - blind: characters of a value one by one',
    categories: ['sqli'],
    expression: `(${matchAny(String.raw`\b(?:and|x?or|where|when|if|having|select)\b${gap}*${letters}`, query, cookie)} or ${matchAny(String.raw`\b(?:and|x?or)\b${gap}*${letters}`, body)})`,
  },
  {
    legacyId: '100017',
    description: 'SQLi - sub-select behind a quote or a number',
    categories: ['sqli'],
    expression: `(${matchAny(subselect, query, cookie)} or ${matchAny(String.raw`${valueStart}${subselect}`, body)})`,
  },
  {
    legacyId: '100018',
    description: 'SQLi - number of columns by ORDER BY or GROUP BY',
    categories: ['sqli'],
    expression: matchAny(
      String.raw`(?:['")]|=-?\d+)\s*\)*${gap}+(?:order|group)${gap}+by${gap}+\d{1,4}\s*(?:,\s*\d+\s*)*(?:--|#|/\*|;|&|$)|\bhaving${gap}+\d+\s*=\s*\d+`,
      query,
      cookie,
    ),
  },
  {
    legacyId: '100019',
    description: 'SQLi - text from hexadecimal or character codes',
    categories: ['sqli'],
    expression: matchAny(
      String.raw`\b(?:cast|convert|concat(?:_ws)?|exec|unhex)\s*\(\s*(?:int\s*,\s*)?(?:0x[0-9a-f]{8,}|char\s*\(\s*\d)|\b(?:select|union|and|or|declare)\b[^&]{0,80}(?:\bchar\s*\(\s*\d{2,3}\s*(?:,\s*\d{2,3}\s*)+\)|\bchr\s*\(\s*\d{2,3}\s*\)\s*\|\||\bchar\s*\(\s*\d{2,3}\s*\)\s*\+|[,=]\s*0x[0-9a-f]{16,})`,
      ...everywhere,
    ),
  },
  {
    legacyId: '100020',
    description: 'SQLi - JSON functions and operators in a condition',
    categories: ['sqli', 'beta'],
    expression: `(${matchAny(String.raw`\b(?:and|or)\b${gap}*json_(?:length|depth|valid|extract|keys|contains|type)\s*\(\s*['"]`, ...everywhere)} or ${matchAnyBehind(String.raw`<@|@>|\?\||#>`, String.raw`\b(?:and|or)\b${gap}*['"]\{[^}]*\}['"]\s*(?:::jsonb?)?\s*(?:<@|@>|\?\||#>)`, ...everywhere)})`,
  },
  {
    legacyId: '100020B',
    description: 'SQLi - statement at the start of a value',
    categories: ['sqli'],
    action: 'log',
    expression: matchAny(
      String.raw`(?:^|&)[^=&]*=\s*(?:select\s+[\w*,. ]+\s+from\s+\w+|insert\s+into\s+\w+\s*\(|delete\s+from\s+\w+\s+where|update\s+\w+\s+set\s+\w+\s*=)`,
      query,
    ),
  },
];
