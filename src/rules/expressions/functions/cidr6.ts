import type { FunctionDefinition } from '../ast.ts';
import { maskAddress, type Ip } from '#addresses';
import { everywhere, createIntCheck, intParameter, ipParameter, result } from '../parameters.ts';
import { ipType } from '../types.ts';

/** An IPv4 address is treated as in `cidr`: `cidr6(a, n)` is `cidr(a, 32, n)`. */
export const cidr6: FunctionDefinition = {
  name: 'cidr6',
  summary: 'The first address of the IPv6 network that contains the address; an IPv4 address is unchanged.',
  parameters: [
    ipParameter('address'),
    intParameter('ipv6_bits', { kind: 'Literal', checkInt: createIntCheck(1, 128) }),
  ],
  uses: everywhere,
  resultType: result(ipType),
  prepare: () => (address: Ip | undefined, ipv6Bits: number) =>
    address?.family === 6 ? maskAddress(address, ipv6Bits) : address,
};
