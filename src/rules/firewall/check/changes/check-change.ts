/** Checks the parameters of rules that change requests or responses, by their phase. */
import type { OpaqueObject } from '../../model.ts';
import type { ChangingPhase } from '../../phases.ts';
import type { Field } from '../../problem.ts';
import type { ChangeContext } from './change-context.ts';
import { checkHeaderRewrite, checkUriRewrite } from './rewrite.ts';
import { checkAsk } from './ask.ts';
import { checkConfiguration } from './configuration.ts';
import { checkError } from './error.ts';
import { checkBulkRedirect, checkRedirect } from './redirect.ts';
import { checkRoute } from './route.ts';

export type { ChangeContext } from './change-context.ts';

type Check = (field: Field<unknown>, context: ChangeContext) => OpaqueObject | undefined;

export const checkChange: Readonly<Record<ChangingPhase, Check>> = {
  http_request_dynamic_redirect: checkRedirect,
  http_request_transform: checkUriRewrite,
  http_config_settings: checkConfiguration,
  http_request_origin: checkRoute,
  gatehouse_ask: checkAsk,
  http_request_redirect: checkBulkRedirect,
  http_request_late_transform: checkHeaderRewrite,
  http_custom_errors: checkError,
  http_response_headers_transform: checkHeaderRewrite,
};
