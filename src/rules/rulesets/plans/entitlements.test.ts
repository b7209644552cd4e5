import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parse } from '#expressions';
import { entitlementsOf } from './entitlements.ts';

function filter(text: string) {
  const parsed = parse(text);
  assert(parsed.ok);
  return parsed.tree;
}

test('entitlementsOf names the plan that an expression needs', () => {
  assert.deepEqual(entitlementsOf(filter('ssl')), []);
  assert.deepEqual(
    entitlementsOf(filter('http.host ~ "a" and http.request.body.size gt 1')).map(({ feature, plan }) => [
      feature,
      plan,
    ]),
    [
      ['regex', 'business'],
      ['body', 'enterprise'],
    ],
  );
});
