/** The target of a request as the origin receives it and as rules read it, by the zone's URL normalisation. */
import type { RewrittenUri } from '#expressions';
import { type AmbiguousPath, readPath } from '#request';
import { chooseUrlNormalization, type CompiledZone } from '#firewall';

export interface TargetReadings {
  /** For the origin. */
  readonly target: string;
  /** For rules, all different; the first is the normalised one. */
  readonly paths: readonly [string, ...string[]];
  /** For rules, if it differs from the received one; empty for none. */
  readonly query?: string | undefined;
}

/** The parts of a target. The query has no `?`, and is undefined if there is none. */
export function splitTarget(target: string): { readonly path: string; readonly query: string | undefined } {
  const question = target.indexOf('?');
  return question < 0
    ? { path: target, query: undefined }
    : { path: target.slice(0, question), query: target.slice(question + 1) };
}

/** The readings of a target that rules have rewritten. */
export function readRewritten(
  received: string,
  rewrite: RewrittenUri,
  zone: CompiledZone,
): TargetReadings | AmbiguousPath {
  const parts = splitTarget(received);
  const { path = parts.path, query = parts.query ?? '' } = rewrite;
  const readings = readTarget(query === '' ? path : `${path}?${query}`, zone, true);
  return 'problem' in readings ? readings : { ...readings, query };
}

/** `rewritesTarget`: whether the origin may receive a different target than the client sent. */
export function readTarget(
  target: string,
  zone: CompiledZone,
  rewritesTarget: boolean,
): TargetReadings | AmbiguousPath {
  const { path, query } = splitTarget(target);
  const readings = readPath(path, chooseUrlNormalization(zone.configuration, rewritesTarget));
  if ('problem' in readings) return readings;
  const { forwarded, judged } = readings;
  if (forwarded === path) return { target, paths: judged };
  return { target: query === undefined ? forwarded : `${forwarded}?${query}`, paths: judged };
}
