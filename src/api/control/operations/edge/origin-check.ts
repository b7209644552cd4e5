/** Refuses origins when they are set, by the same rules that the program's edge applies when it connects. */
import { OriginRules, type OriginRulesOptions } from '#outbound';
import type { OriginCheck } from '../../context/handler.ts';

/** Without options, only the edge refuses origins, when it connects. */
export function createOriginCheck(options: OriginRulesOptions | undefined): OriginCheck {
  if (options === undefined) return { findObstacle: () => undefined, workers: undefined };
  const rules = new OriginRules(options);
  return {
    findObstacle: (host, port) => rules.findObstacle(host, port),
    workers: options.workers,
  };
}
