/** Checks the parameters of rules that change requests or responses, by their phase. */
import type { Shape } from '#shapes';
import type { ConfigurationParameters, ErrorParameters, OpaqueObject, RouteParameters } from '../../model.ts';
import type { ChangingPhase } from '../../phases.ts';
import type { BodyField } from '../../problem.ts';
import { askParameters } from '../../written/ask-parameters.ts';
import { isHost, isHostWithPort } from '../../written/origin-host.ts';
import {
  configurationParameters,
  errorParameters,
  redirectParameters,
  rewriteParameters,
  routeParameters,
} from '../../written/parameters.ts';
import { checkAsk } from './ask.ts';
import type { ChangeContext } from './change-context.ts';
import { checkBulkRedirect, checkRedirect } from './redirect.ts';
import { checkHeaderRewrite, checkUriRewrite } from './rewrite.ts';

export type { ChangeContext } from './change-context.ts';

type ParametersCheck = (field: BodyField<unknown>, context: ChangeContext) => OpaqueObject | undefined;

/** Parameters of one form: they are required and have only known fields, and `check` notes what else is wrong. */
function checkAs<T extends OpaqueObject>(
  form: Shape<T>,
  check: (field: BodyField<T>, context: ChangeContext) => void,
): ParametersCheck {
  return (parameters, context) => {
    const field = parameters.as(form);
    const problemsBefore = field.problems.count;
    if (field.isAbsent) return field.refuse('missingField', `the action ${context.action} needs it`);
    if (!field.hasOnlyKnownFields()) return undefined;
    check(field, context);
    return field.problems.count > problemsBefore ? undefined : (field.value as T);
  };
}

const checkHeaders = checkAs(rewriteParameters, checkHeaderRewrite);

export const checkChange: Readonly<Record<ChangingPhase, ParametersCheck>> = {
  http_request_dynamic_redirect: checkAs(redirectParameters, checkRedirect),
  http_request_transform: checkAs(rewriteParameters, checkUriRewrite),
  http_config_settings: checkAs(configurationParameters, checkConfiguration),
  http_request_origin: checkAs(routeParameters, checkRoute),
  gatehouse_ask: checkAs(askParameters, checkAsk),
  http_request_redirect: checkAs(redirectParameters, checkBulkRedirect),
  http_request_late_transform: checkHeaders,
  http_custom_errors: checkAs(errorParameters, checkError),
  http_response_headers_transform: checkHeaders,
};

/** `set_config`: settings that replace those of the zone. */
function checkConfiguration(field: BodyField<ConfigurationParameters>): void {
  const names = (field.keys() ?? []) as readonly (keyof ConfigurationParameters)[];
  if (names.length === 0) field.refuse('missingField', 'it must have at least one setting');
  for (const name of names) field.at(name).read();
}

/** `serve_error`: a response of the zone's own in place of an error. */
function checkError(field: BodyField<ErrorParameters>): void {
  const asset = field.at('asset_name');
  if (!asset.isAbsent && asset.read() !== '')
    asset.refuse('notAvailable', 'there are no error assets here: send content and content_type');
  else if (field.at('content').isThere()) field.at('content').read();
  for (const name of ['content_type', 'status_code'] as const)
    if (!field.at(name).isAbsent) field.at(name).read();
}

/** `route`: an origin other than that of the zone, or other names for it. */
function checkRoute(field: BodyField<RouteParameters>): void {
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
}
