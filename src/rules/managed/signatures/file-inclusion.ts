/** Paths in spellings that occur only in attacks, and remote files that a page is made to include. */
import { matchAny, query, rawUri, type Signature } from './signature.ts';

export const fileInclusion: readonly Signature[] = [
  {
    legacyId: '100045C',
    description: 'Traversal - path that leaves the root by way of an encoded or doubled separator',
    categories: ['directory-traversal'],
    expression: matchAny(
      String.raw`^[^?]*(?:/(?:%2e%2e|\.%2e|%2e\.)/|(?:%2e%2e|\.%2e|%2e\.|\.\.)(?:%2f|%5c|\\|;/|%252f|%255c))|^[^?]*(?:%25){1,4}(?:2e(?:%25|%)*2e|2f|5c)[^?]*(?:\.\.|%2e|%252e)|\.\.\.\.(?:/|\\|%2f|%5c){2}`,
      rawUri,
    ),
  },
  {
    legacyId: '100046',
    description: 'Traversal - dots or slashes in overlong UTF-8 or full width',
    categories: ['directory-traversal', 'encoding'],
    expression: matchAny(
      String.raw`%c0%(?:ae|af|2e|2f|5c)|%c1%(?:1c|9c|8s|af|pc)|%e0%80%(?:ae|af)|%f0%80%80%a[ef]|%uff0e%uff0e|%u002e%u002e|%u2215|%u2216|%bg%qf`,
      rawUri,
    ),
  },
  {
    legacyId: '100050',
    description: 'RFI - script from elsewhere in a parameter that names a file',
    categories: ['rfi'],
    expression: matchAny(
      String.raw`(?:^|&)(?:\w*(?:include|inc|tpl|template|incfile|filename|basepath|absolute_path|abspath|phpbb_root_path|mosconfig\w*|document_root|classpath|libpath|config\w*path)\w*|_server\[\w+\]|globals\[\w+\])=(?:https?|ftps?|smb)://[^&]+\.(?:txt|php\d?|phtml|inc|dat|cgi|asp|jpg|gif|log)\?*(?:&|$)`,
      query,
    ),
  },
  {
    legacyId: '100050B',
    description: 'RFI - address that cuts off what the page appends',
    categories: ['rfi'],
    expression: matchAny(
      String.raw`=(?:https?|ftps?)://[^&?]+\.(?:txt|php\d?|inc|dat)(?:\?{1,3}|%00|\x00)(?:&|$)`,
      query,
    ),
  },
  {
    legacyId: '100050C',
    description: 'RFI - script on a bare IP address',
    categories: ['rfi'],
    action: 'log',
    expression: matchAny(
      String.raw`=(?:https?|ftps?)://\d{1,3}(?:\.\d{1,3}){3}(?::\d+)?/[^&]*\.(?:txt|php\d?|sh|pl|py|exe|dll|bin)(?:\?|&|$)`,
      query,
    ),
  },
  {
    legacyId: '100051',
    description: 'LFI - null byte that ends a file name',
    categories: ['lfi', 'encoding'],
    expression: matchAny(String.raw`(?:%00|%2500|%u0000|\x00)(?:\.|$|&|/|%2e)|%c0%80`, rawUri),
  },
];
