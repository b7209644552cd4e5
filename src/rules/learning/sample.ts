/**
 * A sample of the networks that sent a value: those with the smallest hashes, each with everything that it has sent.
 * Whether a network is in it does not depend on how much it sends, so shares are of networks, not of requests. Merging
 * is a union, so it may be done in any order and repeatedly.
 */
import { type Ip, maskAddress } from '#addresses';
import { keptDays, sampleNetworksMax } from './limits.ts';
import type { ValueShape } from './value-shape.ts';

export interface SampledNetwork extends ValueShape {
  readonly hash: number;
  /** The last day on which it sent a value: days since 1970. */
  readonly day: number;
}

/** By the hash, the smallest first. */
export type Sample = readonly SampledNetwork[];

/** Neighbouring addresses count as one network: the owner of one address often has all of them. */
const networkBits = { 4: 24, 6: 48 } as const;

/** Another seed gives other hashes, so attackers cannot choose networks that are in every sample. */
export function hashNetwork(ip: Ip, seed: string): number {
  const { w0, w1 } = maskAddress(ip, networkBits[ip.family]);
  let hash = 0x811c9dc5 ^ ip.family;
  for (let index = 0; index < seed.length; index++)
    hash = Math.imul(hash ^ seed.charCodeAt(index), 0x01000193);
  return mix(mix(hash ^ w0) ^ w1);
}

/** The bits of the result depend on all bits of the word. */
function mix(word: number): number {
  let hash = word;
  hash = Math.imul(hash ^ (hash >>> 16), 0x21f0aaad);
  hash = Math.imul(hash ^ (hash >>> 15), 0x735a2d97);
  return (hash ^ (hash >>> 15)) >>> 0;
}

export function mergeSamples(a: Sample, b: Sample): Sample {
  const merged: SampledNetwork[] = [];
  for (let left = 0, right = 0; merged.length < sampleNetworksMax;) {
    const [one, other] = [a[left], b[right]];
    if (one === undefined && other === undefined) break;
    if (one !== undefined && other !== undefined && one.hash === other.hash) {
      merged.push(joinNetworks(one, other));
      left++;
      right++;
    } else if (other === undefined || (one !== undefined && one.hash < other.hash)) {
      merged.push(one!);
      left++;
    } else {
      merged.push(other);
      right++;
    }
  }
  return merged;
}

export function joinNetworks(one: SampledNetwork, other: SampledNetwork): SampledNetwork {
  return {
    hash: one.hash,
    signs: one.signs | other.signs,
    form: one.form | other.form,
    day: Math.max(one.day, other.day),
  };
}

/** Removes values that were not sent for long. */
export function dropOld(sample: Sample, today: number): Sample {
  return sample.filter(({ day }) => day > today - keptDays);
}

/** The approximate number of networks: exact while all of them are in the sample. */
export function countNetworks(sample: Sample): number {
  if (sample.length < sampleNetworksMax) return sample.length;
  return Math.round((sample.length - 1) / ((sample.at(-1)!.hash + 1) / 2 ** 32));
}

/** Days are counted from 2023 on, in twelve bits. */
const dayZero = 19_358;
const formBits = 20;

export function encodeSample(sample: Sample): string {
  const words = new Uint32Array(sample.length * 3);
  for (const [index, { hash, signs, form, day }] of sample.entries())
    words.set([hash, signs, form | (Math.max(0, day - dayZero) << formBits)], index * 3);
  return Buffer.from(words.buffer).toString('base64');
}

/** Undefined for an invalid sample. */
export function decodeSample(text: string): Sample | undefined {
  const bytes = Buffer.from(text, 'base64');
  if (bytes.length % 12 !== 0 || bytes.length > sampleNetworksMax * 12) return undefined;
  const sample: SampledNetwork[] = [];
  for (let at = 0; at < bytes.length; at += 12) {
    const last = bytes.readUInt32LE(at + 8);
    const network = {
      hash: bytes.readUInt32LE(at),
      signs: bytes.readUInt32LE(at + 4),
      form: last & (2 ** formBits - 1),
      day: (last >>> formBits) + dayZero,
    };
    if (at > 0 && network.hash <= sample.at(-1)!.hash) return undefined;
    sample.push(network);
  }
  return sample;
}
