/**
 * Rate limits in the form that Cloudflare had before rulesets: another notation for rules of the phase
 * `http_ratelimit`.
 */
import { challengeKinds } from '#rulesets';
import { rateLimitCodes as codes } from '../../codes/rate-limits.ts';
import { operationsOf } from '../../operation.ts';
import {
  array,
  choice,
  deleted,
  flag,
  ignored,
  integer,
  listOf,
  named,
  nullable,
  object,
  optional,
  pageParameters,
  record,
  string,
  text,
  whole,
} from '#shapes';

const operation = operationsOf({
  api: 'ratelimit',
  read: ['zoneWafRead', 'zoneWafWrite'],
  write: ['zoneWafWrite'],
});

const url = text({
  min: 1,
  max: 1024,
  description: 'A host and a path, with stars: `*.example.com/login*`.',
});
const methods = ['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'HEAD', '_ALL_'] as const;
const header = named(
  'RateLimitHeader',
  object({ name: text({ min: 1, max: 128 }), op: choice(['eq', 'ne']), value: text({ max: 1024 }) }),
);
const headers = optional(nullable(array(header, { max: 20 })));
const match = named(
  'RateLimitMatch',
  object({
    request: optional(
      named(
        'RateLimitRequest',
        object({
          methods: optional(nullable(array(choice(methods), { max: methods.length }))),
          schemes: optional(nullable(array(choice(['HTTP', 'HTTPS', '_ALL_']), { max: 3 }))),
          url: optional(url),
        }),
      ),
    ),
    response: optional(
      nullable(
        named(
          'RateLimitResponse',
          object({
            status: optional(nullable(array(integer({ min: 100, max: 999 }), { max: 100 }))),
            origin_traffic: optional(nullable(flag())),
            headers,
          }),
        ),
      ),
    ),
    /** Version 5 of the Terraform provider has them here. */
    headers,
  }),
);
const action = named(
  'RateLimitAction',
  object({
    mode: choice(['simulate', 'ban', ...challengeKinds]),
    timeout: optional(nullable(integer({ min: 0, max: 86_400 }))),
    response: optional(
      nullable(
        named(
          'RateLimitBody',
          object({
            content_type: choice(['text/plain', 'text/xml', 'application/json']),
            body: text({ max: 10_240 }),
          }),
        ),
      ),
    ),
  }),
);
/** A cookie distinguishes visitors behind one address. */
const correlate = named('RateLimitCorrelation', object({ by: choice(['nat']) }));
const bypass = named('RateLimitBypass', object({ name: choice(['url']), value: url }));
const body = named(
  'NewRateLimit',
  object({
    match,
    threshold: integer({ min: 1, max: 1_000_000 }),
    period: integer({ min: 1, max: 86_400 }),
    action,
    disabled: optional(nullable(flag())),
    description: optional(nullable(text({ max: 1024 }))),
    bypass: optional(nullable(array(bypass, { max: 20 }))),
    correlate: optional(nullable(correlate)),
    id: ignored(),
    login_protect: ignored(),
  }),
);
const result = named(
  'LegacyRateLimit',
  record({
    id: string,
    disabled: flag(),
    description: string,
    match,
    bypass: listOf(bypass),
    threshold: whole,
    period: whole,
    action,
    correlate: optional(correlate),
  }),
);

const path = '/zones/{zone_id}/rate_limits';
const contentCodes = [codes.rateLimitDuplicate, codes.rateLimitInvalid, codes.rateLimitRefused];

export const rateLimitOperations = {
  'rateLimits.list': operation(`GET ${path}`, {
    summary: 'List rate limits in the order of evaluation',
    query: pageParameters({ fallback: 20, max: 100 }),
    result: listOf(result),
  }),
  'rateLimits.create': operation(`POST ${path}`, {
    summary: 'Create a rate limit: a rule of the phase http_ratelimit, before the others',
    body,
    result,
    codes: contentCodes,
  }),
  'rateLimits.get': operation(`GET ${path}/{rate_limit_id}`, {
    summary: 'Get a rate limit',
    result,
    codes: [codes.rateLimitNotFound],
  }),
  'rateLimits.update': operation(`PUT ${path}/{rate_limit_id}`, {
    summary: 'Replace a rate limit',
    body,
    result,
    codes: [codes.rateLimitNotFound, ...contentCodes],
  }),
  'rateLimits.delete': operation(`DELETE ${path}/{rate_limit_id}`, {
    summary: 'Delete a rate limit, and its rule',
    result: deleted,
    codes: [codes.rateLimitNotFound],
  }),
};
