import { Ip, parseIp } from '#addresses';

/** Parses the address of a client. An IPv4 address mapped into IPv6 becomes IPv4. */
export function parseClientAddress(text: string | undefined): Ip | undefined {
  const ip = text === undefined ? undefined : parseIp(text);
  if (ip?.family === 6 && ip.w0 === 0 && ip.w1 === 0 && ip.w2 === 0xffff) return new Ip(4, ip.w3);
  return ip;
}
