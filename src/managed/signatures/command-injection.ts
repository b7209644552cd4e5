/**
 * Shell commands. People write about shells: `curl … | bash` in an issue, `a && b` in a comment. In a URL, a separator and a
 * command are enough; in a body they must be where a short value would be, or be of the kind that only attackers write.
 */
import { body, cookie, matchAny, headers, query, type Signature, confirm } from './signature.ts';

/** Without the semicolon, which also separates cookies. */
const separator = String.raw`(?:\||&&|\x60|\$\(|\n|\r)`;
/** Commands that are no English words, or have arguments that make them commands. */
const command = String.raw`(?:(?:/(?:usr/)?s?bin/)?(?:cat\s+[/.~$*]|tac\s+/|head\s+/|tail\s+/|more\s+/|ls (?:-\w|/)|whoami|uname(?:\s+-\w|\s*[;|&\x60)]|\s*$)|ifconfig|netstat(?:\s|$)|ps (?:-ef|-?aux)|wget\s+(?:-\w+\s+)*(?:https?:|ftp:|\w+\.)|curl\s+(?:-\w+\s+)*(?:https?:|\w+\.\w)|nc -|ncat\s|netcat\s|ping\s+-[cn]\s*\d|nslookup\s+\S|dig\s+\S+\.\S|host\s+\S+\.\S|chmod\s+(?:x\b|[+\d])|rm -r?f|bash\s+-[ci]|sh -c|perl\s+-e|python[23]?\s+-c|ruby\s+-e|php\s+-r|printenv|busybox\s|tftp\s+-|echo\s+\S+\s*(?:>|\|)|/bin/(?:ba|z|k|c|da)?sh\b))`;

