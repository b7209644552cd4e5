/**
 * Random valid expressions: every operator, kind of literal and way of indexing, over few names and short texts of few
 * letters, so that about as many comparisons are true as are false.
 */
import fc, { type Arbitrary } from 'fast-check';

const letter = fc.constantFrom('a', 'b', 'A', '.', '/', '\\xe9');
/** Often one of a few, so that rules match requests. */
const text = fc
  .oneof(fc.constantFrom('a', 'A', 'b', 'ab', '/a'), fc.string({ unit: letter, maxLength: 3 }))
  .map((content) => `"${content}"`);
const int = fc.constantFrom('0', '1', '2', '-3', '8', '0x10', '9007199254740993');
const ip4 = fc.constantFrom('10.0.0.1', '10.0.0.2', '10.0.1.0', '192.0.2.7', '255.255.255.255', '0.0.0.0');
const ip6 = fc.constantFrom('::1', '2001:db8::1', '2001:db8::ffff', '::ffff:10.0.0.1');
const block = fc.constantFrom(
  '10.0.0.0/8', '10.0.0.0/24', '0.0.0.0/0', '192.0.2.0/28', '2001:db8::/32', '::/0', '10.0.0.1..10.0.1.3',
  '2001:db8::..2001:db8::5', '9.255.255.255..10.0.0.1',
); // prettier-ignore
const regex = fc.constantFrom(
  '"a"', '"^a"', '"b$"', '"(?i)ab"', '"a+b|/"', '"^$"', '"[^a]\\\\."', '"(?:a|b)/"', '"\\x61b"', '".{2}"', 'r"^\\.*a"',
); // prettier-ignore
const wildcard = fc.constantFrom('"*"', '"a*"', '"*B"', '"a*b"', '"/*/*"', '""', '"A"', 'r"\\*a"');

const name = fc.constantFrom('x', 'y', 'z').map((key) => `"${key}"`);
const position = fc.constantFrom('0', '1', '2');

/** Scalars that may be nil, and those that may not. */
const { bytes, bytesEach, ints, ips } = fc.letrec<Record<'bytes' | 'bytesEach' | 'ints' | 'ips', string>>(
  (tie) => ({
    bytes: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      fc.constantFrom(
        'http.host',
        'http.request.uri.path',
        'http.user_agent',
        'ip.src.country',
        'ip.geoip.country',
      ),
      name.map((key) => `http.request.headers[${key}][0]`),
      position.map((index) => `http.request.headers.names[${index}]`),
      fc
        .tuple(fc.constantFrom('lower', 'upper', 'url_decode', 'decode_base64'), tie('bytes'))
        .map(([call, arg]) => `${call}(${arg})`),
      fc.tuple(tie('bytes'), text).map(([arg, literal]) => `concat(${arg}, ${literal})`),
      tie('bytes').map((arg) => `substring(${arg}, -2)`),
      tie('bytesEach').map((arg) => `lower(${arg})[0]`),
    ),
    bytesEach: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      fc.constantFrom(
      'http.request.headers.names[*]', 'http.request.headers.values[*]', 'http.request.headers[*][*]',
      'http.request.headers[*][1]', 'http.request.body.multipart.names[*][*]', 'http.request.body.multipart.names[*][1]',
      'http.request.body.multipart.names[1][*]',
    ), // prettier-ignore
      name.map((key) => `http.request.headers[${key}][*]`),
      fc
        .tuple(fc.constantFrom('lower', 'upper', 'decode_base64'), tie('bytesEach'))
        .map(([call, arg]) => `${call}(${arg})[*]`),
      fc.tuple(tie('bytesEach'), tie('bytes')).map(([arg, other]) => `concat(${arg}, ${other})[*]`),
    ),
    ints: fc.oneof(
      fc.constantFrom('ip.src.asnum', 'cf.threat_score', 'len(http.request.headers.names)'),
      tie('bytes').map((arg) => `len(${arg})`),
      tie('bytesEach').map((arg) => `len(lower(${arg}))`),
      name.map((key) => `len(http.request.headers[${key}])`),
    ),
    ips: fc.oneof(fc.constant('ip.src'), fc.constantFrom('cidr(ip.src, 24, 64)', 'cidr6(ip.src, 32)')),
  }),
);

const order = fc.constantFrom('eq', 'ne', '==', '!=', 'lt', '<', 'le', '<=', 'gt', '>', 'ge', '>=');
const set = (item: Arbitrary<string>, maxLength = 6): Arbitrary<string> =>
  fc.array(item, { maxLength }).map((items) => `in {${items.join(' ')}}`);

