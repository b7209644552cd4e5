/** Clients cannot connect to the unspecified address, so clients get loopback. */
export function toReachable(url: string): string {
  return url.replace('//0.0.0.0:', '//127.0.0.1:').replace('//[::]:', '//[::1]:');
}
