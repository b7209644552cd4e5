/** `route`: an origin other than that of the zone, or other names for it. */
import { routeParameters } from '../../written/parameters.ts';
import type { RouteParameters } from '../../model.ts';
import type { Field } from '../../problem.ts';
import { isHost, isHostWithPort } from '../../written/origin-host.ts';

export function checkRoute(parameters: Field<unknown>): RouteParameters | undefined {
  const field = parameters.as(routeParameters);
  const problemsBefore = field.problems.count;
  if (field.isAbsent) return field.refuse('missingField', 'the action route needs it');
  if (!field.hasOnlyKnownFields()) return undefined;
  const [header, origin, sni] = [field.at('host_header'), field.at('origin'), field.at('sni')];
  if (header.isAbsent && origin.isAbsent && sni.isAbsent)
    return field.refuse('missingField', 'it must have host_header, origin or sni');
  if (!isHostWithPort(header.read() ?? 'a'))
    header.refuse('invalidTarget', 'it must be a host name, perhaps with a port');
  if (!origin.isAbsent && origin.hasOnlyKnownFields()) {
    const [host, port] = [origin.at('host'), origin.at('port')];
    port.read();
    if (host.isAbsent && port.isAbsent) origin.refuse('missingField', 'it must have host, port or both');
    if (!isHost(host.read() ?? 'a')) host.refuse('invalidTarget', 'it must be a host name or an address');
  }
  if (!sni.isAbsent && sni.hasOnlyKnownFields()) {
    const name = sni.at('value');
    if (name.isThere() && !isHost(name.read() ?? 'a')) name.refuse('invalidTarget', 'it must be a host name');
  }
  return field.problems.count > problemsBefore ? undefined : (field.value as RouteParameters);
}
