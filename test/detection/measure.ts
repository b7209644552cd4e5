/** Judges the corpus as the zones of each plan do by default, and counts. */
import { readFileSync } from 'node:fs';
import { type Attack, listAttacks } from './corpus/attacks.ts';
import { type EvasionCell, listEvasionCells } from './corpus/evasion.ts';
import { type HarmlessValue, listHarmlessValues } from './corpus/harmless-values.ts';
import { listOrdinaryRequests, type OrdinaryRequest } from './corpus/ordinary.ts';
import { createZone, type GatePlan, type Judge, rulesetIds, type Stopped } from './corpus/zone.ts';
import { managedRulesets } from '#managed';
import type { RequestDescription } from '#request';

/** How many were stopped, of how many. */
export type Share = readonly [stopped: number, total: number];
type Shares = Readonly<Record<string, Share>>;

/** The contents of `figures.json`, which are compared from commit to commit. */
export interface Figures {
  readonly falseAlarms: Shares;
  readonly attacks: Share;
  readonly classes: Shares;
  readonly places: Shares;
  /** Of the payloads that are stopped as a plain argument, in all their other forms. */
  readonly evasion: Share;
  /** Of `corpus/items`, which only `npm run detection` judges completely. */
  readonly hidden?: Shares;
  readonly harmless?: Shares;
}

export interface Measured {
  readonly ordinary: readonly OrdinaryRequest[];
  readonly values: readonly HarmlessValue[];
  readonly attacks: readonly Attack[];
  readonly figures: Figures;
  readonly falseAlarms: readonly (OrdinaryRequest & { readonly plan: GatePlan; readonly by: Stopped })[];
  readonly stoppedValues: readonly (HarmlessValue & { readonly by: Stopped })[];
  readonly missed: readonly Attack[];
  readonly evaded: readonly EvasionCell[];
}

export const figuresFile = new URL('figures.json', import.meta.url);

export function readFigures(): Figures {
  return JSON.parse(readFileSync(figuresFile, 'utf8')) as Figures;
}

export function shareOf([stopped, total]: Share): number {
  return stopped / total;
}

export async function measure(): Promise<Measured> {
  const ordinary = listOrdinaryRequests();
  const values = listHarmlessValues();
  const attacks = listAttacks();
  const [free, paid] = [createZone('free'), createZone('paid')];
  const stopped = await listStopped(ordinary, paid);
  const alarms = {
    paid: stopped,
    free: await listStopped(isFreeWithinPaid() ? stopped : ordinary, free),
  };
  const falseAlarms = (['free', 'paid'] as const).flatMap((plan) =>
    alarms[plan].map((each) => ({ ...each, plan })),
  );
  const stoppedValues = await listStopped(values, paid);
  const missed = await listPassed(attacks, paid);
  const evasion = await measureEvasion(paid);
  const countAlarms = (plan: GatePlan): Share => [alarms[plan].length, ordinary.length];
  return {
    ordinary,
    values,
    attacks,
    figures: {
      falseAlarms: {
        free: countAlarms('free'),
        paid: countAlarms('paid'),
        values: [stoppedValues.length, values.length],
      },
      attacks: [attacks.length - missed.length, attacks.length],
      classes: countBy(attacks, missed, (attack) => attack.class),
      places: countBy(attacks, missed, ({ place }) => place),
      evasion: evasion.share,
    },
    falseAlarms,
    stoppedValues,
    missed,
    evaded: evasion.evaded,
  };
}

/**
 * Whether the other ruleset stops everything that the Free ruleset stops, so that only those requests need to be judged
 * by it.
 */
function isFreeWithinPaid(): boolean {
  const [free, paid] = (['free', 'paid'] as const).map((plan) =>
    managedRulesets.get(rulesetIds[plan])!.rules.filter(({ enabled, action }) => enabled && action !== 'log'),
  );
  const expressions = new Set(paid!.map(({ expression }) => expression));
  return free!.every(({ expression }) => expressions.has(expression));
}

function countBy(
  attacks: readonly Attack[],
  missed: readonly Attack[],
  keyOf: (attack: Attack) => string,
): Shares {
  const missedOf = Map.groupBy(missed, keyOf);
  return Object.fromEntries(
    [...Map.groupBy(attacks, keyOf)]
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, all]) => [key, [all.length - (missedOf.get(key)?.length ?? 0), all.length] as const]),
  );
}

async function listStopped<Item extends { readonly request: RequestDescription }>(
  items: readonly Item[],
  judge: Judge,
): Promise<readonly (Item & { readonly by: Stopped })[]> {
  const stopped: (Item & { readonly by: Stopped })[] = [];
  for (const item of items) {
    const by = await judge(item.request);
    if (by !== undefined) stopped.push({ ...item, by });
  }
  return stopped;
}

async function listPassed<Item extends { readonly request: RequestDescription }>(
  items: readonly Item[],
  judge: Judge,
): Promise<readonly Item[]> {
  const passed: Item[] = [];
  for (const item of items) if ((await judge(item.request)) === undefined) passed.push(item);
  return passed;
}

async function measureEvasion(
  judge: Judge,
): Promise<{ readonly share: Share; readonly evaded: readonly EvasionCell[] }> {
  const cells = listEvasionCells();
  const plain = new Map<string, boolean>();
  for (const cell of cells) {
    if (!plain.has(cell.payload)) plain.set(cell.payload, (await judge(cell.plain)) !== undefined);
  }
  const counted = cells.filter(({ payload }) => plain.get(payload) === true);
  const evaded = await listPassed(counted, judge);
  return { share: [counted.length - evaded.length, counted.length], evaded };
}
