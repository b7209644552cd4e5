import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { compile, parse } from '#expressions';
import { requestFrom } from '#request';
import {
  compilePagePattern,
  formatPagePattern,
  type PageUrl,
  pagePatternToExpression,
  readPagePattern,
} from './page-rule-pattern.ts';

function urlOf(text: string): PageUrl {
  const [, scheme, host, port, path, query] = /^(https?):\/\/([^/:?]*)(?::(\d+))?([^?]*)(?:\?(.*))?$/.exec(
    text,
  )!;
  return {
    scheme: scheme as PageUrl['scheme'],
    host: host!,
    port: port === undefined ? (scheme === 'https' ? 443 : 80) : Number(port),
    path: path!,
    query,
  };
}

function reasonFor(text: string): string {
  const read = readPagePattern(text);
  assert.ok(!read.ok, text);
  return read.reason;
}

const cases: readonly (readonly [pattern: string, url: string, isMatch: boolean])[] = [
  ['example.com/*', 'https://example.com/', true],
  ['example.com/*', 'http://example.com:8080/a/b?c', true],
  ['example.com/*', 'https://www.example.com/', false],
  ['example.com', 'https://example.com/', true],
  ['example.com', 'https://example.com/a', false],
  ['example.com*', 'https://example.com/a?b', true],
  ['example.com*', 'https://example.com.evil.test/a', false],
  ['Example.COM/Images/*', 'https://example.com/images/a', true],
  ['*example.com/images/*', 'https://example.com/images/', true],
  ['*example.com/images/*', 'https://www.example.com/images/x?y', true],
  ['*example.com/images/*', 'https://example.com/admin?x=example.com/images/', false],
  ['*.example.com/*', 'https://example.com/', false],
  ['*.example.com/*', 'https://a.b.example.com/', true],
  ['example.com/foo/*', 'https://example.com/foo', false],
  ['example.com/foo*', 'https://example.com/foo', true],
  ['example.com/foo', 'https://example.com/foo?a=1', false],
  ['example.com/t*st', 'https://example.com/toast', true],
  ['example.com/t*st', 'https://example.com/toasted', false],
  ['example.com/*.zip', 'https://example.com/a?b=.zip', true],
  ['example.com/?id=*', 'https://example.com/?id=7', true],
  ['https://example.com/*', 'http://example.com/', false],
  ['http://example.com/*', 'http://example.com/', true],
  ['http*://example.com/*', 'https://example.com/', true],
  ['example.com:8443/*', 'https://example.com:8443/a', true],
  ['example.com:8443/*', 'https://example.com/a', false],
  ['*', 'https://example.com/a', true],
];

test('compilePagePattern matches by part: scheme, host, port, then path and query', () => {
  for (const [pattern, url, isMatch] of cases) {
    assert.equal(compilePagePattern(pattern)(urlOf(url)), isMatch, `${pattern} on ${url}`);
  }
});

