/**
 * Expressions of template engines and languages that run on the server. A placeholder such as `{{name}}` or `${price}`
 * is ordinary; one that calculates, calls, or accesses the internals of the language is not.
 */
import { spendSteps } from '#work';
import { type Detector, type DetectorReading, pickSurer } from '../finding.ts';
import { stepsPerExpression } from '../limits.ts';
import { isProse } from '../prose.ts';
import { Shapes } from '../shapes.ts';

/** The opening and closing marks of an expression. */
const openings =
  /\{\{\{?|\{%|\$!?\{\{?|#\{|%\{|\*\{|@\{|<%[=-]?|\[\[|@\(|\{php\}|<#|\{(?=\$|@|system|exec|\d)|#set\s*\(|\$\{\{/gi;
const closings: Readonly<Record<string, string>> = {
  '{{': '}}',
  '{{{': '}}',
  '{%': '%}',
  '<%': '%>',
  '<%=': '%>',
  '<%-': '%>',
  '[[': ']]',
  '@(': ')',
  '<#': '>',
};

/** Expressions that are examined per text; the template of a mail has dozens. */
const expressionsMax = 200;
const expressionCharactersMax = 600;
/** Length of an unclosed expression: no template runs it, but the rest may have been cut off. */
const openCharactersMax = 160;

export const detectCode: Detector = (text) => {
  let found = readMarks(text);
  openings.lastIndex = 0;
  for (let count = 0, opening = openings.exec(text); opening !== null && count < expressionsMax; count++) {
    spendSteps(stepsPerExpression);
    found = pickSurer(found, readExpression(text, opening));
    if (found !== undefined && found.confidence >= 93) break;
    opening = openings.exec(text);
  }
  return found;
};

/** `7*7`, `7*'7'`, `"a"+"b"`: a visitor needs no server for that. */
const calculates =
  /^[-+~=\s(]*(?:\d+|(?<q>["'])[^"']{0,40}\k<q>)\s{0,4}[*+/%-]\s{0,4}(?:\d+|["'][^"']{0,40}["'])[\s)\w|*+/%.-]{0,60}$/;

const insides =
  /__(?:class|mro|bases?|subclasses|globals|builtins|import|init|getattribute|dict|proto)__|\bsubclasses\s?\(|\.class\.base\b|\bgetClass\b|\bforName\b|\bgetRuntime\b|ProcessBuilder|java\.(?:lang|util|io|net)|javax\.|org\.(?:apache|springframework|codehaus)|freemarker\.|\bT\s?\(\s?[\w.]+\s?\)|#(?:context|request|response|application|session|_memberAccess|cmd|rt|ctx|vars|root|parameters|this)\b|\b(?:_self|_context)\b\.?|\blipsum\b|\bcycler\b|\bjoiner\b|\bconfig\s{0,3}(?:\.|\[|\||$)|\brequest\s{0,3}[.[|]\s{0,3}["']?(?:application|args|form|environ|class|getClass|__|attr)|\bself\s{0,3}[.[]|constructor\s{0,3}(?:\.|\[|\()|\b(?:popen|system|exec|shell_exec|passthru|proc_open|eval|assert|phpinfo|file_get_contents|readfile|include|require|spawn|execSync|child_process|getenv|print_r|var_dump|md5)\s{0,4}\(|%x\s?[[({|!]|\bos\.(?:system|popen|execute|getenv|environ)|\bsubprocess\b|\bio\.popen|\bRuntime\b\.|\bFile\.(?:read|open)|\bDir\.|\bIO\.popen|\bKernel\b|\bProcess\b\.|settings\.SECRET|\bsource\s{0,3}\(\s{0,3}["']|\|\s{0,3}(?:attr|filter|map|sort|reduce)\s{0,3}\(\s{0,3}["']|\bjndi\s{0,3}:|\b(?:env|sys|lower|upper|date|base64|script|url|dns):[^}]|::-|\bdefine\b|\$(?:eval|parse|on|root|parent)\b|\brange\s?\(\s?\d{3,}|\bdump\s?\(|\bnew\s+[\w.]+\s?\(|\.exec\s?\(|\.getWriter|<\?|\bcat\s|\bwhoami\b|\bid\b["']|`|\beval\s+request|\brequest\s?\(|\bapp\.request|\bsmarty\.|["']constructor["']|\bif\s+\d+\s?[*+]\s?\d|\b(?:ctx|java|main|map|k8s|docker|spring|web|marker|bundle):[^}]|^\s{0,4}(?:config|settings|self|request|app)\s{0,4}$/i;

/** A statement that shows all variables of a template. */
const tells = /^\s{0,4}-?\s{0,4}debug\s{0,4}-?$/;

/** `${${lower:j}ndi:…}`, `${${::-j}…}`: a lookup whose name is itself looked up. */
const nestedLookup = /^\w{0,8}\$\{(?:[a-z0-9]{0,10}:|:)/i;

function readExpression(text: string, opening: RegExpExecArray): DetectorReading | undefined {
  const start = opening.index;
  const from = start + opening[0].length;
  const closing = closings[opening[0].toLowerCase()] ?? '}';
  const inside = text.slice(from, from + expressionCharactersMax);
  const close = inside.indexOf(closing);
  const end = close === -1 ? Math.min(text.length, from + 80) : from + close + closing.length;
  // A closing mark inside of the expression ends it too early: the text before it is judged nevertheless.
  const body = inside.slice(0, close === -1 ? openCharactersMax : close);
  const create = (confidence: number, why: string): DetectorReading => ({
    confidence,
    why,
    start,
    end,
  });
  if (/^\s{0,4}jndi\s{0,3}:/i.test(body) || (opening[0] === '${' && nestedLookup.test(inside)))
    return create(96, 'a lookup that loads code (Log4Shell)');
  if (calculates.test(body) && (close !== -1 || /^[$#{@*%<]/.test(opening[0])))
    return create(88, 'an expression that calculates');
  if (opening[0] === '{%' && close !== -1 && tells.test(body))
    return create(86, 'a statement that shows what the template knows');
  const harmful =
    insides.exec(body) ??
    (close !== -1 && close < 60 && isOpen(body) ? insides.exec(/^[^\n]{0,300}/.exec(inside)![0]) : null);
  if (opening[0].toLowerCase() === '{php}') return create(92, 'PHP in a template');
  if (harmful === null || (opening[0] === '{' && !/\(|smarty/.test(body))) return undefined;
  // Styles, scripts and links of a page use the same brackets.
  if (opening[0] === '[[' && !/\$\{|#\{|\*\{/.test(body)) return undefined;
  return create(
    /[([.|:`"*]|^\s*(?:config|settings|self|request|app)\s*$/.test(body) ? 90 : 70,
    `an expression with ${JSON.stringify(harmful[0].trim())}`,
  );
}

/** Whether the expression ends inside a bracket or a quote that it opened. */
function isOpen(body: string): boolean {
  const count = (sign: RegExp): number => body.match(sign)?.length ?? 0;
  return (
    count(/[({[]/g) > count(/[)}\]]/g) ||
    count(/"/g) % 2 === 1 ||
    count(/'/g) % 2 === 1 ||
    count(/`/g) % 2 === 1
  );
}

/** Notations that need no surrounding brackets. */
const marks = new Shapes([
  // Of several that start, the last one: so each is read only up to the next.
  [
    /<\?(?:php\b|=|\s)(?:[^<]|<(?!\?(?:php\b|=|\s))){0,200}(?:\b(?:system|eval|passthru|phpinfo|exec|shell_exec|popen|proc_open|assert|base64_decode|include|require|file_put_contents|readfile|unlink|md5|die)\b|`|\$_\w+\[[^\]]{1,40}\]\s?\()/i,
    92,
    'PHP that runs something',
  ],
  [/<\?(?:php\b|=\s{0,4}[\w$`(])/i, 66, 'PHP'],
  [
    /(?:^|[;({<?\s])(?:echo|print|\$\w{1,40}\s{0,4}=)\s{0,4}`[^`\n]{1,200}`\s{0,4}(?:;|\?>|$)/,
    88,
    'PHP that runs a command in backticks',
  ],
  [/["'\])]\.execute\s?\(\s?\)|\bgroovy\.lang\b|\bGroovyShell\b/, 90, 'Groovy that runs a command'],
  [/\bprocess\s?\.\s?(?:exit|kill|abort|reallyExit)\s?\(|\breturn\s+process\s?\./, 86, 'the insides of Node'],
  [/^\(["'\w]+(?:\.\(?["'\w]+\)?)+\)\s?\(["'\w]+\)\s?;?$/, 84, 'a function by a name that is put together'],
  [/["'](?:system|exec|passthru|shell_exec|assert|eval|phpinfo)["']\s?\(/i, 92, 'a function by its name'],
  [/\$_(?:GET|POST|REQUEST|COOKIE|SERVER)\s?\[[^\]]{1,40}\]\s?\(/, 92, 'PHP that calls what a visitor names'],
  [/<cf(?:execute|file|query|script|object)\b/i, 90, 'ColdFusion'],
  [/\bcmd\s?\|\s?'/i, 92, 'a formula that runs a command'],
  [
    /\b(?:allow_url_include|auto_prepend_file|auto_append_file|disable_functions|open_basedir)\s?=/i,
    90,
    'a setting of PHP',
  ],
  [
    /\bgetClass\s?\(\s?\)\s?\.|\bClass\.forName\s?\(|\bjava\.lang\.(?:Runtime|System|Process\w*|Class|Thread)\b\s?\.\s?\w/,
    86,
    'the insides of Java',
  ],
  [
    /\b(?:IO|Open3|Kernel|File|Dir)\.(?:popen\w*|read|open|exec|system|capture\w*|glob|entries)\s?\(?\s?["']/,
    84,
    'Ruby that runs a command or reads a file',
  ],
  [
    /\bopen\s?\(\s?["'](?:\/etc|\/proc|\.\.\/|c:)[^"']{0,80}["']\s?\)\s?(?:\.|;?\s?return)/i,
    88,
    'a call that reads a file of the system',
  ],
  [/\bos\.(?:system|popen|execvp?|spawn\w*|listdir)\s?\(/, 88, 'Python that runs a command'],
  [/\b(?:exec|eval|compile)\s?\(\s?["'](?:import|__import__|print)\b/, 90, 'Python that runs a text'],
  [
    /^\s{0,4}import\s+(?:os|subprocess|socket|pty|sys)\s{0,4};(?!\s{0,4}print\b)/,
    86,
    'Python that loads a module',
  ],
  [/\bgetattr\s?\(\s?__builtins__|\b__builtins__\s?,/, 90, 'the insides of Python'],
  [/\bProcess\.Start\s?\(\s?["']/, 90, 'a class of .NET that runs a command'],
  [/^\s{0,4}%x\s?[[({<|!/]\s{0,4}[\w./-]/, 84, 'Ruby that runs a command'],
  [
    /(?:^|[;"'`(){}|&@=\s.])(?:file_get_contents|readfile|fopen|show_source|highlight_file|scandir|parse_ini_file)\s?\(\s?["'](?:\/|\.\.|php:|[a-z]:)/i,
    88,
    'PHP that reads a file',
  ],
  [
    /\b(?:unserialize|extract|parse_str|readfile|fopen|file_get_contents|unlink|copy|rename|move_uploaded_file|ob_start)\s?\(\s?\$_(?:GET|POST|REQUEST|COOKIE|SERVER|FILES)\s?\[/i,
    90,
    'PHP that trusts what a visitor sends',
  ],
  [
    /^[\s;'")]{0,8}@?(?:usleep|sleep|ini_set|ini_get|set_time_limit|error_reporting|putenv|getenv|fsockopen|posix_\w+|curl_exec|dl|symlink|phpcredits)\s?\([^)]{0,200}\)\s?;/i,
    84,
    'a statement of PHP',
  ],
  [
    /\b(?:include|require)(?:_once)?\s?\(?\s?["'](?:https?:|ftp:|php:|data:|expect:|\/\/)/i,
    90,
    'a script of another site',
  ],
  [/\bSystem\.(?:IO\.File|Diagnostics\.Process)\.\w+\s?\(/, 90, 'a class of .NET'],
  [/\$\{\{<%|\{\{.{0,4}<%\[/, 92, 'signs that all templates know'],
  [/<!--\s{0,4}#\s{0,4}(?:exec|include|echo|config|printenv)\b/i, 94, 'a directive for the server (SSI)'],
  [/<esi:(?:include|inline|vars|debug|assign)\b/i, 92, 'a directive for the proxy (ESI)'],
  [/__import__\s{0,4}\(\s{0,4}["']\w+["']\s{0,4}\)\s{0,4}\./, 94, 'Python that loads a module'],
  [
    /(?:__class__|__mro__|__subclasses__|__globals__|__builtins__)\s{0,4}(?:\.|\[|\()/,
    92,
    'the insides of Python',
  ],
  [/\bgetRuntime\s{0,4}\(\s{0,4}\)\s{0,4}\.\s{0,4}exec\s{0,4}\(/i, 95, 'Java that runs a command'],
  [/\b(?:new\s{1,4}|java\.lang\.)ProcessBuilder\s{0,4}\(/i, 92, 'Java that runs a command'],
  [
    /\bsubprocess\s?\.\s?(?:Popen|run|call|check_output|check_call|getoutput|getstatusoutput)\s?\(/,
    88,
    'Python that runs a command',
  ],
  [
    /(?:^|[;"'`(){}|&@=\s.])(?:php_uname|phpversion|php_sapi_name|php_ini_loaded_file|get_current_user|getmypid|get_defined_vars|get_loaded_extensions|sys_get_temp_dir)\s{0,4}\(\s{0,4}\)\s{0,4};/i,
    86,
    'PHP that reveals its configuration',
  ],
  [/\bclass\.(?:module\.)?classLoader\b/i, 96, 'the class loader of Java (Spring4Shell)'],
  [
    /\brequire\s{0,4}\(\s{0,4}["'`](?:node:)?(?:child_process|fs|vm|net)["'`]\s{0,4}\)\s{0,4}(?:\.|\[)/,
    92,
    'Node that runs a command or reads a file',
  ],
  [
    /\bprocess\s{0,4}\.\s{0,4}(?:mainModule|binding|dlopen|env\s{0,4}[.[]\w+\s{0,4}[;)])|\bglobal\s{0,4}\.\s{0,4}process\b/,
    90,
    'the insides of Node',
  ],
  [
    /\bos\.(?:execute|popen)\s{0,4}\(\s{0,4}["']|\bio\.popen\s{0,4}\(\s{0,4}["']|\bpackage\.loadlib\b/,
    92,
    'Lua that runs a command',
  ],
  [
    /(?:^|[;"'`(){}|&@=\s.])(?:system|shell_exec|passthru|popen|proc_open|pcntl_exec)\s{0,4}\(\s{0,4}(?:["'`$]|chr|base64_decode|\w+\s{0,4}\()/i,
    88,
    'a function that runs a command',
  ],
  [
    /(?:^|[;"'`(){}|&@=\s])(?:eval|assert|create_function|call_user_func(?:_array)?|preg_replace|file_put_contents|base64_decode|gzinflate|str_rot13|array_map|array_filter)\s{0,4}\(\s{0,4}(?:["'`]?\s{0,4}(?:base64_decode|gzinflate|str_rot13|\$_(?:GET|POST|REQUEST|COOKIE|SERVER|FILES)|phpinfo|system|exec)|["']\/[^"']{0,60}\/e)/i,
    94,
    'PHP that runs a text',
  ],
  [/(?:^|[;"'`(){}|&@=\s.])phpinfo\s{0,4}\(\s{0,4}(?:-?\d{1,3}\s{0,4})?\)/i, 88, 'phpinfo()'],
  [/\$_(?:GET|POST|REQUEST|COOKIE|SERVER|FILES)\s{0,4}\[/, 66, 'a variable of PHP'],
  [/(?:^|[;'")}])\s{0,4}(?:print|die|exit|echo)\s{0,4}\(\s{0,4}md5\s{0,4}\(/i, 92, 'PHP that proves itself'],
  [
    /\b(?:Response\.Write|Server\.(?:Execute|CreateObject)|WScript\.Shell|CreateObject\s{0,4}\(\s{0,4}["']WScript)/i,
    88,
    'a script of the server',
  ],
  [
    /\bUNSAFE_|@java\.lang|\(#\w+\s{0,4}=\s{0,4}(?:@|new\s|#)|#_memberAccess|\bognl\b|xwork\.MethodAccessor|\bmemberAccess\b/i,
    94,
    'an expression of OGNL',
  ],
  [
    /(?:__proto__|constructor)\s{0,2}(?:\]?\s{0,2}\[\s{0,2}["']?|\.)\s{0,2}(?:prototype|\w+)\s{0,2}["']?\]?\s{0,2}=/,
    86,
    'a prototype that is changed',
  ],
  [
    /\bexec\s{0,4}\(\s{0,4}["'](?:id|cat|ls|whoami|curl|wget|ping|sh|bash|cmd|nslookup|sleep)\b/i,
    92,
    'a call that runs a command',
  ],
]);

function readMarks(text: string): DetectorReading | undefined {
  let found: DetectorReading | undefined;
  for (const [mark, confidence, why] of marks.in(text)) {
    const match = mark.exec(text);
    if (match === null) continue;
    const start = match.index;
    const end = start + match[0].length;
    // Between sentences, a name alone has no effect.
    const isTalk = isProse(text) && !/[(<]/.test(text.slice(start, end + 8));
    found = pickSurer(found, {
      confidence: isTalk ? Math.min(confidence, 62) : confidence,
      why,
      start,
      end,
    });
  }
  return found;
}
