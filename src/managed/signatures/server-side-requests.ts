/**
 * Requests that a server is tricked into: metadata services, other protocols, unusual spellings of the local host. A plain
 * http://localhost is ordinary, for instance where a native application waits for its login.
 */
import { body, cookie, matchAny, headers, query, type Signature } from './signature.ts';

const start = String.raw`(?:[=\s"'(,@]|^)`;

export const serverSideRequests: readonly Signature[] = [
  {
    legacyId: '100057',
    description: 'SSRF - metadata service of a cloud',
    categories: ['ssrf', 'cloud'],
    expression: matchAny(
      String.raw`(?:/|@)(?:169\.254\.169\.254|169\.254\.170\.2|metadata\.google\.internal|metadata\.goog|100\.100\.100\.200|192\.0\.0\.192|\[?fd00:ec2::254\]?|instance-data(?:/|\.)|metadata\.azure\.internal|169\.254\.169\.254\.(?:nip|sslip|xip)\.io)`,
      query,
      body,
      cookie,
    ),
  },
  {
    legacyId: '100057B',
    description:
      'SSRF - address of the metadata service or the local host as one number, octal or hexadecimal',
    categories: ['ssrf', 'cloud'],
    expression: matchAny(
      String.raw`://(?:[^/@\s]*@)?(?:2852039166|0xa9fea9fe|0xa9\.0xfe\.|0251\.0376\.|025177524776|2130706433|0x7f000001|0x7f\.0|0177\.0|017700000001|\[(?:::ffff:|0{0,4}:){1,7}(?:169\.254\.169\.254|a9fe:a9fe|127\.0\.0\.1|7f00:0*1)\]|127\.1(?:[/:&"'\s]|$))`,
      query,
      body,
    ),
  },
  {
    legacyId: '100058',
    description: 'SSRF - protocol that no web page is fetched with',
    categories: ['ssrf'],
    expression: matchAny(
      String.raw`${start}(?:gopher|dict|tftp|netdoc|jar:https?|ldaps?|sftp|rmi|iiop|nntp|finger)://?[\w\[{$%.-]`,
      query,
    ),
  },
  {
    legacyId: '100058B',
    description: 'SSRF - gopher, dict or jar address in a body',
    categories: ['ssrf'],
    expression: matchAny(
      String.raw`["'=\s>](?:gopher://[\w.\[-]+:?\d*/_|dict://[\w.-]+:\d+|netdoc:/|jar:https?://[^\s"']+!/)`,
      body,
    ),
  },
  {
    legacyId: '100059',
    description: 'SSRF - host name of a service that records who looks it up',
    categories: ['ssrf', 'out-of-band'],
    expression: matchAny(
      String.raw`\b[\w-]+\.(?:oast\.(?:fun|live|me|online|pro|site)|interact\.sh|interactsh\.com|burpcollaborator\.net|oastify\.com|dnslog\.(?:cn|link)|ceye\.io|requestrepo\.com|canarytokens\.com|bxss\.me|xss\.ht|r87\.me)\b`,
      query,
      body,
      cookie,
      headers,
    ),
  },
  {
    legacyId: '100060',
    description: 'SSRF - address of the local host',
    categories: ['ssrf'],
    action: 'log',
    expression: matchAny(
      String.raw`=https?://(?:localhost|127\.\d{1,3}\.\d{1,3}\.\d{1,3}|0\.0\.0\.0|\[::1?\])(?:[:/&]|$)`,
      query,
    ),
  },
  {
    legacyId: '100060B',
    description: 'SSRF - address in a private network',
    categories: ['ssrf'],
    enabled: false,
    action: 'log',
    expression: matchAny(
      String.raw`=https?://(?:10\.\d{1,3}|192\.168|172\.(?:1[6-9]|2\d|3[01]))\.\d{1,3}\.\d{1,3}(?:[:/&]|$)`,
      query,
    ),
  },
];
