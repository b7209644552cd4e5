/** For tests: random expressions of the grammar, in every spelling, and their trees without spans. */
import fc, { type Arbitrary } from 'fast-check';
import { defineField } from './scheme.ts';
import { scheme } from './full-scheme.ts';
import { arrayOf, boolType, mapOf } from './types.ts';

/** The language with fields of type `Array<Bool>`, which the real language does not have. */
export const testScheme = scheme.with({
  fields: [
    defineField('test.flags', arrayOf(boolType)),
    defineField('test.flagmap', mapOf(arrayOf(boolType))),
  ],
});

const character = fc.oneof(
  fc.constantFrom('a', 'B', '0', ' ', '/', '.', '*', 'é', '€', '😀', '\n', '#'),
  fc.constantFrom(String.raw`\"`, '\\\\', String.raw`\x00`, String.raw`\xFf`, String.raw`\101`),
);
const quoted = fc.string({ unit: character, maxLength: 6 }).map((text) => `"${text}"`);
const raw = fc
  .tuple(
    fc.string({ unit: fc.constantFrom('a', '\\', 'n', ' ', '"#', 'é'), maxLength: 5 }),
    fc.nat({ max: 1 }),
  )
  .map(([text, extra]) => `r##${'#'.repeat(extra)}"${text}"##${'#'.repeat(extra)}`);
const byteString = fc
  .array(fc.nat({ max: 255 }), { minLength: 2, maxLength: 4 })
  .map((bytes) => bytes.map((byte) => byte.toString(16).padStart(2, '0')).join(':'));
const bytes = fc.oneof({ weight: 3, arbitrary: quoted }, raw, byteString);

const int = fc.oneof(
  fc.integer({ min: -1000, max: 1000 }).map(String),
  fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map(String),
  fc.nat({ max: 0xffff }).map((number) => `0x${number.toString(16)}`),
  fc.nat({ max: 0o777 }).map((number) => `0${number.toString(8)}`),
);
const intItem = fc.oneof(
  int,
  fc.tuple(fc.nat({ max: 99 }), fc.nat({ max: 99 })).map(([from, more]) => `${from}..${from + more}`),
);

const ip = fc.oneof(fc.ipV4(), fc.ipV6());
const ipItem = fc.oneof(
  ip,
  fc.constantFrom('10/8', '172.16/12', '0.0.0.0/0', '2001:db8::/32', '::/0', '1.1.1.01', '192.0.2.1/32'),
  fc.constantFrom('10.0.0.1..10.0.0.9', '::1..::ffff', '1.1.1.1..1.1.1.1'),
);

const regex = fc.constantFrom(
  '"a+"',
  String.raw`"^\d{2}[\"x]\"$"`,
  String.raw`r"\w+\.(?i)com"`,
  '"["]x"',
  'r#"a"b"#',
);
const wildcard = fc.constantFrom('"*.example.com"', String.raw`r"a\*b*"`, '"é*"', String.raw`"\\\\*"`, '""');

function createSpelling(...spellings: readonly string[]): Arbitrary<string> {
  return fc.constantFrom(...spellings);
}

const order = createSpelling('eq', '==', 'ne', '!=', 'lt', '<', 'le', '<=', 'gt', '>', 'ge', '>=');
const space = createSpelling(' ', '  ', '\n', '\r\n ');

function set(item: Arbitrary<string>): Arbitrary<string> {
  return fc.array(item, { maxLength: 4 }).map((items) => `in {${items.join(' ')}}`);
}

