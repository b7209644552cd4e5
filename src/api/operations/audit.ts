/** The audit log: every change, who made it, and what was before and after. */
import { auditCodes } from '../codes/audit.ts';
import { operation } from '../operation.ts';
import type { Permission } from '../permissions.ts';
import {
  named,
  choiceParameter,
  pageParameters,
  textParameter,
  momentParameter,
  enumeration,
  listOf,
  momentSchema,
} from '#shapes';

const api = 'audit';
const read: readonly Permission[] = ['auditRead', 'accountRead'];

const actionTypes = ['add', 'change', 'delete'] as const;

const entrySchema = named('AuditEntry', {
  type: 'object',
  required: ['id', 'action', 'actor', 'resource', 'when'],
  properties: {
    id: { type: 'string' },
    action: named('AuditAction', {
      type: 'object',
      properties: { result: { type: 'boolean' }, type: enumeration(actionTypes) },
    }),
    actor: named('AuditActor', {
      type: 'object',
      properties: {
        id: { type: 'string' },
        email: { type: 'string' },
        ip: { type: 'string' },
        type: enumeration(['user', 'system']),
      },
    }),
    interface: enumeration(['API', 'system']),
    metadata: named('AuditMetadata', {
      type: 'object',
      properties: {
        operation: { type: 'string' },
        sequence: { type: 'integer' },
        hash: { type: 'string' },
        token_id: { type: 'string' },
        zone_id: { type: 'string' },
        zone_name: { type: 'string' },
        is_shortened: {
          type: 'boolean',
          const: true,
          description: 'A value is too long for a list. Ask with `id` for the whole entry.',
        },
      },
    }),
    newValue: { type: 'string' },
    oldValue: { type: 'string' },
    newValueJson: {},
    oldValueJson: {},
    owner: named('AuditOwner', { type: 'object', properties: { id: { type: 'string' } } }),
    resource: named('AuditResource', {
      type: 'object',
      properties: { id: { type: 'string' }, type: { type: 'string' } },
    }),
    when: momentSchema,
  },
});

const trailSchema = named('AuditTrail', {
  type: 'object',
  required: ['kind', 'id', 'is_intact', 'entries', 'last_hash'],
  properties: {
    kind: enumeration(['account', 'zone']),
    id: { type: 'string' },
    is_intact: { type: 'boolean' },
    entries: { type: 'integer' },
    last_hash: { type: 'string' },
    broken_sequence: { type: 'integer' },
    anchor: named('AuditAnchor', {
      type: 'object',
      required: ['entries', 'hash'],
      properties: { entries: { type: 'integer' }, hash: { type: 'string' } },
    }),
    missing: named('AuditGap', {
      type: 'object',
      required: ['first_sequence', 'last_sequence'],
      properties: { first_sequence: { type: 'integer' }, last_sequence: { type: 'integer' } },
    }),
    differs_from_anchor: { type: 'boolean' },
  },
});

const query = {
  id: textParameter('Of one entry, which is then shown whole.'),
  since: momentParameter('Not before this time.'),
  before: momentParameter('Before this time.'),
  'action.type': choiceParameter(actionTypes),
  'actor.email': textParameter(),
  'actor.ip': textParameter(),
  direction: choiceParameter(['desc', 'asc']),
  ...pageParameters({ fallback: 100, max: 1000 }),
};

const entriesSchema = listOf(entrySchema);

export const auditOperations = {
  'audit.list': operation('GET /accounts/{account_id}/audit_logs', {
    answeredBy: 'several objects',
    api,
    summary: 'List changes of the account and of its zones, those of deleted zones too',
    permissions: read,
    query: { ...query, 'zone.name': textParameter() },
    result: entriesSchema,
    codes: [auditCodes.auditTooDeep],
  }),
  'audit.verify': operation('GET /accounts/{account_id}/audit_logs/verify', {
    answeredBy: 'several objects',
    api,
    summary:
      'Recompute the hashes of every audit log, compare it with its anchor in the account, and say what is broken or missing',
    permissions: read,
    result: listOf(trailSchema),
    isOurs: true,
  }),
  'audit.listZone': operation('GET /zones/{zone_id}/audit_logs', {
    answeredBy: 'several objects',
    api,
    summary: 'List changes of a zone',
    permissions: read,
    query,
    result: entriesSchema,
    isOurs: true,
    codes: [auditCodes.auditTooDeep],
  }),
  'audit.verifyZone': operation('GET /zones/{zone_id}/audit_logs/verify', {
    answeredBy: 'several objects',
    api,
    summary: 'Recompute the hashes of the audit log of a zone, and compare it with its anchor in the account',
    permissions: read,
    result: trailSchema,
    isOurs: true,
  }),
};
