/**
 * Judges the requests of `corpus/items`: attacks hidden in texts and in the forms of parts, and texts that look like
 * attacks.
 */
import type { Attack } from './corpus/attacks.ts';
import type { HarmlessValue } from './corpus/harmless-values.ts';
import { listDisguised } from './corpus/items/disguised.ts';
import { listAttacksInProse } from './corpus/items/in-prose.ts';
import { lookalikes } from './corpus/items/lines.ts';
import { listPartForms } from './corpus/items/part-forms.ts';
import { listPasswords } from './corpus/items/passwords.ts';
import { listRepeatedUnits } from './corpus/items/repeated-units.ts';
import { listTexts } from './corpus/items/texts.ts';
import { places } from './corpus/places.ts';
import { Random, seedFrom } from './corpus/random.ts';
import { createZone, type Judge, type Stopped } from './corpus/zone.ts';
import type { Share } from './measure.ts';

export interface MeasuredItems {
  /** By disguise, position, form or unit. */
  readonly disguised: Readonly<Record<string, Share>>;
  readonly prose: Readonly<Record<string, Share>>;
  readonly forms: Readonly<Record<string, Share>>;
  readonly units: Readonly<Record<string, Share>>;
  /** By kind. */
  readonly lookalikes: Readonly<Record<string, Share>>;
  readonly passwords: Readonly<Record<string, Share>>;
  readonly texts: Readonly<Record<string, Share>>;
  readonly missed: readonly Attack[];
  readonly stopped: readonly (HarmlessValue & { readonly by: Stopped })[];
}

/** How many of each: all, or as many as every run of the tests can afford. */
const sizes = {
  whole: { everyPayload: 1, passwords: 20_000, everyText: 1 },
  sample: { everyPayload: 4, passwords: 1_500, everyText: 40 },
} as const;

export async function measureItems(size: keyof typeof sizes): Promise<MeasuredItems> {
  const { everyPayload, passwords, everyText } = sizes[size];
  const judge = createZone('paid');
  const missed: Attack[] = [];
  const stopped: (HarmlessValue & { by: Stopped })[] = [];
  return {
    disguised: await countAttacks(takeEvery(listDisguised(), everyPayload), judge, missed),
    prose: await countAttacks(listAttacksInProse(), judge, missed),
    forms: await countAttacks(takeEvery(listPartForms(), everyPayload), judge, missed),
    units: await countAttacks(listRepeatedUnits(), judge, missed),
    lookalikes: await countHarmless(listLookalikes(), judge, stopped),
    passwords: await countHarmless(listPasswords(passwords), judge, stopped),
    texts: await countHarmless(listTexts(everyText), judge, stopped),
    missed,
    stopped,
  };
}

function takeEvery(attacks: readonly Attack[], step: number): readonly Attack[] {
  return attacks.filter((_, index) => index % step === 0);
}

/** All of them together. */
export function sumShares(shares: Readonly<Record<string, Share>>): Share {
  const sum = (at: 0 | 1): number => Object.values(shares).reduce((total, share) => total + share[at], 0);
  return [sum(0), sum(1)];
}

export function listLookalikes(): readonly HarmlessValue[] {
  return lookalikes.flatMap(({ kind, value }) =>
    ['query', 'form', 'json'].map((name): HarmlessValue => {
      const random = new Random(seedFrom(`${name} ${value}`));
      const place = places.find((each) => each.name === name)!;
      return { kind, value, request: place.build({ value, name: 'message', random, transport: {} }) };
    }),
  );
}

async function countAttacks(
  attacks: readonly Attack[],
  judge: Judge,
  missed: Attack[],
): Promise<Readonly<Record<string, Share>>> {
  const shares: Record<string, Share> = {};
  for (const attack of attacks) {
    const isStopped = (await judge(attack.request)) !== undefined;
    if (!isStopped) missed.push(attack);
    addTo(shares, attack.disguise, isStopped);
  }
  return shares;
}

async function countHarmless(
  values: readonly HarmlessValue[],
  judge: Judge,
  stopped: (HarmlessValue & { readonly by: Stopped })[],
): Promise<Readonly<Record<string, Share>>> {
  const shares: Record<string, Share> = {};
  for (const value of values) {
    const by = await judge(value.request);
    if (by !== undefined) stopped.push({ ...value, by });
    addTo(shares, value.kind, by !== undefined);
  }
  return shares;
}

function addTo(shares: Record<string, Share>, name: string, isStopped: boolean): void {
  const [count, total] = shares[name] ?? [0, 0];
  shares[name] = [count + Number(isStopped), total + 1];
}
