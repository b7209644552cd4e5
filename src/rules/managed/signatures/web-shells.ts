/** Web shells: scripts that run any command, being uploaded or already installed. */
import {
  body,
  confirm,
  cookie,
  matchAny,
  headers,
  path,
  query,
  rawBody,
  type Signature,
} from './signature.ts';

const filenames = 'http.request.body.multipart.filenames[*][*]';
const hasFile = `any(${filenames} ge "")`;
const run = String.raw`(?:eval|assert|system|exec|shell_exec|passthru|popen|proc_open|pcntl_exec|create_function)`;
const phpShell = String.raw`<\?(?:php|=)?[^?]{0,400}\b${run}\s*\(\s*[^;]{0,80}(?:\$_(?:get|post|request|cookie|server|files)|getallheaders|php://input|base64_decode|\$\{|chr\s*\()|\b(?:eval|assert|system|passthru|shell_exec)\s*\(\s*(?:stripslashes\s*\(\s*|base64_decode\s*\(\s*|@)*\$_(?:get|post|request|cookie|server)\s*\[`;

export const webShells: readonly Signature[] = [
  {
    legacyId: '100039',
    description: 'Web shell - well-known names',
    categories: ['web-shell'],
    expression: matchAny(
      String.raw`/(?:c99(?:shell|madshell)?|r57(?:shell)?|b374k|wso(?:\d[\w.]*)?|weevely|alfa(?:cgiapi|_data|shell|new)?|indoxploit|mini(?:shell)|cmdasp|aspxspy|antichat|mailer-?1|adminer-shell|godzilla|behinder|regeorg|tunnel\.nosocket|1337(?:w0rm)?|sh3ll|shell(?:\d{1,2})?|cmd|webshell|uploader-?shell|filesman|leafmailer|marijuana|0x[\w]{2,6}shell|wp-(?:l0gin|conf1g|vcd|tmp|feed))\.(?:php\d?|phtml|aspx?|ashx|jspx?|cfm|cgi|pl)$`,
      path,
    ),
  },
  {
    legacyId: '100039B',
    description: 'Web shell - PHP code that runs what a request says',
    categories: ['web-shell', 'php'],
    group: 'Cloudflare Php',
    // Detectors do not inspect files.
    expression: `(${confirm('code', matchAny(phpShell, body, query, cookie, headers))} or (${hasFile} and ${matchAny(phpShell, body)}))`,
  },
  {
    legacyId: '100039C',
    description: 'Web shell - commands of a controller (China Chopper and its like)',
    categories: ['web-shell'],
    expression: matchAny(
      String.raw`@eval\s*\(|(?:^|&)\w{1,16}=(?:@?eval|assert)\s*\(\s*(?:base64_decode|@?\$_|urldecode|gz)|@ini_set\s*\(\s*["']display_errors|(?:^|&)z0=qgluav9zzxq|response\.write\s*\(\s*"->\||execute\s*\(\s*"execute`,
      body,
      query,
      cookie,
    ),
  },
  {
    legacyId: '100039D',
    description: 'Web shell - ASP or ASP.NET code that runs what a request says',
    categories: ['web-shell', 'dotnet'],
    expression: matchAny(
      String.raw`<%[^%]{0,300}\b(?:eval|execute|executeglobal)\s*(?:\(\s*)?request\b|<%[^%]{0,600}(?:wscript\.shell|process\.start|new\s+processstartinfo|cmd\.exe)|<%@\s*page\s+language\s*=\s*\\?["']jscript\\?["'][^%]*%>\s*<%\s*eval`,
      body,
      query,
    ),
  },
  {
    legacyId: '100039E',
    description: 'Web shell - JSP code that starts a process',
    categories: ['web-shell', 'java'],
    expression: matchAny(
      String.raw`<(?:%|jsp:scriptlet)[^>]{0,600}(?:getruntime\s*\(\s*\)\s*\.\s*exec|new\s+processbuilder|defineclass|request\.getparameter\s*\([^)]*\)\s*\)\s*\.getinputstream)|<%\s*!?\s*class\s+\w+\s+extends\s+classloader`,
      body,
    ),
  },
  {
    legacyId: '100040',
    description: 'Upload - script that the server would run',
    categories: ['upload', 'web-shell'],
    expression: matchAny(
      String.raw`\.(?:php[3-8]?|phtml|phar|pht|phps|jspx?|jspf|war|aspx?|ashx|asmx|asa|cer|cfm|cgi|htaccess|user\.ini)(?:\.|::\$|;|%00|\x00|\s|/)*$`,
      filenames,
    ),
  },
  {
    legacyId: '100040B',
    description: 'Upload - script with the name of a picture',
    categories: ['upload', 'web-shell'],
    expression: matchAny(
      String.raw`\.(?:php[3-8]?|phtml|phar|jsp|aspx?)(?:\.|;|%00|\x00)+(?:jpe?g|png|gif|bmp|svg|txt|pdf|zip)$`,
      filenames,
    ),
  },
  {
    legacyId: '100040C',
    description: 'Upload - PHP code in a picture',
    categories: ['upload', 'web-shell', 'php'],
    group: 'Cloudflare Php',
    expression: matchAny(
      String.raw`(?:gif8[79]a|\x89png|\xff\xd8\xff|%pdf-)[\s\S]*<\?(?:php\s|=\s*[$\x60a-z])`,
      rawBody,
    ),
  },
  {
    legacyId: '100040D',
    description: 'Upload - file name that leaves its folder',
    categories: ['upload', 'directory-traversal'],
    expression: matchAny(String.raw`(?:^|[/\\])\.\.[/\\]|^/(?:etc|var|usr|tmp|home|root)/`, filenames),
  },
  {
    legacyId: '100041',
    description: 'PHP - functions that run commands, in an argument',
    categories: ['php', 'rce'],
    group: 'Cloudflare Php',
    expression: confirm(
      'code',
      matchAny(
        String.raw`(?:^|[=&;"'({\[\s!|])(?:system|passthru|shell_exec|popen|proc_open|pcntl_exec|assert|phpinfo|call_user_func(?:_array)?|create_function|file_put_contents)\s*\(\s*(?:['"$\x60\[]|\)|base64_decode|chr\s*\(|\d)|(?:^|[=&;"'({\[\s!|])(?:exec|eval|var_dump)\s*\(\s*(?:\$|base64_decode|chr\s*\(|md5\s*\(|phpinfo)`,
        query,
        cookie,
      ),
    ),
  },
  {
    legacyId: '100041B',
    description: 'PHP - settings or superglobals from outside',
    categories: ['php', 'rce'],
    group: 'Cloudflare Php',
    expression: matchAny(
      String.raw`(?:^|[&?])(?:globals|_(?:server|session|env|files|request|cookie|get|post))(?:\[|=)|(?:^|[&?])[^&=]*=["'\s{(]*\$\{?_(?:get|post|request|cookie|server|files)\s*[\[{]|\ballow_url_include\s*=|\bauto_prepend_file\s*=`,
      query,
    ),
  },
];
