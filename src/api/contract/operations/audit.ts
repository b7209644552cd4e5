/** The audit log: every change, who made it, and the values before and after. */
import { auditCodes } from '../codes/audit.ts';
import { operationsOf } from '../operation.ts';
import {
  named,
  choiceParameter,
  pageParameters,
  textParameter,
  momentParameter,
  listOf,
  record,
  string,
  flag,
  optional,
  choice,
  whole,
  constant,
  annotate,
  json,
  timestamp,
} from '#shapes';

const operation = operationsOf({ api: 'audit', read: ['auditRead', 'accountRead'] });

const actionTypes = ['add', 'change', 'delete'] as const;

const entrySchema = named(
  'AuditEntry',
  record({
    id: string,
    action: named('AuditAction', record({ result: optional(flag()), type: choice(actionTypes) })),
    actor: named(
      'AuditActor',
      record({
        id: optional(string),
        email: optional(string),
        ip: optional(string),
        type: choice(['user', 'system']),
      }),
    ),
    interface: optional(choice(['API', 'system'])),
    metadata: named(
      'AuditMetadata',
      record({
        operation: string,
        sequence: optional(whole),
        hash: optional(string),
        reason: optional(
          annotate(string, { description: 'The reason, from the header X-Change-Reason of the caller.' }),
        ),
        token_id: optional(string),
        zone_id: optional(string),
        zone_name: optional(string),
        is_shortened: optional(
          annotate(constant(true), {
            description: 'A value is too long for a list. Request the entry by `id` to get it whole.',
          }),
        ),
      }),
    ),
    newValue: string,
    oldValue: string,
    newValueJson: optional(json),
    oldValueJson: optional(json),
    owner: optional(named('AuditOwner', record({ id: optional(string) }))),
    resource: named('AuditResource', record({ id: string, type: string })),
    when: timestamp,
  }),
);

const trailSchema = named(
  'AuditTrail',
  record({
    kind: choice(['account', 'zone']),
    id: string,
    is_intact: flag(),
    entries: whole,
    last_hash: string,
    broken_sequence: optional(whole),
    anchor: optional(named('AuditAnchor', record({ entries: whole, hash: string }))),
    missing: optional(named('AuditGap', record({ first_sequence: whole, last_sequence: whole }))),
    differs_from_anchor: optional(flag()),
  }),
);

const query = {
  id: textParameter('The id of one entry, which is then shown whole.'),
  since: momentParameter('Not before this time.'),
  before: momentParameter('Before this time.'),
  'action.type': choiceParameter(actionTypes),
  'actor.email': textParameter(),
  'actor.ip': textParameter(),
  'resource.id': textParameter('Of what was changed, such as a rule.'),
  direction: choiceParameter(['desc', 'asc']),
  ...pageParameters({ fallback: 100, max: 1000 }),
};

const entriesSchema = listOf(entrySchema);

export const auditOperations = {
  'audit.list': operation('GET /accounts/{account_id}/audit_logs', {
    answeredBy: 'several objects',
    summary: 'List changes of the account and of its zones, including deleted zones',
    query: { ...query, 'zone.name': textParameter() },
    result: entriesSchema,
    codes: [auditCodes.auditTooDeep],
  }),
  'audit.listUser': operation('GET /user/audit_logs', {
    answeredBy: 'several objects',
    summary: 'List the changes that you made, in the account and its zones',
    isPersonal: true,
    query: { ...query, 'zone.name': textParameter() },
    result: entriesSchema,
    codes: [auditCodes.auditTooDeep],
  }),
  'audit.verify': operation('GET /accounts/{account_id}/audit_logs/verify', {
    answeredBy: 'several objects',
    summary:
      'Recompute the hashes of every audit log, compare it with its anchor in the account, and report what is broken or missing',
    result: listOf(trailSchema),
    isOurs: true,
  }),
  'audit.listZone': operation('GET /zones/{zone_id}/audit_logs', {
    answeredBy: 'several objects',
    summary: 'List changes of a zone',
    query,
    result: entriesSchema,
    isOurs: true,
    codes: [auditCodes.auditTooDeep],
  }),
  'audit.verifyZone': operation('GET /zones/{zone_id}/audit_logs/verify', {
    answeredBy: 'several objects',
    summary: 'Recompute the hashes of the audit log of a zone, and compare it with its anchor in the account',
    result: trailSchema,
    isOurs: true,
  }),
};
