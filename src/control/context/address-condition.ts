/** From where a token may be used. */
import { assert, IpSet, parseNetwork } from '#base';
import { clientAddress } from '#request';
import { fault, tokenCodes } from '#api';

/** As it is kept and shown. An empty list says nothing. */
export interface AddressRanges {
  readonly in: readonly string[];
  readonly notIn: readonly string[];
}

export const anyAddress: AddressRanges = { in: [], notIn: [] };

export function isAnyAddress(ranges: AddressRanges): boolean {
  return ranges.in.length === 0 && ranges.notIn.length === 0;
}

interface GivenCondition {
  readonly request_ip?: {
    readonly in?: readonly string[] | null;
    readonly not_in?: readonly string[] | null;
  } | null;
}

export function addressRangesFrom(given: GivenCondition | null | undefined): AddressRanges {
  const { in: within, not_in: without } = given?.request_ip ?? {};
  const ranges = { in: within ?? [], notIn: without ?? [] };
  checkRanges(ranges.in, '/condition/request_ip/in');
  checkRanges(ranges.notIn, '/condition/request_ip/not_in');
  return ranges;
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

/** The same condition, made for asking. */
export class AddressCondition {
  readonly #in: IpSet | undefined;
  readonly #notIn: IpSet;

  constructor(ranges: AddressRanges) {
    this.#in = ranges.in.length === 0 ? undefined : setOf(ranges.in);
    this.#notIn = setOf(ranges.notIn);
  }

  /** An address that cannot be read is in no range. */
  allows(address: string): boolean {
    const ip = clientAddress(address);
    if (ip === undefined) return false;
    return (this.#in === undefined || this.#in.hasIp(ip)) && !this.#notIn.hasIp(ip);
  }
}

function setOf(ranges: readonly string[]): IpSet {
  return new IpSet(
    ranges.map((range) => {
      const network = parseNetwork(range);
      assert(network !== undefined, `a range that cannot be read was kept: ${range}`);
      return network;
    }),
  );
}