const bytesTest = fc.oneof(
  fc.tuple(order, text).map((parts) => parts.join(' ')),
  fc.tuple(fc.constantFrom('eq', 'contains'), text).map((parts) => parts.join(' ')),
  set(text),
  regex.map((pattern) => `matches ${pattern}`),
  fc.tuple(fc.constantFrom('wildcard', 'strict wildcard'), wildcard).map((parts) => parts.join(' ')),
);
const intTest = fc.oneof(
  fc.tuple(fc.oneof(order, fc.constantFrom('&', 'bitwise_and')), int).map((parts) => parts.join(' ')),
  set(fc.oneof(int, fc.constantFrom('0..1', '2..9', '-5..-3', '1..1000000'))),
  fc.constant('in $numbers'),
);
const ipTest = fc.oneof(
  fc.tuple(order, fc.oneof(ip4, ip6)).map((parts) => parts.join(' ')),
  set(fc.oneof(ip4, ip6, block), 8),
  fc.constantFrom('in $office', 'in $nowhere'),
);

const compare = (operand: Arbitrary<string>, test: Arbitrary<string>): Arbitrary<string> =>
  fc.tuple(operand, test).map((parts) => parts.join(' '));

const plainBool = fc.oneof(
  { arbitrary: compare(bytes, bytesTest), weight: 6 },
  { arbitrary: compare(ints, intTest), weight: 2 },
  { arbitrary: compare(ips, ipTest), weight: 3 },
  fc.tuple(bytes, text).map(([operand, literal]) => `lower(${operand}) eq ${literal.toLowerCase()}`),
  fc.constantFrom('ssl', 'true', 'false', 'has_key(http.request.headers, "x")', 'test.flags[1]'),
  fc
    .tuple(fc.constantFrom('starts_with', 'ends_with'), bytes, text)
    .map(([call, arg, part]) => `${call}(${arg}, ${part})`),
);

/** An `Array<Bool>` that stands in `any(…)` as an operand. */
const boolList = fc.oneof(
  fc.constantFrom('test.flags', 'test.flagmap["x"]', 'test.flagmap["z"]'),
  fc.tuple(bytesEach, text).map(([arg, part]) => `starts_with(${arg}, ${part})`),
);

/** An `Array<Bool>` that stands in parentheses. */
const plainBools = fc.oneof(
  { arbitrary: compare(bytesEach, bytesTest), weight: 4 },
  fc.tuple(bytesEach, text).map(([operand, literal]) => `lower(${operand})[*] eq ${literal.toLowerCase()}`),
  { arbitrary: boolList, weight: 2 },
  fc.constantFrom('test.flags[*]', 'test.flagmap["y"][*]', 'test.flagmap[*][*]', 'test.flagmap[*][1]'),
);

const combined = (item: Arbitrary<string>, spellings: readonly string[]): Arbitrary<string> =>
  fc
    .tuple(fc.constantFrom(...spellings), fc.array(item, { minLength: 2, maxLength: 4 }))
    .map(([spelling, items]) => items.join(` ${spelling} `));

const spellings = ['and', 'or', 'xor', '&&', '||', '^^'] as const;

const { bool } = fc.letrec<Record<'bool' | 'bools', string>>((tie) => ({
  bool: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    { arbitrary: plainBool, weight: 6 },
    { arbitrary: combined(tie('bool'), spellings).map((inner) => `(${inner})`), weight: 3 },
    tie('bool').map((inner) => `not ${inner}`),
    fc.tuple(fc.constantFrom('any', 'all'), boolList).map(([call, list]) => `${call}(${list})`),
    fc.tuple(fc.constantFrom('any', 'all'), tie('bools')).map(([call, list]) => `${call}((${list}))`),
  ),
  bools: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    { arbitrary: plainBools, weight: 5 },
    combined(tie('bools'), spellings).map((inner) => `(${inner})`),
    tie('bools').map((inner) => `not ${inner}`),
    // The same list more than once.
    fc
      .tuple(bytesEach, bytesTest, bytesTest, fc.constantFrom('and', 'or', 'xor'))
      .map(([each, one, other, join]) => `${each} ${one} ${join} ${each} ${other}`),
  ),
}));

/** One rule, sometimes in the most common form: a few conditions joined by `and`. */
export const expression: Arbitrary<string> = fc.oneof(
  { arbitrary: bool, weight: 3 },
  { arbitrary: combined(plainBool, ['and', 'or']), weight: 1 },
);
