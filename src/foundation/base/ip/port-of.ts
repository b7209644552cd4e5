/** Of a URL of HTTP, which leaves out the port that its scheme has anyway. */
export function portOf({ port, protocol }: URL): number {
  return port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port);
}
