/**
 * Until it has migrated, a zone has only one generation of managed rules in force; only Enterprise zones may have both.
 * Other zones can prepare the ruleset that they will migrate to, with all of its rules disabled. Free zones never had the
 * legacy WAF, so they may deploy managed rulesets at any time.
 */
import type { Ruleset } from '#rulesets';
import { entryOf, Fault, rulesetCodes } from '#contract';
import { readMigrationState } from '../../stores/migration.ts';
import type { ZoneContext } from '../../context/handler.ts';
import { rulesNamedMax } from '../../context/limits.ts';

/** The content of a request's body, for creating pointers into it. */
export type SentBody = 'ruleset' | 'rule' | 'nothing';

export function checkBeforeMigration({ zone, sql }: ZoneContext, next: Ruleset, body: SentBody): void {
  if (next.phase !== 'http_request_firewall_managed') return;
  if (zone.plan !== 'pro' && zone.plan !== 'business') return;
  if (readMigrationState(sql) !== 'start') return;
  const entries = next.rules.flatMap(({ enabled }, index) => {
    if (!enabled) return [];
    const pointer = createPointer(index, body);
    const fill = { rule: index + 1 };
    return [
      entryOf(rulesetCodes.rulesetBeforeMigration, pointer === undefined ? { fill } : { fill, pointer }),
    ];
  });
  if (entries.length > 0) {
    throw new Fault(rulesetCodes.rulesetBeforeMigration.status, entries.slice(0, rulesNamedMax));
  }
}

function createPointer(index: number, body: SentBody): string | undefined {
  if (body === 'nothing') return undefined;
  return body === 'rule' ? '/enabled' : `/rules/${index}/enabled`;
}
