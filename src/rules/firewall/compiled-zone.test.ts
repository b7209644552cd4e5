import { deepEqual, equal } from 'node:assert/strict';
import { test } from 'node:test';
import { requestFrom } from '#request';
import type { ConfiguredFirewallRule } from './configuration.ts';
import { judged, managedId, scoredId, triggersOf, verdictOf, zoneOf } from './testing.ts';

const execute = (id: string, overrides?: object, expression = 'true') =>
  ({
    id: `execute ${id}`,
    action: 'execute',
    expression,
    action_parameters: { id, version: 'latest', ...(overrides === undefined ? {} : { overrides }) },
  }) as const;

const rule = (
  id: string,
  action: ConfiguredFirewallRule['action'],
  expression: string,
  products: readonly string[] = [],
) => ({ id, action, expression, products });

test('CompiledZone lets log and bypass pass on to the next firewall rule, and ends at allow and block', () => {
  const zone = zoneOf({
    firewallRules: [
      rule('logs', 'log', 'http.request.uri.path contains "a"'),
      rule('allows', 'allow', 'http.request.uri.path contains "b"'),
      rule('blocks', 'block', 'http.request.uri.path contains "a"'),
    ],
  });
  deepEqual(triggersOf(zone, '/a'), ['log logs', 'block blocks']);
  deepEqual(triggersOf(zone, '/ab'), ['log logs', 'allow allows']);
  equal(verdictOf(zone, '/ab'), 'pass');
  equal(verdictOf(zone, '/c'), 'pass');
});

test('CompiledZone goes on with custom rules after a firewall rule that allows', () => {
  const zone = zoneOf({
    firewallRules: [rule('allows', 'allow', 'true')],
    custom: [{ id: 'custom', action: 'block' }],
  });
  deepEqual(triggersOf(zone, '/'), ['allow allows', 'block custom']);
});

test('CompiledZone gives a custom block response to the verdict', () => {
  const response = { status_code: 410, content: 'gone', content_type: 'text/plain' } as const;
  const zone = zoneOf({ custom: [{ action: 'block', action_parameters: { response } }] });
  const { verdict } = judged(zone, '/');
  deepEqual(verdict.kind === 'block' && verdict.response, response);
});

test('CompiledZone asks for a challenge once: with clearance the rules after it have their say', () => {
  const zone = zoneOf({
    custom: [
      { id: 'asks', action: 'managed_challenge' },
      { id: 'blocks', action: 'block' },
    ],
  });
  equal(verdictOf(zone, '/'), 'challenge by asks');
  equal(verdictOf(zone, '/', { clearance: 'managed_challenge' }), 'block by blocks');
});

test('CompiledZone: a clearance passes challenges up to the one that was solved, and no stronger one', () => {
  const kinds = ['js_challenge', 'managed_challenge', 'challenge'] as const;
  const passes = kinds.map((clearance) =>
    kinds.map((action) => verdictOf(zoneOf({ custom: [{ id: 'asks', action }] }), '/', { clearance })),
  );
  const asked = 'challenge by asks';
  deepEqual(passes, [
    ['pass', asked, asked],
    ['pass', 'pass', asked],
    ['pass', 'pass', 'pass'],
  ]);
});

test('CompiledZone ends the firewall rules at a challenge that was passed', () => {
  const zone = zoneOf({
    firewallRules: [rule('asks', 'js_challenge', 'true'), rule('blocks', 'block', 'true')],
  });
  deepEqual(
    judged(zone, '/', { clearance: 'js_challenge' }).triggered.map(({ action }) => action),
    ['jschallengebypassed'],
  );
});

test('CompiledZone runs a managed ruleset with its defaults: some block, some log, some are off', () => {
  const zone = zoneOf({ managed: [execute(managedId)] });
  equal(verdictOf(zone, '/sql'), 'block by sql');
  deepEqual(triggersOf(zone, '/scan-noisy'), ['log scan']);
});

test('CompiledZone honours overrides by ruleset, category and rule, the most particular first', () => {
  const zone = zoneOf({
    managed: [
      execute(managedId, {
        action: 'log',
        categories: [{ category: 'browser', action: 'managed_challenge' }],
        rules: [{ id: 'noisy', enabled: true, action: 'block' }],
      }),
    ],
  });
  deepEqual(triggersOf(zone, '/sql'), ['log sql']);
  equal(verdictOf(zone, '/xss'), 'challenge by xss');
  equal(verdictOf(zone, '/noisy'), 'block by noisy');
});

test('CompiledZone adds up scores and acts once the threshold is reached', () => {
  const zone = zoneOf({ managed: [execute(scoredId)] });
  equal(verdictOf(zone, '/odd'), 'pass');
  equal(verdictOf(zone, '/odd-queer'), 'block by total');
  const [triggered] = judged(zone, '/odd-queer').triggered;
  deepEqual(
    [triggered?.score?.total, triggered?.score?.contributions.map(({ ruleId }) => ruleId)],
    [45, ['odd', 'queer']],
  );
});

