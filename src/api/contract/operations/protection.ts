/** What protects a site, and how to protect it in one call: ours. */
import { plans } from '#rulesets';
import { edgeOperations, origin } from './edge.ts';
import { operationsOf } from '../operation.ts';
import { rulesetOperations } from './rulesets/rulesets.ts';
import { settingOperations } from './settings.ts';
import { zoneOperations } from './zones.ts';
import {
  annotate,
  array,
  choice,
  flag,
  flagParameter,
  listOf,
  named,
  nullable,
  object,
  optional,
  record,
  string,
  text,
  timestamp,
  whole,
} from '#shapes';

const operation = operationsOf({
  api: 'protection',
  isOurs: true,
  read: ['zoneSettingsRead', 'zoneSettingsWrite'],
  write: ['zoneSettingsWrite'],
});

const plan = choice(plans);
/** A harmless visit, and attacks that any managed rules block. */
const testKinds = ['visit', 'sql', 'script', 'path'] as const;

const protection = named(
  'Protection',
  record({
    origin: nullable(origin),
    managed: annotate(choice(['off', 'legacy', 'rulesets', 'both']), {
      description: 'Which generations of managed rules are in force.',
    }),
    firewall_rules: whole,
    custom_rules: whole,
    state: choice(['not served', 'paused', 'not protected', 'partly protected', 'protected']),
    sentence: string,
  }),
);

/** The state before and after a step, so that it can be undone while nothing has changed it since. */
const undoing = named(
  'ProtectionUndo',
  object({
    step: choice(['origin', 'plan', 'legacy rules', 'ruleset']),
    origin_before: optional(nullable(origin)),
    origin_after: optional(origin),
    plan_before: optional(plan),
    plan_after: optional(plan),
    ruleset_id: optional(text({ max: 32 })),
    rule_id: optional(text({ max: 32 })),
  }),
);

const step = named(
  'ProtectionStep',
  record({
    will: annotate(string, { description: 'The step, before it is done.' }),
    did: annotate(string, { description: 'The step that was done, or the state that already existed.' }),
    is_change: flag(),
    undo: nullable(undoing),
  }),
);

const scannedCertificate = named(
  'ScannedCertificate',
  record({
    subject: string,
    issuer: string,
    key: string,
    names: listOf(string),
    valid_from: timestamp,
    valid_to: timestamp,
  }),
);

const codes = [
  zoneOperations['zones.changeSubscription'],
  settingOperations['settings.edit'],
  edgeOperations['edge.update'],
  rulesetOperations['rulesets.addRule'],
  rulesetOperations['rulesets.updateEntryPoint'],
].flatMap((row) => row.codes);

export const protectionStateOperations = {
  'protection.get': operation('GET /zones/{zone_id}/protection', {
    summary: 'Get the current protection of a site',
    result: protection,
  }),
};

export const protectionOperations = {
  'protection.protect': operation('POST /zones/{zone_id}/protection', {
    answeredBy: 'several objects',
    summary: 'Protect a site: its origin, its plan and managed rules; what is already set up stays',
    // Changing the plan and the rulesets needs further permissions.
    query: { dry_run: flagParameter('Returns what would happen, and changes nothing.') },
    body: named('SiteToProtect', object({ origin, plan: optional(plan) })),
    result: named(
      'ProtectedSite',
      record({
        steps: listOf(step),
        rules: annotate(string, { description: 'The name of the rules that check requests afterwards.' }),
        plan,
        note: annotate(string, { description: 'Limits of the rules.' }),
      }),
    ),
    codes,
  }),
  'protection.undo': operation('POST /zones/{zone_id}/protection/undo', {
    answeredBy: 'several objects',
    summary: 'Undo the steps of protecting a site, in reverse; later changes are kept',
    body: named('ProtectionToUndo', object({ steps: array(undoing, { min: 1, max: 20 }) })),
    result: named(
      'UndoneProtection',
      record({ kept: annotate(listOf(string), { description: 'What stays, and why.' }) }),
    ),
    codes,
  }),
  'protection.checkOrigin': operation('POST /zones/{zone_id}/protection/origin_check', {
    answeredBy: 'several objects',
    summary: 'Request the home page of an origin, before it becomes the origin of a site',
    body: named('OriginToCheck', object({ url: text({ min: 8, max: 300 }) })),
    result: named('CheckedOrigin', record({ answers: flag(), status: nullable(whole), sentence: string })),
  }),
  'protection.test': operation('POST /zones/{zone_id}/protection/test', {
    answeredBy: 'several objects',
    summary: 'Send a visit or an attack to a site, through the edge of this server',
    body: named('TestVisit', object({ kind: choice(testKinds) })),
    result: named(
      'TestedSite',
      record({
        command: annotate(string, {
          description: 'The command that sends the same request from a terminal.',
        }),
        status: annotate(nullable(whole), { description: 'Null if no edge could be reached.' }),
        ray: annotate(nullable(string), { description: 'The id of the request in the activity log.' }),
        sentence: string,
      }),
    ),
  }),
  'protection.scanTls': operation('POST /zones/{zone_id}/protection/tls_scan', {
    answeredBy: 'several objects',
    summary: 'Scan the TLS of a site, by handshakes with the edge of this server',
    body: named('TlsScanRequest', object({ host: optional(text({ min: 1, max: 253 })) })),
    result: named(
      'TlsScan',
      record({
        host: string,
        protocols: annotate(
          listOf(named('TlsProtocol', record({ version: string, ciphers: listOf(string) }))),
          {
            description: 'Versions that the edge accepts, the oldest first, each with its cipher suites.',
          },
        ),
        applications: annotate(listOf(string), { description: 'h2 and http/1.1.' }),
        resumes_sessions: flag(),
        chain: annotate(listOf(scannedCertificate), { description: 'That of the site first.' }),
        expires_in_days: nullable(whole),
        problems: annotate(listOf(string), {
          description: 'Problems that a browser or a scanner would report.',
        }),
      }),
    ),
  }),
};
