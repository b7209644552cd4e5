/**
 * The scoring ruleset. All its rules except the last are those of the OWASP Core Rule Set, and add to the score of a
 * request, or of its response if the zone enables that; the last one acts if the score of the request has reached its
 * threshold. Paranoia levels are categories, so that an override can switch off whole levels.
 */
import type { ScoringRule } from '#seclang';
import type { ScoringEngine } from '#firewall';
import {
  contentUpdated,
  contentVersion,
  type InstalledContent,
  type ManagedRule,
  type ManagedRuleset,
  paidPlans,
} from '../managed-ruleset.ts';
import { deriveId } from '../rule-id.ts';
import { rulesetIds } from '../ruleset-ids.ts';

const lastRuleId = '6179ae15870a4bb7b2d480d4843b323c';

/** The rule of CRS that compares the score of a response. */
const responseRuleNumber = 959100;

/** The medium threshold. */
const scoreThreshold = 40;

/** Clients choose a level by switching off those above it, whether or not there are rules. */
export const levelCategories = [1, 2, 3, 4].map((level) => `paranoia-level-${level}`);

/** The same in every installation and version. */
export function getOwaspRuleId(number: number): string {
  return deriveId(rulesetIds.owasp, String(number));
}

export function createOwaspRuleset({
  content,
  installedAt,
  rules,
  engine,
}: {
  readonly content: InstalledContent;
  readonly installedAt?: string;
  readonly rules: readonly ScoringRule[];
  readonly engine?: ScoringEngine;
}): ManagedRuleset {
  const version = content.state === 'installed' ? toNumber(content.version) : contentVersion;
  return {
    id: rulesetIds.owasp,
    name: 'Cloudflare OWASP Core Ruleset',
    description: 'Signs of an attack, each worth a score.',
    phase: 'http_request_firewall_managed',
    version,
    lastUpdated: installedAt === undefined ? contentUpdated : toMicroseconds(installedAt),
    plans: paidPlans,
    content,
    ...(engine === undefined ? {} : { engine }),
    responseRule: {
      id: getOwaspRuleId(responseRuleNumber),
      description: `${responseRuleNumber}: Outbound Anomaly Score Exceeded`,
    },
    rules: [
      ...rules.map((rule) => toManagedRule(rule, version)),
      {
        id: lastRuleId,
        version,
        description: '949110: Inbound Anomaly Score Exceeded',
        categories: [],
        action: 'block',
        enabled: true,
        expression: 'true',
        scoreThreshold,
        ref: lastRuleId,
      },
    ],
  };
}

function toManagedRule(
  { number, description, tags, paranoiaLevel, score }: ScoringRule,
  version: string,
): ManagedRule {
  const id = getOwaspRuleId(number);
  return {
    id,
    version,
    description: `${number}: ${description}`,
    categories: [
      ...new Set([`paranoia-level-${paranoiaLevel}`, ...tags.map(toCategory).filter((tag) => tag !== '')]),
    ],
    action: 'score',
    enabled: true,
    scoreIncrement: score,
    ref: id,
  };
}

/** `capec/1000/152` becomes `capec-1000-152`: categories have letters, digits and dashes. */
function toCategory(tag: string): string {
  return tag
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '');
}

/** Versions of rulesets are increasing integers: 3.3.4 is 30304, 4.25.0 is 42500. */
function toNumber(version: string): string {
  const [, major, minor, patch = '0'] = /^(\d{1,3})\.(\d{1,2})(?:\.(\d{1,2}))?/.exec(version) ?? [];
  if (major === undefined || minor === undefined) return contentVersion;
  return String(Number(major) * 10_000 + Number(minor) * 100 + Number(patch));
}

function toMicroseconds(time: string): string {
  return time.replace(/\.(\d{3})Z$/, '.$1000Z');
}
