import { equal } from 'node:assert/strict';
import { test } from 'node:test';
import { parseEventExpression } from './event-expression.ts';

function reason(source: string): string {
  const parsed = parseEventExpression(source);
  return parsed.ok ? '' : parsed.reason;
}

test('parseEventExpression accepts the fields that an event contains, also by deprecated names', () => {
  for (const source of [
    'ip.src in {192.0.2.0/24} and http.request.uri.path matches "^/a"',
    'ip.geoip.country eq "DE" or ip.src.asnum eq 64496',
    'any(http.request.uri.args["a"][*] eq "1") and cf.ray_id ne ""',
    'http.response.code ge 400 and not ssl',
  ])
    equal(reason(source), '', source);
});

test('parseEventExpression points at fields that events do not contain', () => {
  equal(
    reason('ssl and http.cookie contains "a"'),
    `Filter parsing error (1:9):
ssl and http.cookie contains "a"
        ^^^^^^^^^^^ unknown identifier
hint: events do not store the data of this field`,
  );
});

test('parseEventExpression refuses invalid and too long expressions, and lists', () => {
  equal(reason('ip.src in $office').includes('^'), true);
  equal(reason('ssl and').includes('^'), true);
  equal(reason(`${'ssl or '.repeat(1_000)}ssl`), 'expression is too long (limit: 4096 characters)');
});
