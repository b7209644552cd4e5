/** The hosts that rules of a zone may match. */
import { readPagePattern } from '#rulesets';

/** Whether a host pattern belongs to a zone: it ends with the zone's name. */
export function isHostOfZone(hostPattern: string, zoneName: string): boolean {
  if (!hostPattern.endsWith(zoneName)) return false;
  const before = hostPattern.at(-zoneName.length - 1);
  return before === undefined || before === '.' || before === '*';
}

/** Why rules of the zone cannot have the pattern, as the end of a sentence about it. A star stands for any host. */
export function findUrlProblem(url: string, zoneName: string): string | undefined {
  const read = readPagePattern(url);
  if (!read.ok) return read.reason;
  const { host } = read.pattern;
  return host === '*' || isHostOfZone(host, zoneName)
    ? undefined
    : `must name a host of the zone ${zoneName}`;
}
