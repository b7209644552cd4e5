/**
 * A zone's configuration in two parts: its own, and the part that all zones of the account share. They are sent and
 * changed separately, so a change of the account is sent once, and only zones that use the changed data are recompiled.
 */
import { isDeepStrictEqual } from 'node:util';
import { evaluatedRules, type Ruleset, isEvaluatedPhase } from '#rulesets';
import type { ConfiguredZone, OutOfForce, WorkerRoute, ZoneConfiguration } from './configuration.ts';

/** Without the account's data. */
export type ZonePart = Omit<
  ZoneConfiguration,
  'lists' | 'customRulesets' | 'accountAccessRules' | 'workerRoutes' | 'loadBalancers' | 'requestLogs'
>;

/** What all zones of the account share; the entry points are those of the account. */
export type AccountPart = Pick<
  ZoneConfiguration,
  | 'version'
  | 'lists'
  | 'customRulesets'
  | 'entryPoints'
  | 'accountAccessRules'
  | 'workerRoutes'
  | 'loadBalancers'
  | 'requestLogs'
>;

export const emptyAccountPart: AccountPart = { version: 0, lists: [], customRulesets: [], entryPoints: [] };

/** The names of lists and the ids of custom rulesets, whether or not they exist. */
export interface UsedParts {
  readonly lists: ReadonlySet<string>;
  readonly customRulesets: ReadonlySet<string>;
  /** Selects the routes of this zone. */
  readonly zone: Pick<ConfiguredZone, 'id' | 'name'>;
}

/** The differences between two account parts; `everything` if they concern every zone. */
type ChangedParts =
  | (Omit<UsedParts, 'zone'> & {
      readonly routes: readonly WorkerRoute[];
      /** The ids of zones whose load balancers differ. */
      readonly balancedZones: ReadonlySet<string>;
    })
  | 'everything';

export interface JoinedConfiguration {
  readonly configuration: ZoneConfiguration;
  readonly uses: UsedParts;
}

/**
 * The configuration has only the lists and custom rulesets that the zone uses. The versions of the zone and of the
 * account both grow, so their sum grows with each change.
 */
export function joinParts(zone: ZonePart, account: AccountPart): JoinedConfiguration {
  const entryPoints = [...account.entryPoints, ...zone.entryPoints];
  const executed = new Set(entryPoints.flatMap(listExecuted));
  const customRulesets = account.customRulesets.filter(({ id }) => executed.has(id));
  const expressions = [
    ...zone.firewallRules,
    ...entryPoints.flatMap(({ rules }) => rules),
    ...customRulesets.flatMap(({ rules }) => rules),
  ].map(({ expression }) => expression);
  const names = findListNames(expressions);
  const workerRoutes = (account.workerRoutes ?? []).filter((route) => isRouteOf(route, zone.zone));
  const loadBalancers = (account.loadBalancers ?? []).filter(({ zoneId }) => zoneId === zone.zone.id);
  const { outOfForce = [], ...rest } = zone;
  const { accountAccessRules } = account;
  const left = outOfForce.filter((each) => !isChangedSince(each, account));
  return {
    configuration: {
      ...rest,
      ...(left.length === 0 ? {} : { outOfForce: left }),
      version: zone.version + account.version,
      entryPoints,
      customRulesets,
      lists: account.lists.filter(({ name }) => names.has(name)),
      ...(workerRoutes.length === 0 ? {} : { workerRoutes }),
      ...(loadBalancers.length === 0 ? {} : { loadBalancers }),
      ...(accountAccessRules === undefined ? {} : { accountAccessRules }),
    },
    uses: { lists: names, customRulesets: executed, zone: { id: zone.zone.id, name: zone.zone.name } },
  };
}

/** Whether it is a rule of the account that was changed since; the zone handles its own. */
function isChangedSince({ rule, since }: OutOfForce, { entryPoints, customRulesets }: AccountPart): boolean {
  return [...entryPoints, ...customRulesets].some(({ rules }) =>
    rules.some(({ id, last_updated }) => id === rule && last_updated > since),
  );
}

/** The names of all lists that the texts may refer to: quoted text can look like a list. */
export function findListNames(texts: Iterable<string>): Set<string> {
  const names = new Set<string>();
  for (const text of texts) {
    if (!text.includes('$')) continue;
    for (const [, name] of text.matchAll(/\$([a-z0-9_.]+)/g)) names.add(name!);
  }
  return names;
}

export function compareAccountParts(before: AccountPart, after: AccountPart): ChangedParts {
  const isForAll =
    !isDeepStrictEqual(before.entryPoints, after.entryPoints) ||
    !isDeepStrictEqual(before.accountAccessRules, after.accountAccessRules);
  if (isForAll) return 'everything';
  return {
    lists: findChanged(before.lists, after.lists, ({ name }) => name),
    customRulesets: findChanged(before.customRulesets, after.customRulesets, ({ id }) => id),
    routes: findOnlyOne(before.workerRoutes ?? [], after.workerRoutes ?? []),
    balancedZones: new Set(
      findOnlyOne(before.loadBalancers ?? [], after.loadBalancers ?? []).map(({ zoneId }) => zoneId),
    ),
  };
}

export function isConcerned(uses: UsedParts, changed: ChangedParts): boolean {
  if (changed === 'everything') return true;
  return (
    !uses.lists.isDisjointFrom(changed.lists) ||
    !uses.customRulesets.isDisjointFrom(changed.customRulesets) ||
    changed.balancedZones.has(uses.zone.id) ||
    changed.routes.some((route) => isRouteOf(route, uses.zone))
  );
}

/** The elements that only one of the lists has. */
function findOnlyOne<T>(before: readonly T[], after: readonly T[]): T[] {
  const byText = (items: readonly T[]): Map<string, T> =>
    new Map(items.map((item) => [JSON.stringify(item), item]));
  const [old, now] = [byText(before), byText(after)];
  const missing = (one: Map<string, T>, other: Map<string, T>): T[] =>
    [...one].filter(([text]) => !other.has(text)).map(([, item]) => item);
  return [...missing(old, now), ...missing(now, old)];
}

/** The host name of a Worker may be in two zones, one below the other: requests go to the lower one. */
function isRouteOf(
  { zoneId, host }: WorkerRoute,
  { id, name }: Pick<ConfiguredZone, 'id' | 'name'>,
): boolean {
  return zoneId === undefined ? host === name || host.endsWith(`.${name}`) : zoneId === id;
}

function listExecuted(ruleset: Ruleset): string[] {
  if (!isEvaluatedPhase(ruleset.phase)) return [];
  return evaluatedRules(ruleset).flatMap((rule) =>
    rule.action === 'execute' ? [rule.action_parameters.id] : [],
  );
}

function findChanged<T>(before: readonly T[], after: readonly T[], keyOf: (item: T) => string): Set<string> {
  const old = new Map(before.map((item) => [keyOf(item), item]));
  const changed = new Set(old.keys());
  for (const item of after) {
    const key = keyOf(item);
    if (isDeepStrictEqual(old.get(key), item)) changed.delete(key);
    else changed.add(key);
  }
  return changed;
}
