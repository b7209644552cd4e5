/** Names of zones: domains, in the normalised spelling that all comparisons use. */
import { domainToASCII } from 'node:url';
import { fault, zoneCodes } from '#contract';

const label = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

/** Returns the name in lower case, with Punycode for other letters. */
export function readZoneName(given: string): string {
  // These characters have another meaning in a URL: a port, a path, an escape.
  const isPlain = !/[\s/:?#@%\\[\]]/.test(given);
  const name = isPlain ? domainToASCII(given) : '';
  const labels = name.split('.');
  if (name === '' || name.length > 253 || !labels.every((each) => label.test(each))) {
    throw createFault(`${JSON.stringify(given)} is no domain name`);
  }
  if (labels.length < 2) throw createFault(`${JSON.stringify(given)} has only one label`);
  if (/^\d+$/.test(labels.at(-1)!)) throw createFault(`${JSON.stringify(given)} is an address`);
  return name;
}

function createFault(reason: string): Error {
  return fault(zoneCodes.zoneNameInvalid, { pointer: '/name', fill: { reason } });
}