test('CompiledZone stops for a score by itself, unless the zone wants a detector to be sure of an attack', () => {
  equal(verdictOf(zoneOf({ managed: [execute(scoredId)] }), '/odd-queer'), 'block by total');
  const edge = { origin: undefined, overInspectionLimit: 'log', unconfirmedScores: 'log' } as const;
  const zone = zoneOf({ managed: [execute(scoredId)], more: { edge } });
  equal(verdictOf(zone, '/odd-queer'), 'pass');
  const [triggered] = judged(zone, '/odd-queer').triggered;
  deepEqual(
    [triggered?.action, triggered?.description, triggered?.score?.total],
    ['log', 'finds total (only logged: no detector is sure of an attack, and unconfirmed_scores is log)', 45],
  );
  equal(verdictOf(zone, "/odd-queer?id=1'%20union%20select%20password%20from%20users--"), 'block by total');
  equal(verdictOf(zone, "/odd?id=1'%20union%20select%20password%20from%20users--"), 'pass');
});

test('CompiledZone takes the threshold and action of the override, and leaves out disabled levels', () => {
  const overrides = {
    categories: [{ category: 'paranoia-level-2', enabled: false }],
    rules: [{ id: 'total', action: 'log', score_threshold: 15 }],
  };
  const zone = zoneOf({ managed: [execute(scoredId, overrides)] });
  deepEqual(triggersOf(zone, '/odd'), ['log total']);
  deepEqual(triggersOf(zone, '/queer'), []);
});

test('CompiledZone skips the rules that have a tag', () => {
  const skip = {
    id: 'tag',
    action: 'skip' as const,
    expression: 'http.request.uri.query contains "tag"',
    action_parameters: { categories: { [managedId]: ['browser'] } } as never,
  };
  const zone = zoneOf({ managed: [skip, execute(managedId)] });
  deepEqual(triggersOf(zone, '/xss?tag'), ['skip tag']);
  deepEqual(triggersOf(zone, '/sql-xss?tag'), ['skip tag', 'block sql']);
  deepEqual(triggersOf(zone, '/xss'), ['block xss']);
});

test('CompiledZone hides parts of a request from the rules that an exception names', () => {
  const skip = {
    id: 'part',
    action: 'skip' as const,
    expression: 'true',
    logging: { enabled: false },
    action_parameters: {
      rules: { [managedId]: ['query'] },
      arguments: [{ kind: 'argument', name: 'note' }],
    } as never,
  };
  const zone = zoneOf({ managed: [skip, execute(managedId)] });
  deepEqual(triggersOf(zone, '/?q=drop'), ['block query']);
  deepEqual(triggersOf(zone, '/?note=drop'), []);
  deepEqual(triggersOf(zone, '/?note=drop&q=drop'), ['block query']);
  // Other rules see the value.
  deepEqual(triggersOf(zone, '/xss?note=drop'), ['block xss']);
});

test('CompiledZone skips rulesets, rules and the rest of the entry point, from the skip rule on', () => {
  const skip = (id: string, action_parameters: object, expression: string) =>
    ({ id, action: 'skip', expression, action_parameters: action_parameters as never }) as const;
  const zone = zoneOf({
    managed: [
      skip('all', { ruleset: 'current' }, 'http.request.uri.query contains "all"'),
      skip('one', { rulesets: [managedId] }, 'http.request.uri.query contains "set"'),
      skip('rule', { rules: { [managedId]: ['sql'] } }, 'http.request.uri.query contains "rule"'),
      execute(managedId),
      skip('late', { ruleset: 'current' }, 'http.request.uri.query contains "late"'),
    ],
  });
  deepEqual(triggersOf(zone, '/sql?all'), ['skip all']);
  deepEqual(triggersOf(zone, '/sql?set'), ['skip one']);
  deepEqual(triggersOf(zone, '/sql-xss?rule'), ['skip rule', 'block xss']);
  deepEqual(triggersOf(zone, '/sql?late'), ['block sql']);
});

test('CompiledZone keeps a skip at its own level, and skips phases and products for all', () => {
  const zone = zoneOf({
    accountManaged: [{ id: 'account', action: 'skip', action_parameters: { ruleset: 'current' } }],
    managed: [execute(managedId)],
    custom: [
      {
        id: 'phase',
        action: 'skip',
        expression: 'http.request.uri.query contains "phase"',
        action_parameters: { phases: ['http_request_firewall_managed'] },
      },
      {
        id: 'product',
        action: 'skip',
        expression: 'http.request.uri.query contains "product"',
        action_parameters: { products: ['waf'] },
      },
    ],
    previous: { waf: 'on' },
  });
  deepEqual(triggersOf(zone, '/sql'), ['skip account', 'block sql']);
  deepEqual(triggersOf(zone, '/sql?phase'), ['skip phase', 'block 100']);
  deepEqual(triggersOf(zone, '/odd-queer?product'), ['skip product', 'skip account']);
});

