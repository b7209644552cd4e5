/** Names of zones: domains, in the one spelling that everybody compares. */
import { domainToASCII } from 'node:url';
import { fault, zoneCodes } from '#api';

const label = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

/** Lower case, and in Punycode where it has other letters. */
export function zoneNameFrom(given: string): string {
  // What a URL would take for something else than a letter of a name: a port, a path, an escape.
  const isPlain = !/[\s/:?#@%\\[\]]/.test(given);
  const name = isPlain ? domainToASCII(given) : '';
  const labels = name.split('.');
  if (name === '' || name.length > 253 || !labels.every((each) => label.test(each))) {
    throw invalid(`${JSON.stringify(given)} is no domain name`);
  }
  if (labels.length < 2) throw invalid(`${JSON.stringify(given)} has only one label`);
  if (/^\d+$/.test(labels.at(-1)!)) throw invalid(`${JSON.stringify(given)} is an address`);
  return name;
}

function invalid(reason: string): Error {
  return fault(zoneCodes.zoneNameInvalid, { pointer: '/name', fill: { reason } });
}
