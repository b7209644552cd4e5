import { deepEqual, equal } from 'node:assert/strict';
import { test } from 'node:test';
import { formatRequest } from '../../src/rules/managed/testing.ts';
import { ordinaryRequests } from './ordinary-requests/all.ts';
import { stoppingRules } from './stopping.ts';

test('ordinaryRequests are many and all different', () => {
  const texts = new Set(ordinaryRequests.map(({ request }) => formatRequest(request)));
  equal(texts.size, ordinaryRequests.length);
  equal(texts.size >= 700, true, `${texts.size} requests`);
});

for (const [name, id] of [
  ['managed ruleset', 'efb7b8c949ac4650a09736fc376e9aee'],
  ['free managed ruleset', '77454fe2d30c4220b5701f6fdfb893ba'],
] as const) {
  test(`${name} at its defaults neither blocks nor challenges an ordinary request`, () => {
    const stop = stoppingRules(id);
    const stopped = ordinaryRequests
      .map(({ kind, request }) => ({
        kind,
        rules: stop(request),
        request: formatRequest(request).slice(0, 400),
      }))
      .filter(({ rules }) => rules.length > 0);
    // Authors of texts about code send the same text as attackers, and either can choose the text around it.
    const aboutCode = stopped.filter(({ kind }) => ['code snippet', 'lookalike in a comment'].includes(kind));
    deepEqual(
      stopped.filter((each) => !aboutCode.includes(each)),
      [],
    );
    equal(aboutCode.length <= 8, true, JSON.stringify(aboutCode));
  });
}
