/**
 * A zone has one generation of managed rules in force until it has migrated; only Enterprise zones may have both. The
 * others can prepare the ruleset that they will migrate to, with every rule of it disabled. Free zones never had the
 * previous product, so there is nothing to be in the way.
 */
import type { Ruleset } from '#firewall';
import { entryOf, Fault, rulesetCodes } from '#api';
import { migrationState } from '../../stores/migration-store.ts';
import type { ZoneContext } from '../../context/handler.ts';
import { rulesNamedMax } from '../../context/limits.ts';

/** What the body of a request holds, for pointers into it. */
export type SentBody = 'ruleset' | 'rule' | 'nothing';

export function checkBeforeMigration({ zone, sql }: ZoneContext, next: Ruleset, body: SentBody): void {
  if (next.phase !== 'http_request_firewall_managed') return;
  if (zone.plan !== 'pro' && zone.plan !== 'business') return;
  if (migrationState(sql) !== 'start') return;
  const entries = next.rules.flatMap(({ enabled }, index) => {
    if (!enabled) return [];
    const pointer = pointerTo(index, body);
    const fill = { rule: index + 1 };
    return [
      entryOf(rulesetCodes.rulesetBeforeMigration, pointer === undefined ? { fill } : { fill, pointer }),
    ];
  });
  if (entries.length > 0) {
    throw new Fault(rulesetCodes.rulesetBeforeMigration.status, entries.slice(0, rulesNamedMax));
  }
}

function pointerTo(index: number, body: SentBody): string | undefined {
  if (body === 'nothing') return undefined;
  return body === 'rule' ? '/enabled' : `/rules/${index}/enabled`;
}
