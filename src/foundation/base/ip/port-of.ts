/** The port of an HTTP URL, which omits the default port of its scheme. */
export function portOf({ port, protocol }: URL): number {
  return port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port);
}
