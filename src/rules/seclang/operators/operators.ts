/** Every operator, by its name after `@` in rules, in lower case. */
import { geoLookup } from './addresses/geo-lookup.ts';
import { ipMatchFromFile } from './addresses/ip-match-from-file.ts';
import { ipMatch } from './addresses/ip-match.ts';
import { rbl } from './addresses/rbl.ts';
import { beginsWith } from './compare/begins-with.ts';
import { containsWord } from './compare/contains-word.ts';
import { contains } from './compare/contains.ts';
import { endsWith } from './compare/ends-with.ts';
import { eq } from './compare/eq.ts';
import { ge } from './compare/ge.ts';
import { gt } from './compare/gt.ts';
import { le } from './compare/le.ts';
import { lt } from './compare/lt.ts';
import { streq } from './compare/streq.ts';
import { within } from './compare/within.ts';
import { detectSQLi } from './detect/detect-sqli.ts';
import { detectXSS } from './detect/detect-xss.ts';
import type { OperatorDefinition } from './operator.ts';
import { pmFromFile } from './pm-from-file.ts';
import { pm } from './pm.ts';
import { rx } from './rx.ts';
import { noMatch } from './validate/no-match.ts';
import { unconditionalMatch } from './validate/unconditional-match.ts';
import { validateByteRange } from './validate/validate-byte-range.ts';
import { validateUrlEncoding } from './validate/validate-url-encoding.ts';
import { validateUtf8Encoding } from './validate/validate-utf8-encoding.ts';

const all: readonly OperatorDefinition[] = [
  beginsWith,
  contains,
  containsWord,
  detectSQLi,
  detectXSS,
  endsWith,
  eq,
  ge,
  geoLookup,
  gt,
  ipMatch,
  ipMatchFromFile,
  le,
  lt,
  noMatch,
  pm,
  pmFromFile,
  rbl,
  rx,
  streq,
  unconditionalMatch,
  validateByteRange,
  validateUrlEncoding,
  validateUtf8Encoding,
  within,
];

export const operators: ReadonlyMap<string, OperatorDefinition> = new Map([
  ...all.map((operator) => [operator.name, operator] as const),
  // Short names that rules also use.
  ['pmf', pmFromFile] as const,
  ['ipmatchf', ipMatchFromFile] as const,
]);
