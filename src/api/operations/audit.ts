/** The audit log: every change, who made it, and what was before and after. */
import { operation } from '../operation.ts';
import type { Permission } from '../permissions.ts';
import { choiceParameter, pageParameters, textParameter, momentParameter, type JsonSchema } from '#shapes';

const api = 'audit';
const read: readonly Permission[] = ['auditRead', 'accountRead'];

const entrySchema: JsonSchema = {
  type: 'object',
  required: ['id', 'action', 'actor', 'resource', 'when'],
  properties: {
    id: { type: 'string' },
    action: {
      type: 'object',
      properties: { result: { type: 'boolean' }, type: { enum: ['add', 'change', 'delete'] } },
    },
    actor: {
      type: 'object',
      properties: {
        id: { type: 'string' },
        email: { type: 'string' },
        ip: { type: 'string' },
        type: { enum: ['user', 'system'] },
      },
    },
    interface: { enum: ['API', 'system'] },
    metadata: {
      type: 'object',
      properties: {
        operation: { type: 'string' },
        sequence: { type: 'integer' },
        hash: { type: 'string' },
        token_id: { type: 'string' },
        zone_id: { type: 'string' },
        zone_name: { type: 'string' },
        is_shortened: {
          const: true,
          description: 'A value is too long for a list. Ask with `id` for the whole entry.',
        },
      },
    },
    newValue: { type: 'string' },
    oldValue: { type: 'string' },
    newValueJson: {},
    oldValueJson: {},
    owner: { type: 'object', properties: { id: { type: 'string' } } },
    resource: { type: 'object', properties: { id: { type: 'string' }, type: { type: 'string' } } },
    when: { type: 'string', format: 'date-time' },
  },
};

const trailSchema: JsonSchema = {
  type: 'object',
  required: ['kind', 'id', 'is_intact', 'entries', 'last_hash'],
  properties: {
    kind: { enum: ['account', 'zone'] },
    id: { type: 'string' },
    is_intact: { type: 'boolean' },
    entries: { type: 'integer' },
    last_hash: { type: 'string' },
    broken_sequence: { type: 'integer' },
  },
};

const query = {
  id: textParameter('Of one entry, which is then shown whole.'),
  since: momentParameter('Not before this time.'),
  before: momentParameter('Before this time.'),
  'action.type': choiceParameter(['add', 'change', 'delete']),
  'actor.email': textParameter(),
  'actor.ip': textParameter(),
  direction: choiceParameter(['desc', 'asc']),
  ...pageParameters({ fallback: 100, max: 1000 }),
};

const entriesSchema: JsonSchema = { type: 'array', items: entrySchema };

export const auditOperations = {
  'audit.list': operation('GET /accounts/{account_id}/audit_logs', {
    answeredBy: 'several objects',
    api,
    summary: 'List changes of the account and of its zones, those of deleted zones too',
    permissions: read,
    query: { ...query, 'zone.name': textParameter() },
    result: entriesSchema,
  }),
  'audit.verify': operation('GET /accounts/{account_id}/audit_logs/verify', {
    answeredBy: 'several objects',
    api,
    summary: 'Recompute the hashes of every audit log and say where one is broken',
    permissions: read,
    result: { type: 'array', items: trailSchema },
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
  }),
  'audit.verifyZone': operation('GET /zones/{zone_id}/audit_logs/verify', {
    answeredBy: 'several objects',
    api,
    summary: 'Recompute the hashes of the audit log of a zone',
    permissions: read,
    result: trailSchema,
    isOurs: true,
  }),
};
