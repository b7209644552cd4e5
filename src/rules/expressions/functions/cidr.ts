import type { FunctionDefinition } from '../ast.ts';
import { maskAddress, type Ip } from '#addresses';
import { everywhere, createIntCheck, intParameter, ipParameter, result } from '../parameters.ts';
import { ipType } from '../types.ts';

export const cidr: FunctionDefinition = {
  name: 'cidr',
  summary: 'The first address of the network that contains the address, by the prefix length of its family.',
  parameters: [
    ipParameter('address'),
    intParameter('ipv4_bits', { kind: 'Literal', checkInt: createIntCheck(1, 32) }),
    intParameter('ipv6_bits', { kind: 'Literal', checkInt: createIntCheck(1, 128) }),
  ],
  uses: everywhere,
  resultType: result(ipType),
  prepare: () => (address: Ip | undefined, ipv4Bits: number, ipv6Bits: number) =>
    address === undefined ? undefined : maskAddress(address, address.family === 4 ? ipv4Bits : ipv6Bits),
};
