/** Whether a host pattern is about a zone: its name, or something before that. */
export function isHostOfZone(hostPattern: string, zoneName: string): boolean {
  if (!hostPattern.endsWith(zoneName)) return false;
  const before = hostPattern.at(-zoneName.length - 1);
  return before === undefined || before === '.' || before === '*';
}