test('readPagePattern says what is wrong with a pattern', () => {
  assert.match(reasonFor(''), /^must begin with a host name/);
  assert.match(reasonFor('/images/*'), /^must begin with a host name/);
  assert.match(reasonFor('exämple.com/'), /Punycode/);
  assert.match(reasonFor('ftp://example.com/'), /^must have the scheme http:/);
  assert.match(reasonFor('example.com:0/'), /^must have a port from 1 to 65535/);
  assert.match(reasonFor('example.com:65536/'), /^must have a port from 1 to 65535/);
  assert.match(reasonFor('example.com?a'), /^must have a path that begins with \//);
  for (const character of ['"', '\\', ' ', '\n', '#', '|', '{', 'é']) {
    assert.match(reasonFor(`example.com/${character}`), /encode others as %XX/, character);
  }
  assert.match(reasonFor('example.com/**'), /two stars in a row/);
  assert.match(reasonFor('*.example.com/*/*/*/*'), /at most 4 stars/);
  assert.match(reasonFor(`example.com/${'a'.repeat(1013)}`), /at most 1024 characters: it has 1025/);
  assert.throws(() => pagePatternToExpression('example.com/ '), RangeError);
});

test('formatPagePattern gives patterns that mean the same one spelling, and reading it back changes nothing', () => {
  const formatted = (text: string): string => {
    const read = readPagePattern(text);
    assert.ok(read.ok, text);
    return formatPagePattern(read.pattern);
  };
  assert.equal(formatted('Example.com'), 'example.com/');
  assert.equal(formatted('*://example.com/A'), 'example.com/A');
  assert.equal(formatted('HTTPS://example.com:8443'), 'https://example.com:8443/');
  for (const [pattern] of cases) assert.equal(formatted(formatted(pattern)), formatted(pattern));
});

test('pagePatternToExpression leaves out what matches everything', () => {
  assert.equal(pagePatternToExpression('*'), 'true');
  assert.equal(pagePatternToExpression('example.com/*'), '(http.host eq "example.com")');
  assert.equal(
    pagePatternToExpression('https://*.example.com:8443/static/*'),
    '(ssl and http.host wildcard "*.example.com" and cf.edge.server_port eq 8443 and http.request.uri wildcard "/static/*")',
  );
});

const pathText = fc.string({ unit: fc.constantFrom('a', 'A', 'b', '/', '.'), maxLength: 6 });
const host = fc.constantFrom('example.com', 'a.example.com', 'b.a.example.com');
const starred = (text: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc.tuple(text, fc.constantFrom('', '*'), text).map((parts) => parts.join(''));
const pattern = fc
  .tuple(
    fc.constantFrom('', 'http://', 'https://'),
    fc.constantFrom('', '*', '*.', 'a*'),
    fc.constantFrom('', ':8080'),
    starred(pathText),
    fc.constantFrom('', '?', '?a*', '?b'),
  )
  .map(([scheme, sub, port, path, query]) => `${scheme}${sub}example.com${port}/${path}${query}`);
const url = fc.record({
  scheme: fc.constantFrom('http' as const, 'https' as const),
  host,
  port: fc.constantFrom(80, 8080),
  // Rules see paths without dot segments and repeated slashes.
  path: pathText.map((text) => `/${text.replaceAll('.', 'b')}`.replaceAll(/\/+/g, '/')),
  query: fc.option(fc.string({ unit: fc.constantFrom('a', 'b', '*', '/'), maxLength: 3 }), {
    nil: undefined,
  }),
});

/** The definition, implemented naively. */
function oracle(text: string, { scheme, host, port, path, query }: PageUrl): boolean {
  const read = readPagePattern(text);
  assert.ok(read.ok, text);
  const wanted = read.pattern;
  const isLike = (glob: string, value: string): boolean =>
    new RegExp(`^${glob.replaceAll(/[.?]/g, '\\$&').replaceAll('*', '.*')}$`, 'is').test(value);
  return (
    (wanted.scheme ?? scheme) === scheme &&
    (wanted.port ?? port) === port &&
    isLike(wanted.host, host) &&
    isLike(wanted.uri, query === undefined ? path : `${path}?${query}`)
  );
}

test('compilePagePattern and pagePatternToExpression agree with each other and with the definition', () => {
  fc.assert(
    fc.property(pattern, fc.array(url, { minLength: 1, maxLength: 8 }), (text, urls) => {
      const isMatch = compilePagePattern(text);
      const parsed = parse(pagePatternToExpression(text));
      assert.ok(parsed.ok);
      const isRequestMatch = compile(parsed.tree);
      for (const each of urls) {
        const { scheme, host, port, path, query } = each;
        const request = requestFrom({
          url: `${scheme}://${host}${path}${query === undefined ? '' : `?${query}`}`,
          fields: new Map([['cf.edge.server_port', port]]),
        });
        assert.equal(isMatch(each), oracle(text, each), `${text} on ${JSON.stringify(each)}`);
        assert.equal(isRequestMatch(request), isMatch(each), `${text} on ${JSON.stringify(each)}`);
      }
    }),
    { numRuns: 300 },
  );
});