const key = quoted.filter((text) => !text.includes(String.raw`\xFf`));
const bytesOperand = fc.oneof(
  fc.constantFrom('http.host', 'http.request.uri.path', 'ip.geoip.country', 'http.request.headers["x"][0]'),
  fc.constantFrom('lower(http.host)', 'concat("a", http.host, a1:62)', 'url_decode(upper(http.host), "ru")'),
  fc.constantFrom(
    'substring(http.host, -3, 02)',
    'lookup_json_string(http.host, "a", 1)',
    'join(split(http.host, "a", 3), r"\\")',
  ),
  key.map((text) => `http.request.headers[${text}][2]`),
);
const intOperand = fc.constantFrom(
  'ip.src.asnum',
  'len(http.host)',
  'len(http.request.headers.names)',
  'cf.threat_score',
);
const ipOperand = fc.constantFrom('ip.src', 'cidr(ip.src, 24, 64)', 'cidr6(ip.src, 48)');
const bytesList = fc.constantFrom(
  'http.request.headers["x"][*]',
  'http.request.headers[*][*]',
  'http.request.body.multipart.names[*][1]',
  'lower(http.request.headers.names[*])[*]',
);
const boolOperand = fc.constantFrom(
  'ssl',
  'true',
  'test.flags[1]',
  'starts_with(http.host, "a")',
  'has_key(http.request.headers, "x")',
  'has_value(test.flags, (ssl or not ssl))',
  'has_value(test.flags, ssl)',
);
const flagList = fc.constantFrom(
  'test.flags',
  'test.flagmap["x"]',
  'starts_with(http.request.headers.names[*], "X")',
);

const bytesTest = fc.oneof(
  fc.tuple(order, bytes).map((parts) => parts.join(' ')),
  fc.tuple(createSpelling('contains'), bytes).map((parts) => parts.join('')),
  fc.tuple(createSpelling('matches ', '~'), regex).map((parts) => parts.join('')),
  fc.tuple(createSpelling('wildcard ', 'strict wildcard '), wildcard).map((parts) => parts.join('')),
  set(bytes),
  fc.constant('in $hosts'),
);
const intTest = fc.oneof(
  fc.tuple(order, int).map((parts) => parts.join(' ')),
  fc.tuple(createSpelling('& ', 'bitwise_and '), int).map((parts) => parts.join('')),
  set(intItem),
);
const ipTest = fc.oneof(
  fc.tuple(order, ip).map((parts) => parts.join(' ')),
  set(ipItem),
  fc.constant('in$office'),
);

function createComparison(operand: Arbitrary<string>, test: Arbitrary<string>): Arbitrary<string> {
  return fc.tuple(operand, space, test).map((parts) => parts.join(''));
}

function combineItems(item: Arbitrary<string>): Arbitrary<string> {
  const operator = createSpelling('and', '&&', 'or', '||', 'xor', '^^');
  return fc
    .tuple(item, fc.array(fc.tuple(operator, item), { minLength: 1, maxLength: 3 }))
    .map(([first, rest]) => first + rest.map(([word, next]) => ` ${word} ${next}`).join(''));
}

const { expression } = fc.letrec<{ expression: string; list: string }>((tie) => ({
  expression: fc.oneof(
    { maxDepth: 4, depthSize: 'small' },
    boolOperand,
    createComparison(bytesOperand, bytesTest),
    createComparison(intOperand, intTest),
    createComparison(ipOperand, ipTest),
    tie('expression').map((inner) => `( ${inner} )`),
    fc.tuple(createSpelling('not ', '!'), tie('expression')).map(([word, inner]) => `${word}(${inner})`),
    boolOperand.map((operand) => `not ${operand}`),
    fc.tuple(createSpelling('any', 'all'), tie('list')).map(([word, inner]) => `${word}((${inner}))`),
    fc.tuple(createSpelling('any', 'all'), flagList).map(([word, operand]) => `${word}(${operand})`),
    createComparison(bytesList, bytesTest).map((inner) => `any(${inner})`),
    combineItems(tie('expression')),
  ),
  list: fc.oneof(
    { maxDepth: 3, depthSize: 'small' },
    flagList,
    createComparison(bytesList, bytesTest),
    tie('list').map((inner) => `not (${inner})`),
    combineItems(tie('list').map((inner) => `(${inner})`)),
  ),
}));

export { expression as expressionText };

/** The tree without the parts that depend on the text: spans, and compiled patterns. */
export function withoutPlaces(tree: unknown): unknown {
  return JSON.parse(
    JSON.stringify(tree, (name, value: unknown) => {
      if (/^(?:span|listSpan|source|pattern)$/.test(name) && typeof value !== 'string') return undefined;
      if (name === 'source' && isRoot(tree, value)) return undefined;
      return typeof value === 'bigint' ? `${value}n` : value;
    }),
  );
}

function isRoot(tree: unknown, source: unknown): boolean {
  return (tree as { readonly source?: unknown }).source === source;
}
