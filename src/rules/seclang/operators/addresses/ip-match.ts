import { IpSet, parseIp, parseNetwork } from '#base';
import { captureWhole, type Operator, type OperatorDefinition } from '../operator.ts';

/** One of the addresses and networks: `127.0.0.1,10.0.0.0/8,::1`. */
export const ipMatch: OperatorDefinition = {
  name: 'ipmatch',
  prepare: ({ source }) => forNetworks(source.split(',')),
};

export function forNetworks(written: readonly string[]): Operator {
  const networks = written.map((text) => {
    const network = parseNetwork(text.trim());
    if (network === undefined) throw new RangeError(`"${text.trim()}" is neither an address nor a network`);
    return network;
  });
  const set = new IpSet(networks);
  return {
    test: (value) => {
      const address = parseIp(value);
      return address !== undefined && set.has(address);
    },
    capture: captureWhole,
  };
}