test('CompiledZone says nothing of a skip whose logging is off', () => {
  const zone = zoneOf({
    custom: [{ action: 'skip', action_parameters: { ruleset: 'current' }, logging: { enabled: false } }],
  });
  deepEqual(triggersOf(zone, '/'), []);
});

test('CompiledZone runs the rules that replace the legacy ones before them, and only them once migrated', () => {
  const parts = { managed: [execute(managedId, { action: 'log' })], previous: { waf: 'on' as const } };
  const validating = zoneOf({ ...parts, more: { migration: 'validation' } });
  deepEqual(triggersOf(validating, '/sql'), ['log sql', 'block 100']);
  const migrated = zoneOf({ ...parts, more: { migration: 'complete' } });
  deepEqual(triggersOf(migrated, '/sql'), ['log sql']);
});

test('CompiledZone only logs what the managed rulesets of a watched zone would do, whatever their overrides', () => {
  const overrides = {
    action: 'block',
    categories: [{ category: 'injection', action: 'managed_challenge' }],
    rules: [
      { id: 'sql', action: 'block' },
      { id: 'xss', enabled: false },
    ],
  };
  const managed = [execute(managedId, overrides), execute(scoredId)];
  const more = { migration: 'validation', isWatched: true } as const;
  const watched = zoneOf({ managed, more });
  deepEqual(triggersOf(watched, '/sql-xss'), ['log sql']);
  deepEqual(triggersOf(watched, '/odd-queer'), ['log total']);
  equal(verdictOf(watched, '/sql-odd-queer'), 'pass');
  deepEqual(triggersOf(zoneOf({ managed }), '/odd-queer'), ['block total']);
  // The account has not requested it, and the legacy rules still protect the zone.
  deepEqual(triggersOf(zoneOf({ accountManaged: managed, more }), '/sql'), ['block sql']);
  deepEqual(triggersOf(zoneOf({ managed, more, previous: { waf: 'on' } }), '/sql'), ['log sql', 'block 100']);
});

test('CompiledZone judges nothing of a paused zone', () => {
  const zone = zoneOf({
    firewallRules: [rule('blocks', 'block', 'true')],
    more: { zone: { id: 'z', name: 'z', plan: 'pro', accountId: 'a', isPaused: true } },
  });
  equal(verdictOf(zone, '/'), 'pass');
});

test('CompiledZone leaves out a rule it cannot read, says so, and keeps the others in force', () => {
  const zone = zoneOf({
    firewallRules: [rule('broken', 'block', 'nonsense'), rule('blocks', 'block', 'true')],
  });
  deepEqual(
    zone.problems.map(({ ruleId }) => ruleId),
    ['broken'],
  );
  equal(verdictOf(zone, '/'), 'block by blocks');
});

test('CompiledZone reports each step: how far it got, what matched, how it ended', () => {
  const zone = zoneOf({
    firewallRules: [rule('logs', 'log', 'true'), rule('never', 'block', 'false')],
    managed: [execute(managedId)],
  });
  const { steps } = judged(zone, '/sql');
  deepEqual(
    steps.map(({ source, reached, ruleCount, matched, end }) => ({
      source,
      reached,
      ruleCount,
      matched,
      end,
    })),
    [
      { source: 'firewallrules', reached: 2, ruleCount: 2, matched: ['logs'], end: { kind: 'complete' } },
      {
        source: 'firewallManaged',
        reached: 1,
        ruleCount: 4,
        matched: ['sql'],
        end: { kind: 'decided', by: 'sql' },
      },
      {
        source: 'firewallManaged',
        reached: 1,
        ruleCount: 1,
        matched: [`execute ${managedId}`],
        end: { kind: 'decided', by: `execute ${managedId}` },
      },
    ],
  );
});

test('CompiledZone.findDeciders gives every rule that would have stopped the request, in order', () => {
  const zone = zoneOf({
    firewallRules: [
      rule('first', 'block', 'true'),
      rule('second', 'js_challenge', 'http.request.uri.path contains "sql"'),
      rule('allows', 'allow', 'true'),
      rule('never reached', 'block', 'true'),
    ],
    custom: [{ id: 'custom', action: 'block' }],
    managed: [execute(managedId), execute(scoredId)],
    previous: { waf: 'on' },
  });
  const view = requestFrom({ url: 'https://example.com/sql/odd/queer' });
  const ids = (clearance?: 'challenge'): string[] =>
    zone.findDeciders({ view, clearance }).map(({ ruleId }) => ruleId);
  deepEqual(ids(), ['first', 'second', 'custom', 'sql', 'total', '100', '981176']);
  // A passed challenge stops nothing, and ends the list of firewall rules.
  deepEqual(ids('challenge'), ['first', 'custom', 'sql', 'total', '100']);
  deepEqual(triggersOf(zone, '/sql/odd/queer'), ['block first']);
  deepEqual(zoneOf({}).findDeciders({ view, clearance: undefined }), []);
});
