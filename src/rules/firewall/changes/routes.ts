/** Rules and page rules that choose another origin, or other names for it. */
import { type RouteParameters, isHost, isHostWithPort } from '#rulesets';
import type { Act, Change, Effect, Route } from './change.ts';

export function compileRoute({ host_header, origin, sni }: RouteParameters): Act {
  const effect: Effect = {
    kind: 'route',
    ...(host_header === undefined ? {} : { hostHeader: host_header }),
    ...(origin?.host === undefined ? {} : { connectTo: origin.host }),
    ...(origin?.port === undefined ? {} : { port: origin.port }),
    ...(sni?.value === undefined ? {} : { serverName: sni.value }),
  };
  checkRouteText(effect);
  return () => effect;
}

/** Rules may have been stored before they were checked, and the checks of page rules are weaker. */
export function checkRouteText({ hostHeader = 'a', connectTo = 'a', serverName = 'a' }: Route): void {
  if (!isHostWithPort(hostHeader))
    throw new RangeError(`no host can have the name ${JSON.stringify(hostHeader)}`);
  for (const host of [connectTo, serverName])
    if (!isHost(host)) throw new RangeError(`no host can have the name ${JSON.stringify(host)}`);
}

/** Undefined if the origin stays unchanged. The last rule that sets a part overrides earlier ones. */
export function findRoute(changes: readonly Change[] = []): Route | undefined {
  let route: Route | undefined;
  for (const { effect } of changes) {
    if (effect.kind !== 'route') continue;
    const { kind: _kind, ...parts } = effect;
    route = { ...route, ...parts };
  }
  return route;
}
