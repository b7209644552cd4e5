import { deepEqual, equal, throws } from 'node:assert/strict';
import { test } from 'node:test';
import { readFeedMessage } from './read-feed-message.ts';

const id = 'a'.repeat(32);

const messages = [
  { kind: 'account', account: { version: 3, lists: [], customRulesets: [], entryPoints: [] } },
  { kind: 'core-rules', rules: null },
  { kind: 'zones', zones: [{ id, name: 'shop.example' }] },
  { kind: 'configuration', configuration: { version: 1, zone: { id, name: 'shop.example' }, rules: [] } },
  { kind: 'removed', zone: id },
  { kind: 'unavailable', zone: id, reason: 'it is busy', retryMs: 200 },
  { kind: 'complete' },
  { kind: 'heartbeat' },
];

for (const message of messages)
  test(`readFeedMessage reads ${message.kind} as it was sent`, () => {
    deepEqual(readFeedMessage(JSON.stringify(message)), message);
  });

test('readFeedMessage leaves out a kind that a newer control plane sends', () => {
  equal(readFeedMessage('{"kind":"weather","zone":"here"}'), undefined);
});

const invalid: readonly (readonly [string, object | string, RegExp])[] = [
  ['text that is not JSON', '{"kind":', /JSON/],
  ['a list', [], /a line of the feed is not an object/],
  ['no kind', {}, /no kind/],
  ['a zone whose id is a path', { kind: 'removed', zone: '../../etc/passwd' }, /no zone has/],
  ['a named zone without an id', { kind: 'zones', zones: [{ name: 'shop.example' }] }, /not a text/],
  ['a configuration without a zone', { kind: 'configuration', configuration: { version: 1 } }, /a zone/],
  ['an account without a version', { kind: 'account', account: {} }, /version of the account/],
];

for (const [what, sent, problem] of invalid)
  test(`readFeedMessage refuses ${what}`, () => {
    throws(() => readFeedMessage(typeof sent === 'string' ? sent : JSON.stringify(sent)), problem);
  });
