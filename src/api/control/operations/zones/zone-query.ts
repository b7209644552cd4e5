/** Filters and sorts the list of zones. */
import type { InputOf } from '#contract';
import type { Directory, ZoneFacts } from '../../context/directory.ts';
import { getPlanId } from './zone-plans.ts';

type ZoneQuery = InputOf<'zones.list'>['query'];

export function findZones(zones: readonly ZoneFacts[], query: ZoneQuery, directory: Directory): ZoneFacts[] {
  const accountName = directory.account?.name ?? '';
  const conditions = createConditions(query, accountName);
  const isWanted =
    query.match === 'any' && conditions.length > 0
      ? (zone: ZoneFacts) => conditions.some((isMatch) => isMatch(zone))
      : (zone: ZoneFacts) => conditions.every((isMatch) => isMatch(zone));
  return sortZones(zones.filter(isWanted), query);
}

function createConditions(query: ZoneQuery, accountName: string): ((zone: ZoneFacts) => boolean)[] {
  const { name, status, type, 'account.id': accountId, 'account.name': wantedAccountName } = query;
  const isGiven = (text: string | undefined): text is string => text !== undefined && text !== '';
  return [
    ...(isGiven(name) ? [(zone: ZoneFacts) => isMatch(zone.name, name)] : []),
    ...(isGiven(status) ? [() => status === 'active'] : []),
    ...(type.length > 0 ? [(zone: ZoneFacts) => type.includes(zone.type)] : []),
    ...(isGiven(accountId) ? [(zone: ZoneFacts) => zone.accountId === accountId] : []),
    ...(isGiven(wantedAccountName) ? [() => isMatch(accountName, wantedAccountName)] : []),
  ];
}

const operators: Readonly<Record<string, (value: string, part: string) => boolean>> = {
  equal: (value, part) => value === part,
  not_equal: (value, part) => value !== part,
  starts_with: (value, part) => value.startsWith(part),
  ends_with: (value, part) => value.endsWith(part),
  contains: (value, part) => value.includes(part),
};

/** Compares with `example.com`, `contains:exam` or `contains_case_sensitive:Exam`. */
function isMatch(value: string, wanted: string): boolean {
  const [, operator = '', exact, part = ''] = /^([a-z_]+?)(_case_sensitive)?:(.*)$/s.exec(wanted) ?? [];
  if (!Object.hasOwn(operators, operator)) return value.toLowerCase() === wanted.toLowerCase();
  const isExact = exact !== undefined;
  return operators[operator]!(isExact ? value : value.toLowerCase(), isExact ? part : part.toLowerCase());
}

/** The default order is by name. Zones with equal values keep that order. */
function sortZones(zones: readonly ZoneFacts[], { order, direction }: ZoneQuery): ZoneFacts[] {
  const keyOf = (zone: ZoneFacts): string =>
    (order === 'plan.id' ? `${getPlanId(zone.plan)} ` : '') + zone.name;
  const result = zones.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
  return direction === 'desc' ? result.reverse() : result;
}
