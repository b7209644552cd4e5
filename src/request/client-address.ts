import { Ip, parseIp } from '#base';

/** The address of a client; one of IPv4 that comes mapped into IPv6 is IPv4. */
export function clientAddress(text: string | undefined): Ip | undefined {
  const ip = text === undefined ? undefined : parseIp(text);
  if (ip?.family === 6 && ip.w0 === 0 && ip.w1 === 0 && ip.w2 === 0xffff) return new Ip(4, ip.w3);
  return ip;
}
