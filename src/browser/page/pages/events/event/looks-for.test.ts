import { equal } from 'node:assert/strict';
import { test } from 'node:test';
import { describeLooksFor } from './looks-for.ts';

const leaf = (text: string, result: 'true' | 'false' = 'true') => ({ text, result });

test('describeLooksFor says comparisons in words', () => {
  equal(
    describeLooksFor(leaf('http.request.uri.path contains "/admin"')),
    'requests in which the path contains "/admin"',
  );
  equal(
    describeLooksFor(leaf('url_decode(http.request.uri.query) contains "x"')),
    'requests in which the query contains "x"',
  );
  equal(
    describeLooksFor(leaf('starts_with(http.request.uri.path, "/a")')),
    'requests in which the path begins with "/a"',
  );
  equal(
    describeLooksFor(leaf('ip.src.country in {"DE" "FR"}')),
    'requests in which the country is one of "DE" "FR"',
  );
});

test('describeLooksFor names what decided, each once, and nothing that it cannot say', () => {
  const parts = [
    leaf('http.host eq "a"'),
    leaf('http.host eq "a"'),
    leaf('ssl', 'false'),
    leaf('ip.src eq 192.0.2.1'),
  ];
  equal(
    describeLooksFor({ text: 'all', result: 'true', parts }),
    'requests in which the host is "a" and the address is 192.0.2.1',
  );
  equal(describeLooksFor(leaf('any(http.request.headers["a"][*] contains "b")')), undefined);
  equal(describeLooksFor(leaf(`http.host eq "${'a'.repeat(200)}"`)), undefined);
});
