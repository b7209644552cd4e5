/** Injection into NoSQL queries, LDAP and XPath filters, JavaScript prototypes, headers and mails. */
import {
  body,
  cookie,
  matchAny,
  matchAnyWith,
  headers,
  host,
  path,
  query,
  rawUri,
  type Signature,
  confirm,
} from './signature.ts';

const operator = String.raw`\$(?:ne|eq|gte?|lte?|n?in|regex|where|exists|or|and|nor|not|type|expr|elemmatch)`;

export const otherInjection: readonly Signature[] = [
  {
    legacyId: '100076',
    description: 'NoSQL injection - operator as the name of an argument',
    categories: ['nosqli'],
    expression: matchAny(
      String.raw`(?:^|&)(?:(?:user(?:_?name)?|login|e-?mail|pass(?:word|wd)?|pwd|token|code|otp|pin|secret)\[${operator}\]|[\w.-]+\[\$where\])(?:\[[^\]]*\])*=`,
      query,
      body,
    ),
  },
  {
    legacyId: '100076B',
    description: 'NoSQL injection - operator for a name or a password in JSON',
    categories: ['nosqli'],
    expression: matchAnyWith(
      '"$',
      String.raw`"(?:user(?:_?name)?|login|e-?mail|pass(?:word|wd)?|pwd|token|code|otp|pin|secret)"\s*:\s*\{\s*"${operator}"\s*:`,
      body,
    ),
  },
  {
    legacyId: '100076C',
    description: 'NoSQL injection - JavaScript in a query',
    categories: ['nosqli'],
    expression: `(${matchAny(String.raw`"\$(?:where|function|accumulator)"\s*:\s*(?:"|\{)`, body)} or ${matchAny(String.raw`"\$where"|'\s*(?:\|\||&&)\s*(?:this\.\w+|'\w*'\s*==\s*'|1\s*==\s*1)|;\s*return\s+(?:true|1)\s*;?\s*(?:var|//|\})|\bdb\.\w+\.(?:find|insert|drop|remove)\s*\(`, query)})`,
  },
  {
    legacyId: '100077',
    description: 'Prototype pollution - __proto__ or constructor.prototype in an argument',
    categories: ['prototype-pollution', 'nodejs'],
    expression: matchAny(
      String.raw`(?:^|&)[\w.\[\]-]*(?:\b__proto__\b|constructor(?:\]\[|\[|\.)prototype\b)[\w.\[\]-]*=`,
      query,
      body,
    ),
  },
  {
    legacyId: '100077B',
    description: 'Prototype pollution - __proto__ as a member in JSON',
    categories: ['prototype-pollution', 'nodejs'],
    expression: matchAny(
      String.raw`"(?:__proto__|\\u005f\\u005fproto\\u005f\\u005f)"\s*:|"constructor"\s*:\s*\{\s*"prototype"\s*:`,
      body,
    ),
  },
  {
    legacyId: '100078',
    description: 'LDAP injection',
    categories: ['ldapi'],
    expression: confirm(
      'ldap',
      matchAny(
        String.raw`\)\([|&!]?\s*\(?\s*(?:uid|cn|sn|mail|objectclass|samaccountname|userpassword|memberof|givenname|department)\s*=|\)\([|&]\s*\(|\*\)\)\x00|\([|&]\(objectclass\s*=`,
        query,
        body,
        cookie,
      ),
    ),
  },
  {
    legacyId: '100079',
    description: 'XPath injection',
    categories: ['xpathi'],
    expression: matchAny(
      String.raw`['"\]]\s*(?:or|and|\|)\s*(?:count|string-length|substring|name|starts-with|contains)\(/|['"\])]\|//|\]\|/{1,2}\*|(?:ancestor|child|descendant|following|parent|preceding|self)(?:-or-self|-sibling)?::(?:\*|node\s*\(|text\s*\()|\bdoc\s*\(\s*(?:concat\s*\(|['"]https?:)`,
      query,
      body,
    ),
  },
  {
    legacyId: '100080',
    description: 'Header injection - line break and a header in the URL',
    categories: ['crlf', 'header-injection'],
    expression: matchAny(
      String.raw`[\r\n]\s*(?:set-cookie|location|content-(?:type|length|disposition|encoding)|transfer-encoding|refresh|link|host|x-[\w-]+|access-control-[\w-]+|content-security-policy)\s*:|[\r\n]\s*http/[\d.]+\s+\d{3}|[\r\n]\s*(?:get|post|head|put|delete)\s+/\S*\s+http/`,
      path,
      query,
    ),
  },
  {
    legacyId: '100080B',
    description: 'Header injection - line break in UTF-8 that becomes one in Latin-1',
    categories: ['crlf', 'header-injection', 'encoding'],
    expression: matchAny(String.raw`%e5%98%8[ad](?:%e5%98%8[ad])?[^&]{0,40}:`, rawUri),
  },
  {
    legacyId: '100081',
    description: 'Mail injection - line break and a mail header in a field of a form',
    categories: ['mail-injection', 'crlf'],
    expression: matchAnyWith(
      '=',
      String.raw`(?:^|&)(?:[\w-]*(?:subject|from|e-?mail|name|reply-?to|sender|recipient))=[^&\r\n]*[\r\n]+\s*(?:bcc|cc|to|content-type|mime-version|subject)\s*:`,
      query,
      body,
    ),
  },
  {
    legacyId: '100082',
    description: 'Host header injection - host with markup or a path',
    categories: ['header-injection'],
    expression: matchAny(String.raw`[<>"'\x60{}|\\\s]|/|\.\.`, host),
  },
  {
    legacyId: '100083',
    description: 'Injection - SQL in X-Forwarded-For, User-Agent or Referer',
    categories: ['sqli', 'header-injection'],
    expression: matchAny(
      String.raw`(?:'|"|\d)\)*(?:\s|/\*.*?\*/)*(?:\b(?:and|x?or)\b|\|\||;|,)?(?:\s|/\*.*?\*/|\()*(?:select\s*\(?\s*(?:sleep|\*|pg_sleep|char|\d)|(?:pg_)?sleep\s*\(\s*\d|benchmark\s*\(\s*\d|waitfor\s+delay|union\s+(?:all\s+)?select|if\s*\(\s*now\s*\(\s*\)\s*=)`,
      headers,
    ),
  },
];
