/** The effect of a rule: hits of the last day, its last match, or that it never matched. */
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useZoneId } from '../../api/queries.ts';
import { Pill } from '../../parts/pill.tsx';
import type { ListedRule } from './listed-rule.ts';
import { Time } from '../../parts/time.tsx';
import { countThings } from '../../parts/reading/count-things.ts';
import type { Result } from '#client';
import { read } from '../../api/read.ts';

const dayMs = 86_400_000;

/** Empty while it is unknown: the list of rules does not wait for it. */
export function RuleEffectNote({ rule }: { readonly rule: ListedRule }) {
  const zoneId = useZoneId();
  const { data } = useQuery({
    ...ruleEffectsQuery(zoneId),
    select: (effects) => ({ days: effects.days, byRule: indexEffects(effects) }),
  });
  if (data === undefined) return null;
  const effect = data.byRule.get(rule.id);
  if (effect?.last_match == null) {
    if (rule.isPaused) return null;
    const { days } = data;
    if (Date.parse(rule.since.at) > Date.now() - days * dayMs)
      return <Pill>no match since it was {rule.since.word}</Pill>;
    return <Pill tone="warn">never matched in {days === 1 ? 'a day' : `${days} days`}</Pill>;
  }
  return (
    <span className="small soft">
      <Link
        to="/zones/$zoneId/activity"
        params={{ zoneId }}
        search={{ since: '24h', where: [`ruleId:eq:${rule.id}`] }}
      >
        {countThings(effect.hits_24h, 'hit')} in 24 h
      </Link>
      , last <Time at={effect.last_match} isRelative />
    </span>
  );
}

/** The effects of rules, according to the activity log. */
type RuleEffects = Result<'ruleEffects.list'>;
type RuleEffect = RuleEffects['rules'][number];

function ruleEffectsQuery(zone_id: string) {
  return { ...read('/zones/{zone_id}/security/rules/effects', { zone_id }), staleTime: 60_000 };
}

/** By rule id. */
function indexEffects({ rules }: RuleEffects): ReadonlyMap<string, RuleEffect> {
  return new Map(rules.map((effect) => [effect.rule_id, effect]));
}