export const commandInjection: readonly Signature[] = [
  {
    legacyId: '100052',
    description: 'Command injection - Unix command behind a separator in the URL',
    categories: ['command-injection', 'unix'],
    expression: confirm(
      'command',
      `(${matchAny(String.raw`(?:;|${separator})\s*${command}`, query)} or ${matchAny(String.raw`${separator}\s*${command}`, cookie)} or ${matchAny(String.raw`(?:[\d'")=]\s*(?:;|\|{1,2}|&&)|\x60|\$\(|[\r\n])\s*(?:id|env|pwd)\s*(?:[;|&\x60)#]|$)|(?:\||\x60|\$\(|&&|[\r\n])\s*sleep\s+\d+\s*(?:[;|&\x60)#]|$)`, query)} or ${matchAny(String.raw`(?:;|&)\s+(?:/bin/)?(?:cat\s+/|whoami\b|uname\s+-|ping\s+-[cn]|wget\s+https?:|curl\s+https?:|nslookup\s)`, query, cookie)})`,
    ),
  },
  {
    legacyId: '100052B',
    description: 'Command injection - Unix command in a short value of a body',
    categories: ['command-injection', 'unix'],
    expression: confirm(
      'command',
      matchAny(
        String.raw`(?:^|[=&]|":\s*")[\w.@:/ -]{0,40}'?(?:;|\||\x60|\$\(|&&|\n)\s*(?:cat\s+/etc/|id\s*(?:[;|\x60)#"&]|$)|whoami\s*(?:[;|\x60)#"&]|$)|uname\s+-a|wget\s+https?:|curl\s+https?:|nc\s+-|ping\s+-[cn]\s*\d|nslookup\s+\S+\.\S|sleep\s+\d+\s*(?:[;|\x60)#"&]|$)|/bin/(?:ba)?sh\b|ls\s+-la?\s*(?:[;|\x60)#"&]|$))`,
        body,
      ),
    ),
  },
  {
    legacyId: '100053',
    description: 'Command injection - white space or names hidden from filters',
    categories: ['command-injection', 'unix'],
    expression: matchAny(
      String.raw`\w\$\{?ifs\b|\{(?:cat|ls|wget|curl|nc|ping|echo|bash|sh|id|uname),[-/.$*~][^{}]*\}|\b(?:c''at|c""at|ca''t|ca""t|c'a't|c"a"t|c\\at\s|ca\\t\s|ca\$@t|w''get|w\\get\s|wg\\et\s|who''ami|who""ami|who\$@ami|l''s\s|/b''in/|/bi\\n/)|/\?{2,}/[\w?]*\?[\w?]*\s|/(?:b\?n|bi\?|\?in)/|\$\(\s*(?:printf|echo)\s+['"]?\\(?:x|\d)`,
      query,
      cookie,
      body,
    ),
  },
  {
    legacyId: '100054',
    description: 'Command injection - reverse shell',
    categories: ['command-injection', 'unix', 'reverse-shell'],
    expression: matchAny(
      String.raw`/dev/(?:tcp|udp)/(?:\d{1,3}\.|[\w-]+\.)|\bbash\s+-i\s*(?:>|2>|&>)|\bnc(?:at|\.traditional|\.openbsd)?\s+(?:-\w+\s+)*-e\s*/bin/|\bmkfifo\s+/tmp/|\bsocat\s+(?:tcp|exec):|\bimport\s+socket\s*[,;].{0,80}\bsubprocess\b|\bfsockopen\s*\(\s*["'][\d.]+["']|\btelnet\s+[\d.]+\s+\d+\s*\|\s*/bin/|\bexec\s+\d+<>/dev/tcp`,
      query,
      body,
      cookie,
      headers,
    ),
  },
  {
    legacyId: '100054B',
    description: 'Command injection - download and run',
    categories: ['command-injection', 'unix'],
    expression: matchAny(
      String.raw`\b(?:wget|curl|fetch|lwp-download)\b[^&]{1,200}(?:;|\||&&)\s*(?:chmod\s+(?:x\b|\+x|[0-7]{3})|(?:ba|da)?sh\b|perl\b|python|\./)|\bcd\s+/tmp\s*(?:;|&&|\|\|)|\bbase64\s+(?:-d|--decode)\s*\|\s*(?:ba)?sh\b`,
      query,
      cookie,
    ),
  },
  {
    legacyId: '100054C',
    description: 'Command injection - botnet that loads itself into a device',
    categories: ['command-injection', 'unix', 'iot'],
    expression: matchAny(
      String.raw`\bcd\s+/(?:tmp|var/run|mnt|root|dev/shm)\b[^"]{0,60}(?:;|\|\||&&)\s*(?:rm\s+-rf|wget|curl|tftp|busybox|/bin/busybox)\b|\bbusybox\s+(?:wget|tftp|ftpget)\b|\bwget\s+(?:-\w+\s+\S+\s+)*https?://\d{1,3}(?:\.\d{1,3}){3}[^\s]*\s*(?:-O\s*\S+\s*)?(?:;|&&|\|)\s*(?:sh\b|chmod)`,
      query,
      body,
      headers,
    ),
  },
  {
    legacyId: '100055',
    description: 'Command injection - Windows command behind a separator',
    categories: ['command-injection', 'windows'],
    expression: matchAny(
      String.raw`&(?:dir\s+[a-z]:|type\s+[a-z]:\\|net\s+user\b|ipconfig\s*/all|ping\s+-n\s)|(?:[;|\n\x60"]|&&|&\s)\s*(?:cmd(?:\.exe)?\s*/[ckr]\b|dir\s+(?:[a-z]:|\\|/[a-z]\b)|type\s+(?:[a-z]:\\|%\w+%)|net\s+(?:user|localgroup|view|share)\b|ipconfig(?:\s*/all|\s*$|\s*&)|systeminfo\b|tasklist\b|whoami\s*/\w|ping\s+-n\s+\d|certutil(?:\.exe)?\s+-|bitsadmin(?:\.exe)?\s+/|wmic\s+\w+|reg\s+(?:query|add|save)\b|mshta\s+(?:https?|vbscript|javascript):|rundll32(?:\.exe)?\s|regsvr32(?:\.exe)?\s+/)`,
      query,
      cookie,
    ),
  },
  {
    legacyId: '100055B',
    description: 'Command injection - Windows tools that fetch or run code',
    categories: ['command-injection', 'windows'],
    expression: `(${matchAny(String.raw`\bcmd(?:\.exe)?\s*/c\s+(?:whoami|dir|ping|net|type|echo|powershell|certutil|ver|set|start)\b`, query, headers)} or ${matchAny(String.raw`\bcertutil(?:\.exe)?\s+-(?:urlcache|decode|f)\b|\bbitsadmin(?:\.exe)?\s+/transfer|\bmshta(?:\.exe)?\s+(?:https?|vbscript|javascript):|\bregsvr32(?:\.exe)?\s+/\w.{0,40}scrobj`, query, body, headers)})`,
  },
  {
    legacyId: '100056',
    description: 'Command injection - PowerShell',
    categories: ['command-injection', 'windows', 'powershell'],
    // In a body, only hidden commands: comments often quote installers in full.
    expression: `(${matchAny(String.raw`\bp(?:ower|w)sh(?:ell)?(?:\.exe)?\s+[^&]{0,80}-(?:(?:e|ec|en|enc|encodedcommand)\s+[a-z0-9/=]{8}|w(?:indowstyle)?\s+hidden\b)|\binvoke-(?:mimikatz|shellcode)\b`, body)} or ${matchAny(String.raw`\bp(?:ower|w)sh(?:ell)?(?:\.exe)?\s+[^&]{0,80}-(?:e|ec|en|enc|encodedcommand|nop|noprofile|noni|noninteractive|w\s+hidden|windowstyle\s+hidden|ep\s+bypass|exec\w*\s+bypass)\b|\b(?:iex|invoke-expression)\b\s*[(&$]?\s*\(?\s*(?:new-object|iwr|invoke-webrequest|irm|\[)|\bnew-object\s+(?:system\.)?net\.(?:webclient|sockets\.tcpclient)\b|\.download(?:string|file|data)\s*\(\s*['"]https?:|\binvoke-(?:mimikatz|shellcode|command\s+-scriptblock)`, query, cookie, headers)})`,
  },
  {
    legacyId: '100030',
    description: 'Shellshock - function definition in a header (CVE-2014-6271)',
    categories: ['command-injection', 'unix', 'cve-2014-6271', 'cve-2014-7169'],
    expression: matchAny(String.raw`\(\)\s*\{\s*(?:[:_\w]*\s*;|\s*\}|\(\w\)=>)`, headers, query),
  },
];
