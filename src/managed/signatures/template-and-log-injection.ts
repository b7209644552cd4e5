/**
 * Expressions for template engines, and lookups for loggers. Placeholders such as `{{ name }}`, `${name}` or `${A:-${B}}`
 * are ordinary; arithmetic that tests whether it is evaluated, and access to classes and processes, are not.
 */
import { body, cookie, matchAny, matchAnyWith, headers, path, query, type Signature } from './signature.ts';

const open = String.raw`(?:\$|\\u0024)(?:\{|\\u007b)`;
const lookup = String.raw`(?:lower|upper|env|sys|java|main|date|ctx|log4j|base64|k8s|docker|spring|bundle|web|map|sd|marker|event|hostname|\w{0,8}:)`;

export const templateAndLogInjection: readonly Signature[] = [
  {
    legacyId: '100514',
    description: 'Log4j - JNDI lookup (CVE-2021-44228)',
    categories: ['log-injection', 'java', 'cve-2021-44228'],
    expression: matchAny(String.raw`${open}\s*jndi\s*:`, path, query, body, cookie, headers),
  },
  {
    legacyId: '100515',
    description: 'Log4j - JNDI lookup put together from other lookups (CVE-2021-44228, CVE-2021-45046)',
    categories: ['log-injection', 'java', 'cve-2021-44228', 'cve-2021-45046'],
    expression: matchAny(
      String.raw`${open}[^{}]{0,40}${open}[^{}]{0,10}${lookup}[^{}]{0,60}\}|${open}(?:::-?|\w{1,10}:[^{}]{0,30}:-)[jJ]\}|${open}[^}]{0,40}jndi[^}]{0,40}(?:ldaps?|rmi|dns|iiop|corba|nds|nis|https?)\W`,
      path,
      query,
      body,
      cookie,
      headers,
    ),
  },
  {
    legacyId: '100516',
    description: 'Log4j - encoded JNDI lookup in a header',
    categories: ['log-injection', 'java', 'cve-2021-44228'],
    expression: matchAny(
      String.raw`%24%7b(?:jndi|%24%7b|lower|upper|env|::-)|jndi:(?:ldaps?|rmi|dns|iiop|corba|nds|https?):/`,
      headers,
    ),
  },
  {
    legacyId: '100517',
    description: 'Log4j - lookup that gives the environment away',
    categories: ['log-injection', 'java'],
    expression: matchAny(
      String.raw`${open}(?:env|sys|ctx|java|docker|k8s|spring):[\w.:-]{2,60}\}`,
      headers,
      query,
      path,
    ),
  },
  {
    legacyId: '100061',
    description: 'SSTI - arithmetic in the brackets of a template engine',
    categories: ['ssti'],
    expression: matchAny(
      String.raw`(?:\{\{|\$\{|#\{|<%=|\{%|\*\{|@\()\s*['"(]*\d{1,10}['")]*\s*[*]\s*['"(]*\d{1,10}['")]*\s*(?:\}|%>|\))`,
      path,
      query,
      body,
      cookie,
      headers,
    ),
  },
  {
    legacyId: '100062',
    description: 'SSTI - way to classes and globals (Jinja2, Twig, Mako, Tornado)',
    categories: ['ssti', 'python', 'php'],
    expression: `(${matchAnyWith('{', String.raw`\{[{%][^}]*(?:__(?:class|mro|subclasses|globals|builtins|import|init|base)__|\bconfig\s*(?:\.|\[|\}\})|\brequest\s*\.\s*application|\b_self\s*\.\s*env|\bself\s*\.\s*_templatereference|\blipsum\b|\bcycler\b\s*\.|\bjoiner\b\s*\.|\|\s*attr\s*\(|\['(?:id|cat|ls)[^\]]*\]\s*\|\s*(?:filter|map|sort)\b)`, path, query, body, cookie)} or ${matchAny(String.raw`__subclasses__\s*\(|\.__mro__\b|__globals__\s*[\[.]|<%\s*import\s+os\b`, path, query, body, cookie, headers)})`,
  },
  {
    legacyId: '100063',
    description:
      'SSTI - Java expression that reaches a process (Spring, FreeMarker, Velocity, Thymeleaf, OGNL)',
    categories: ['ssti', 'java'],
    expression: matchAny(
      String.raw`\bt\s*\(\s*java\.(?:lang|util|io|net)|freemarker\.template\.utility\.(?:execute|objectconstructor|jythonruntime)|#set\s*\(\s*\$\w+\s*=.{0,200}(?:getclass|class\.inspect|forname)|\bgetclass\s*\(\s*\)\s*\.\s*forname\s*\(|__\$\{[^}]*\}__::|\bjava\.lang\.(?:runtime|processbuilder)\b.{0,60}(?:getruntime|exec\s*\(|start\s*\(|\()|\bgetruntime\s*\(\s*\)\s*\.\s*exec\s*\(|\bnew\s+java\.lang\.processbuilder\b|scriptenginemanager\s*\(`,
      path,
      query,
      cookie,
      headers,
    ),
  },
  {
    legacyId: '100063B',
    description: 'SSTI - Java expression that reaches a process, in a body',
    categories: ['ssti', 'java'],
    expression: matchAny(
      String.raw`(?:[$#*%]\{|\{\{|#set)[^}]{0,300}(?:\bt\s*\(\s*java\.lang|getruntime\s*\(\s*\)|java\.lang\.(?:runtime|processbuilder)|getclass\s*\(\s*\)\s*\.\s*forname|freemarker\.template\.utility|@java\.lang)|freemarker\.template\.utility\.execute["'\s]*\?\s*new`,
      body,
    ),
  },
  {
    legacyId: '100064',
    description: 'SSTI - JavaScript and Ruby templates',
    categories: ['ssti', 'nodejs', 'ruby'],
    expression: `(${matchAny(String.raw`\{\{[^}]*constructor\s*(?:\.|\[\s*['"])\s*constructor|constructor\s*\.\s*constructor\s*\(\s*['"]|<%=?\s*(?:system|\x60|exec|file\.(?:open|read)|dir\.|global\.process|process\.mainmodule)|#\{\s*(?:system|exec|\x60|file\.read|global\.process)|process\.mainmodule\.require\s*\(`, path, query, body, cookie)} or ${matchAny(String.raw`require\s*\(\s*['"]child_process['"]\s*\)\s*\.\s*exec`, query, cookie)})`,
  },
  {
    legacyId: '100064B',
    description: 'SSTI - Smarty, Blade and other PHP templates',
    categories: ['ssti', 'php'],
    group: 'Cloudflare Php',
    expression: matchAny(
      String.raw`\{php\}|\{smarty\.(?:template_object|version)|\{system\s*\(|\{if\s+(?:phpinfo|system|passthru|exec|shell_exec)\s*\(|\{\{\s*(?:system|passthru|shell_exec|phpinfo|file_get_contents)\s*\(|@php\s.{0,40}(?:system|exec|passthru)\s*\(`,
      query,
      body,
    ),
  },
  {
    legacyId: '100065',
    description: 'SSI - server-side include or edge-side include',
    categories: ['ssi'],
    expression: matchAny(
      String.raw`<!--\s*#\s*(?:exec|include|echo|config|printenv|fsize|flastmod)\b|<esi:(?:include|inline|vars|debug)`,
      path,
      query,
      body,
      headers,
    ),
  },
];
