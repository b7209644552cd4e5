/** Operators about IP addresses. */
import { IpSet, parseIp, parseNetwork } from '#addresses';
import { captureWhole, type Operator, type OperatorDefinition } from './operator.ts';
import { readLines } from './pm.ts';

/** One of the addresses and networks: `127.0.0.1,10.0.0.0/8,::1`. */
const ipMatch: OperatorDefinition = {
  name: 'ipmatch',
  prepare: ({ source }) => forNetworks(source.split(',')),
};

function forNetworks(written: readonly string[]): Operator {
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

export const ipMatchFromFile: OperatorDefinition = {
  name: 'ipmatchfromfile',
  prepare: ({ source }, context) => forNetworks(readLines(context.readFile(source.trim()))),
};

/** The country of an address is filled into GEO before rules run, so the look-up succeeds if there is one. */
const geoLookup: OperatorDefinition = {
  name: 'geolookup',
  prepare: () => ({
    readsRequest: true,
    test: (_, scope) => scope.lookUp('GEO', 'country_code') !== '',
    capture: captureWhole,
  }),
};

/** Never matches: a request must not wait for a name server, so none is asked. */
const rbl: OperatorDefinition = {
  name: 'rbl',
  prepare: () => ({ test: () => false, capture: captureWhole }),
};

export const aboutAddresses: readonly OperatorDefinition[] = [geoLookup, ipMatch, ipMatchFromFile, rbl];
