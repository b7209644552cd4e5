/** URI-based overrides: other modes of legacy managed rules where a URL matches. */
import { wafCodes } from '../../codes/managed-rules.ts';
import { legacyDenyModes } from '#firewall';
import { operationsOf } from '../../operation.ts';
import {
  named,
  pageParameters,
  choice,
  flag,
  integer,
  nullable,
  text,
  deleted,
  listOf,
  array,
  map,
  object,
  optional,
  record,
  string,
  whole,
  annotate,
  mapOf,
} from '#shapes';
import { unavailable } from './packages.ts';

const operation = operationsOf({
  api: 'wafuriconfig',
  read: ['firewallServicesRead', 'firewallServicesWrite'],
  write: ['firewallServicesWrite'],
});

const mode = named('WafOverrideMode', choice(['default', ...legacyDenyModes]));
const rewriteAction = named(
  'WafRewriteAction',
  object({
    default: optional(mode),
    disable: optional(mode),
    simulate: optional(mode),
    block: optional(mode),
    challenge: optional(mode),
  }),
);

/** The SDK for Go sends null for absent fields. */
const overrideToWrite = object({
  id: optional(text({ max: 32 })),
  paused: optional(flag()),
  urls: array(text({ min: 1, max: 1024 }), { min: 1, max: 100 }),
  priority: optional(integer({ min: -1_000_000_000, max: 1_000_000_000 })),
  groups: optional(nullable(map(mode, { max: 100 }))),
  rules: optional(nullable(map(mode, { max: 1000 }))),
  rewrite_action: optional(nullable(rewriteAction)),
  description: optional(nullable(text({ max: 1024 }))),
});

const override = named('NewWafOverride', overrideToWrite);

const overrideSchema = named(
  'WafOverride',
  record({
    id: string,
    paused: flag(),
    urls: listOf(string),
    priority: annotate(whole, {
      description: 'Of those whose URL matches, the one with the lowest value applies.',
    }),
    groups: mapOf(mode),
    rules: mapOf(mode),
    rewrite_action: rewriteAction,
    description: nullable(string),
  }),
);

export const wafOverrideOperations = {
  'wafOverrides.create': operation('POST /zones/{zone_id}/firewall/waf/overrides', {
    summary: 'Create a URI-based override',
    body: override,
    result: overrideSchema,
    codes: [...unavailable, wafCodes.wafOverrideInvalid, wafCodes.wafOverrideQuota],
  }),
  'wafOverrides.list': operation('GET /zones/{zone_id}/firewall/waf/overrides', {
    summary: 'List URI-based overrides',
    query: pageParameters({ fallback: 50, max: 100 }),
    result: listOf(overrideSchema),
    codes: unavailable,
  }),
  'wafOverrides.get': operation('GET /zones/{zone_id}/firewall/waf/overrides/{override_id}', {
    summary: 'Get a URI-based override',
    result: overrideSchema,
    codes: [...unavailable, wafCodes.wafOverrideNotFound],
  }),
  'wafOverrides.update': operation('PUT /zones/{zone_id}/firewall/waf/overrides/{override_id}', {
    summary: 'Replace a URI-based override',
    body: override,
    result: overrideSchema,
    codes: [
      ...unavailable,
      wafCodes.wafOverrideNotFound,
      wafCodes.wafOverrideInvalid,
      wafCodes.wafOverrideIdMismatch,
    ],
  }),
  'wafOverrides.delete': operation('DELETE /zones/{zone_id}/firewall/waf/overrides/{override_id}', {
    summary: 'Delete a URI-based override',
    result: deleted,
    codes: [...unavailable, wafCodes.wafOverrideNotFound],
  }),
};
