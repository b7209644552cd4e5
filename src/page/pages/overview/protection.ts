/** What protects a zone right now, read from its configuration. */
import { queryOptions } from '@tanstack/react-query';
import { ifFound, type Result } from '#client';
import { client, resultOf } from '../../api/client.ts';
import type { Zone } from '../../api/types.ts';
import { type Origin, writeOrigin } from '../origins.ts';

export type MigrationStatus = Result<'migration.status'>;

export interface Protection {
  readonly origin: Origin | null;
  readonly managed: 'off' | 'legacy' | 'rulesets' | 'both';
  readonly firewallRules: number;
  readonly customRules: number;
}

export function protectionQuery(zoneId: string) {
  return queryOptions({
    queryKey: ['zones', zoneId, 'protection'],
    async queryFn({ signal }): Promise<Protection> {
      const zone = { zone_id: zoneId, signal };
      const [edge, status, firewallRules, custom] = await Promise.all([
        resultOf(client.get('/zones/{zone_id}/edge', zone)),
        resultOf(client.get('/zones/{zone_id}/waf_migration/status', zone)),
        client.get('/zones/{zone_id}/firewall/rules', { ...zone, query: { paused: false, per_page: 5 } }),
        // A phase without rules has no entry point.
        ifFound(
          client.get('/zones/{zone_id}/rulesets/phases/{ruleset_phase}/entrypoint', {
            ...zone,
            ruleset_phase: 'http_request_firewall_custom',
          }),
        ),
      ]);
      return {
        origin: edge.origin,
        managed: describeManaged(status),
        firewallRules: firewallRules.result_info?.total_count ?? 0,
        customRules: custom?.result.rules.filter(({ enabled }) => enabled).length ?? 0,
      };
    },
  });
}

function describeManaged({
  old_waf_status,
  new_waf_status,
  watched,
}: MigrationStatus): Protection['managed'] {
  const isNew = new_waf_status === 'enabled' && !watched;
  if (old_waf_status === 'enabled') return isNew ? 'both' : 'legacy';
  return isNew ? 'rulesets' : 'off';
}

export interface Judgement {
  readonly tone: 'good' | 'warn' | 'bad';
  readonly word: string;
  readonly sentence: string;
}

const managedNames = {
  off: undefined,
  legacy: 'managed rules',
  rulesets: 'managed rulesets',
  both: 'both generations of managed rules',
} as const;

/** One sentence. */
export function describeProtection({ name, paused }: Zone, protection: Protection): Judgement {
  const { origin, managed } = protection;
  if (origin === null) {
    return {
      tone: 'bad',
      word: 'Not served',
      sentence: `${name} has no origin, so nothing is served and nothing is protected.`,
    };
  }
  if (paused) {
    return {
      tone: 'bad',
      word: 'Paused',
      sentence: `${name} is paused: requests go to ${writeOrigin(origin)} and no rule looks at them.`,
    };
  }
  const own = [
    countRules(protection.firewallRules, 'firewall rule'),
    countRules(protection.customRules, 'custom rule'),
  ];
  const checks = [managedNames[managed], ...own].filter((each) => each !== undefined);
  if (checks.length === 0) {
    return {
      tone: 'bad',
      word: 'Not protected',
      sentence: `Nothing protects ${name}: every request goes to ${writeOrigin(origin)} unchecked.`,
    };
  }
  const list = new Intl.ListFormat('en').format(checks);
  const isOne = checks.length === 1 && list.startsWith('1 ');
  const sentence = `${list[0]!.toUpperCase()}${list.slice(1)} ${isOne ? 'checks' : 'check'} every request to ${name} before it goes to ${writeOrigin(origin)}`;
  return managed === 'off'
    ? { tone: 'warn', word: 'Partly protected', sentence: `${sentence}; managed rules are off.` }
    : { tone: 'good', word: 'Protected', sentence: `${sentence}.` };
}

function countRules(count: number, name: string): string | undefined {
  if (count === 0) return undefined;
  return `${count.toLocaleString()} ${name}${count === 1 ? '' : 's'}`;
}
