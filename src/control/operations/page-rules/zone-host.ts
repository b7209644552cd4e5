/** Whether a host pattern belongs to a zone: it ends with the zone's name. */
export function isHostOfZone(hostPattern: string, zoneName: string): boolean {
  if (!hostPattern.endsWith(zoneName)) return false;
  const before = hostPattern.at(-zoneName.length - 1);
  return before === undefined || before === '.' || before === '*';
}
