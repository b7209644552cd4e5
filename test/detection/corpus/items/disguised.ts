/**
 * Sixty payloads in disguises: each place with each disguise that makes sense in it, and spellings of a class in three
 * places. With the forms of parts and the positions in prose, there are 160.
 */
import type { Attack } from '../attacks.ts';
import { type Disguise, disguises } from '../disguises.ts';
import { type Place, places } from '../places.ts';
import { Random, seedFrom } from '../random.ts';
import { payloads } from './lines.ts';

const plain: Disguise = { name: 'none' };

/** Where spellings of a class are tried: a spelling does not depend on its place. */
const spelledPlaces: ReadonlySet<string> = new Set(['query', 'form', 'json']);

function fits({ places: allowed, classes }: Disguise, place: string): boolean {
  return allowed === undefined ? classes === undefined || spelledPlaces.has(place) : allowed.includes(place);
}

/** A plain argument is not a disguise. */
const forms = places.flatMap((place) =>
  [plain, ...disguises]
    .filter((disguise) => fits(disguise, place.name) && (place.name !== 'query' || disguise !== plain))
    .map((disguise) => ({ place, disguise })),
);

function disguisePayload(
  { kind, value }: (typeof payloads)[number],
  place: Place,
  { name, classes, change, transport = {} }: Disguise,
): readonly Attack[] {
  if (classes !== undefined && !classes.includes(kind)) return [];
  const random = new Random(seedFrom(`${value} ${place.name} ${name}`));
  const changed = change?.(value, random) ?? value;
  // The disguise does not apply to it.
  if (change !== undefined && changed === value) return [];
  const request = place.build({ value: changed, name: 'comment', random, transport });
  return [{ class: kind, place: place.name, disguise: `${place.name}, ${name}`, payload: value, request }];
}

export function listDisguised(): readonly Attack[] {
  return forms.flatMap(({ place, disguise }) =>
    payloads.flatMap((payload) => disguisePayload(payload, place, disguise)),
  );
}
