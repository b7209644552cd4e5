/** The spellings of addresses that only this machine, or its network, can reach. */
import { hostname } from 'node:os';

export interface Place {
  readonly host: string;
  /** In a URL. */
  readonly urlHost: string;
  readonly port: number;
  readonly path?: string;
}

/** Those of this machine itself, which code without restrictions can reach. */
const ofLoopback = [
  '127.0.0.1',
  '127.1',
  '2130706433',
  '0x7f000001',
  '0177.0.0.1',
  '::1',
  '::ffff:127.0.0.1',
  '::ffff:7f00:1',
  'localhost',
  'localhost.',
  'LOCALHOST',
  '0.0.0.0',
  '0',
  '::',
];

/** Never connected to in a test: they would leave this machine. */
const elsewhere = [
  '10.0.0.1',
  '172.16.0.1',
  '192.168.0.1',
  '169.254.0.1',
  '169.254.169.254',
  'metadata.google.internal',
  '100.64.0.1',
  'fe80::1',
  'fd00::1',
  '64:ff9b::7f00:1',
  '2002:7f00:1::',
  'a.localhost',
];

export function listPlaces(port: number, which: 'of this machine' | 'all'): Place[] {
  const hosts = which === 'all' ? [...ofLoopback, ...elsewhere, hostname()] : ofLoopback;
  return hosts.map((host) => ({ host, urlHost: host.includes(':') ? `[${host}]` : host, port }));
}
