/** External entities and other attacks on XML parsers. */
import { body, matchAny, query, rawBody, type Signature } from './signature.ts';

export const xml: readonly Signature[] = [
  {
    legacyId: '100074',
    description: 'XXE - external entity',
    categories: ['xxe'],
    expression: matchAny(String.raw`<!entity\s+(?:%\s+)?[\w.:-]+\s+(?:system|public)\s`, body, query),
  },
  {
    legacyId: '100074B',
    description: 'XXE - entities within entities',
    categories: ['xxe', 'dos'],
    expression: matchAny(String.raw`<!entity\s+[\w.:-]+\s+["'](?:\s*&[\w.:-]+;){4,}`, body),
  },
  {
    legacyId: '100074C',
    description: 'XXE - document type from a local file or another protocol',
    categories: ['xxe'],
    expression: matchAny(
      String.raw`<!doctype\s+[\w.:-]+\s+(?:system|public\s+["'][^"']*["'])\s*["'](?:file|ftp|php|expect|gopher|jar|netdoc|data):`,
      body,
    ),
  },
  {
    legacyId: '100074D',
    description: 'XXE - entity in UTF-16 or with an encoded name',
    categories: ['xxe', 'encoding'],
    expression: matchAny(
      String.raw`<\x00!\x00[ed]\x00(?:n\x00t\x00i|o\x00c\x00t)|<\?xml[^>]*encoding\s*=\s*["']utf-?7`,
      rawBody,
    ),
  },
  {
    legacyId: '100075',
    description: 'XML - inclusion of a file (XInclude)',
    categories: ['xxe'],
    expression: matchAny(
      String.raw`<xi:include[^>]*\shref\s*=|http://www\.w3\.org/2001/xinclude`,
      body,
      query,
    ),
  },
  {
    legacyId: '100075B',
    description: 'XSLT - extension that runs code',
    categories: ['xxe', 'xslt'],
    expression: matchAny(
      String.raw`<(?:msxsl:script|xsl:[\w-]+[^>]*(?:php:function|rt:exec|rt:getruntime|document\s*\(\s*['"](?:file|https?):))|xmlns:\w+\s*=\s*["'](?:http://xml\.apache\.org/(?:xalan/)?java|xalan://|http://php\.net/xsl|urn:schemas-microsoft-com:xslt)`,
      body,
    ),
  },
];
