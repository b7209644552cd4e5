import { deepEqual } from 'node:assert/strict';
import { test } from 'node:test';
import type { StoredRule } from '../../../api/managed/entry-point.ts';
import { toDraft, toRule } from './rule-draft.ts';

const rule = {
  id: 'r1',
  ref: 'mine',
  action: 'block',
  expression: 'ssl',
  enabled: true,
  action_parameters: { response: { status_code: 410, content: 'gone', content_type: 'text/plain' } },
} as StoredRule;
const phase = 'http_request_firewall_custom';

test('toRule keeps what the form has no field for, until the action is another one', () => {
  deepEqual(toRule(toDraft(rule), rule, phase), rule);
  const { action_parameters: _, ...others } = rule;
  deepEqual(toRule({ ...toDraft(rule), action: 'log', paused: true }, rule, phase), {
    ...others,
    action: 'log',
    enabled: false,
  });
});

test('toRule writes what a skip rule leaves out, and toDraft reads it again', () => {
  const draft = { ...toDraft(undefined), action: 'skip', expression: 'ssl', isLogged: false } as const;
  const skipped = ['current', 'phase:http_ratelimit', 'product:waf'];
  const written = toRule({ ...draft, skipped }, undefined, phase);
  deepEqual(written, {
    action: 'skip',
    expression: 'ssl',
    enabled: true,
    action_parameters: { ruleset: 'current', phases: ['http_ratelimit'], products: ['waf'] },
    logging: { enabled: false },
  });
  deepEqual(toDraft({ ...written, id: 'r2' }).skipped, skipped);
});

test('toRule counts a rate limit by what was typed, and keeps the rest of it', () => {
  const limit = {
    ...rule,
    ratelimit: {
      characteristics: ['ip.src'],
      period: 60,
      requests_per_period: 5,
      counting_expression: 'http.response.code eq 401',
    },
  } as StoredRule;
  const draft = { ...toDraft(limit), countedBy: 'ip.src, http.host', requests: '7', timeout: '30' };
  deepEqual(toRule(draft, limit, 'http_ratelimit').ratelimit, {
    characteristics: ['ip.src', 'http.host'],
    period: 60,
    requests_per_period: 7,
    mitigation_timeout: 30,
    counting_expression: 'http.response.code eq 401',
  });
});
