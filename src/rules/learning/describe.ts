/**
 * The conclusions from the sample of a value: what is usual, what is rare, and whether there is enough data to rely on
 * them.
 */
import { networksMin, rareNetworksMax, requestsMin, usualShareMin, waitMs } from './limits.ts';
import type { LearnedValue } from './profile.ts';
import { countNetworks, type Sample } from './sample.ts';
import { kindBit, lengthBit, lengthsMax, signBits, valueKinds } from './value-shape.ts';

interface LearnedRow extends Pick<LearnedValue, 'path' | 'place' | 'name' | 'requests'> {
  readonly firstMs: number;
  readonly sample: Sample;
}

export function isKnownEnough(
  { requests, firstMs, sample }: Omit<LearnedRow, 'path' | 'place' | 'name'>,
  nowMs: number,
): boolean {
  return requests >= requestsMin && nowMs - firstMs >= waitMs && countNetworks(sample) >= networksMin;
}

export function describeSample({ sample, firstMs, path, place, name, requests }: LearnedRow): LearnedValue {
  const count = (isSent: (network: Sample[number]) => boolean): number => sample.filter(isSent).length;
  const usualMin = Math.max(rareNetworksMax + 1, Math.ceil(sample.length * usualShareMin));
  let [usualSigns, rareSigns, usualKinds, rareKinds] = [0, 0, 0, 0];
  for (let bit = 1; bit < 1 << signBits; bit <<= 1) {
    const networks = count(({ signs }) => (signs & bit) !== 0);
    if (networks >= usualMin) usualSigns |= bit;
    if (networks <= rareNetworksMax) rareSigns |= bit;
  }
  for (const kind of valueKinds) {
    const networks = count(({ form }) => (form & kindBit(kind)) !== 0);
    if (networks >= usualMin) usualKinds |= kindBit(kind);
    if (networks <= rareNetworksMax) rareKinds |= kindBit(kind);
  }
  const longest = lengthsMax.findLastIndex(
    (_, index) => count(({ form }) => (form & lengthBit(index)) !== 0) > rareNetworksMax,
  );
  return {
    path,
    place,
    name,
    requests,
    networks: countNetworks(sample),
    sinceMs: firstMs,
    usualSigns,
    rareSigns,
    usualKinds,
    rareKinds,
    longest,
  };
}
