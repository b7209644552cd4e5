/**
 * The ruleset for zones of every plan: the signatures of vulnerabilities that are exploited everywhere within hours,
 * and the sure findings of the detectors. Its rules have their own ids, so that an exception or an event names a rule
 * of one ruleset; `ref` is the id of the same rule in the full ruleset.
 */
import { plans } from '#rulesets';
import { contentUpdated, contentVersion, type ManagedRuleset } from '../managed-ruleset.ts';
import { deriveId } from '../rule-id.ts';
import { rulesetIds } from '../ruleset-ids.ts';
import { detectors } from '../signatures/detectors.ts';
import { signatures } from '../signatures/all.ts';
import { getManagedRuleId, toRule } from './managed.ts';

const id = rulesetIds.free;

const legacyIds: ReadonlySet<string> = new Set([
  '100003', // Struts
  '100005', // Spring4Shell
  '100006',
  '100007', // Confluence
  '100007B',
  '100030', // Shellshock
  '100031C', // Tomcat
  '100043A', // PHP-CGI
  '100110', // Apache
  '100111', // PHPUnit
  '100112', // Exchange
  '100113', // Citrix
  '100113B', // F5
  '100113C', // Fortinet
  '100113D', // Ivanti
  '100113F', // PAN-OS
  '100114', // MOVEit
  '100114B', // ScreenConnect
  '100118B', // Next.js
  '100514', // Log4j
  '100515',
  '100516',
  '100084', // TRACE and similar methods
  '100088', // Apache killer
  'D0002', // Drupal
  'J0001', // Joomla
  'M0003', // Magento
  'WP0001', // WordPress
  'WP0006',
  'WP0025B',
  // Sure findings of the detectors.
  ...detectors.filter(({ action }) => action === undefined).map(({ legacyId }) => legacyId),
]);

export const free: ManagedRuleset = {
  id,
  name: 'Cloudflare Free Managed Ruleset',
  description: 'The holes that are exploited most, and attacks that leave no doubt.',
  phase: 'http_request_firewall_managed',
  version: contentVersion,
  lastUpdated: contentUpdated,
  plans,
  rules: signatures
    .filter(({ legacyId }) => legacyIds.has(legacyId))
    .map((signature) => ({
      ...toRule(signature),
      id: deriveId(id, signature.legacyId),
      ref: getManagedRuleId(signature),
    })),
};
