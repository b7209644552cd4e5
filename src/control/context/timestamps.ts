/** Times as the API shows them: RFC 3339, with seconds or with microseconds, as Cloudflare does for each resource. */
export function toSeconds(ms: number): string {
  return new Date(ms).toISOString().replace(/\.\d+Z$/, 'Z');
}

export function toMicroseconds(ms: number): string {
  return new Date(ms).toISOString().replace('Z', '000Z');
}
