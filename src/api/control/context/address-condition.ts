/** The addresses from which a token may be used. */
import { isDeepStrictEqual } from 'node:util';
import { IpSet, parseNetwork } from '#addresses';
import { assert } from '#base';
import { parseClientAddress } from '#request';
import { fault, tokenCodes } from '#contract';

/** The ranges as they are stored and shown. An empty list is no condition. */
export interface AddressRanges {
  readonly in: readonly string[];
  readonly notIn: readonly string[];
}

export const anyAddress: AddressRanges = { in: [], notIn: [] };

export function isAnyAddress(ranges: AddressRanges): boolean {
  return ranges.in.length === 0 && ranges.notIn.length === 0;
}

/** Clients written in Go, Terraform among them, use the spelling with the dot; others use the documented one. */
const spellings = ['request_ip', 'request.ip'] as const;

type GivenRanges = {
  readonly in?: readonly string[] | null;
  readonly not_in?: readonly string[] | null;
} | null;

type GivenCondition = { readonly [Spelling in (typeof spellings)[number]]?: GivenRanges };

/**
 * Accepts either spelling. Answers contain both, so a client that sends back what it received sends both; if they
 * differ, the client changed the one it knows, and the other still equals `before`.
 */
export function readAddressRanges(
  given: GivenCondition | null | undefined,
  before?: AddressRanges,
): AddressRanges {
  const read = spellings.map((spelling) => readRanges(given?.[spelling], spelling));
  const [first, second] = read.filter((ranges) => ranges !== undefined);
  if (first === undefined) return anyAddress;
  if (second === undefined || isDeepStrictEqual(first, second)) return first;
  if (isDeepStrictEqual(first, before)) return second;
  if (isDeepStrictEqual(second, before)) return first;
  throw fault(tokenCodes.conditionContradictory, { pointer: '/condition' });
}

function readRanges(given: GivenRanges | undefined, spelling: string): AddressRanges | undefined {
  if (given === undefined || given === null) return undefined;
  const ranges = { in: given.in ?? [], notIn: given.not_in ?? [] };
  checkRanges(ranges.in, `/condition/${spelling}/in`);
  checkRanges(ranges.notIn, `/condition/${spelling}/not_in`);
  return ranges;
}

export function toConditionJson(ranges: AddressRanges): object {
  const shown = {
    ...(ranges.in.length === 0 ? {} : { in: ranges.in }),
    ...(ranges.notIn.length === 0 ? {} : { not_in: ranges.notIn }),
  };
  return Object.fromEntries(spellings.map((spelling) => [spelling, shown]));
}

function checkRanges(ranges: readonly string[], pointer: string): void {
  for (const [index, range] of ranges.entries()) {
    if (parseNetwork(range) !== undefined) continue;
    throw fault(tokenCodes.conditionInvalid, {
      pointer: `${pointer}/${index}`,
      fill: { range: JSON.stringify(range) },
    });
  }
}

/** The same condition, compiled for lookups. */
export class AddressCondition {
  readonly #in: IpSet | undefined;
  readonly #notIn: IpSet;

  constructor(ranges: AddressRanges) {
    this.#in = ranges.in.length === 0 ? undefined : toIpSet(ranges.in);
    this.#notIn = toIpSet(ranges.notIn);
  }

  /** An address that cannot be parsed is in no range. */
  allows(address: string): boolean {
    const ip = parseClientAddress(address);
    if (ip === undefined) return false;
    return (this.#in === undefined || this.#in.hasIp(ip)) && !this.#notIn.hasIp(ip);
  }
}

function toIpSet(ranges: readonly string[]): IpSet {
  return new IpSet(
    ranges.map((range) => {
      const network = parseNetwork(range);
      assert(network !== undefined, `a stored address range cannot be parsed: ${range}`);
      return network;
    }),
  );
}
