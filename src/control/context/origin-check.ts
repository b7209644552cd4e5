/** Refuses origins when they are set, by the rules that the edge of the program connects by. */
import { OriginRules, type OriginRulesOptions } from '#base';

/**
 * Why the edge would never connect to the host of an origin: its address is `private`, or it is `forbidden` for another
 * reason. Undefined if it would, or if only the edge can tell because the name has to be resolved.
 */
export type OriginCheck = (host: string, port: number) => 'private' | 'forbidden' | undefined;

/** Without rules, only the edge refuses origins, when it connects. */
export function createOriginCheck(options: OriginRulesOptions | undefined): OriginCheck {
  if (options === undefined) return () => undefined;
  const rules = new OriginRules(options);
  return (host, port) => {
    const obstacle = rules.findObstacle(host, port);
    return obstacle === undefined || obstacle === 'private' ? obstacle : 'forbidden';
  };
}
