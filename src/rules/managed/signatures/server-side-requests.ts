/**
 * Requests that a server is tricked into: metadata services, other protocols, unusual spellings of the local host. A
 * plain http://localhost is ordinary, for instance where a native application waits for its login.
 */
import { body, cookie, matchAny, headers, query, type Signature } from './signature.ts';

export const serverSideRequests: readonly Signature[] = [
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
